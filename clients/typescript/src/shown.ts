/** Results that can be logged: printed or as JSON they never show a body. */

import { inspect } from "node:util";
import type { InspectOptions } from "node:util";

/** Base of results. What a subclass keeps in private fields is neither printed nor in its JSON; bigints are decimal strings there. */
export abstract class Shown {
  /** What a log may keep. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this).map(([key, value]) => [key, plain(value)]));
  }

  /** What `console.log` prints. */
  [inspect.custom](depth: number, options: InspectOptions, show: typeof inspect): string {
    const seen = depth < 0 ? "[...]" : show(this.inspected(), options);
    return `${this.constructor.name} ${seen}`;
  }

  /** What is printed of it. */
  protected inspected(): Record<string, unknown> {
    return Object.fromEntries(Object.entries(this));
  }
}

/** The base of a result that is its fields. */
export function shown<Fields extends object>(): new (fields: Fields) => Shown & Readonly<Fields> {
  class Record extends Shown {
    constructor(fields: Fields) {
      super();
      Object.assign(this, fields);
    }
  }
  return Record as new (fields: Fields) => Shown & Readonly<Fields>;
}

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object" || "toJSON" in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
