/** What the driver is asked and answers: one JSON object a line. */

/** A request. Besides `id` and `op` it holds what the operation takes. */
export interface Asked {
  readonly id: number;
  readonly op: string;
  readonly client?: string;
  readonly keep?: boolean;
  readonly target?: string;
  readonly namespace?: string;
  readonly timeout_ms?: number;
  readonly agent?: string;
  readonly conversation?: string;
  readonly token?: string;
  readonly ca_file?: string;
  readonly method?: string;
  readonly request?: JsonObject;
  readonly verb?: string;
  readonly arguments?: JsonObject;
  readonly concurrency?: number;
  readonly calls?: number;
}

/** Any JSON object. */
export type JsonObject = Record<string, Json>;
/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A field that a request must have. */
export function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`the request lacks ${what}`);
  return value;
}
