/** Calls, and mutations: one request id for each logical call, kept over every repeat of it. */

import { randomUUID } from "node:crypto";

import { clone, create } from "@bufbuild/protobuf";
import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";

import type { Binding, CallOptions } from "./binding.js";
import { wasUnderWay } from "./closing.js";
import { MemslotError, OutcomeUnknown } from "./errors.js";

const UNSETTLED = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "UNKNOWN", "INTERNAL", "DATA_LOSS"]);

type Repeat = (at: Binding, options: CallOptions) => Promise<unknown>;

/** How to repeat the mutation that an error is about. Not a property of the error: it holds the request, and a request holds a body. */
const repeats = new WeakMap<MemslotError, Repeat>();

/** Returns a fresh UUID. */
export function newRequestId(): string {
  return randomUUID();
}

/** Calls an RPC that changes nothing. Throws the signal's reason when it was aborted. */
export async function ask<I extends DescMessage, O extends DescMessage>(
  at: Binding,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  options: CallOptions,
): Promise<MessageShape<O>> {
  try {
    return await at.channel.unary(method, create(method.input, request), await at.sent(options));
  } catch (error) {
    throw givenUp(error, options) ? options.signal?.reason : error;
  }
}

/** Calls a mutation. Throws OutcomeUnknown when no answer says whether it happened; any error of a call names the request id. */
export async function mutate<I extends DescMessage, O extends DescMessage, T>(
  at: Binding,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  parse: (reply: MessageShape<O>) => T,
  options: CallOptions,
): Promise<T> {
  const message = create(method.input, request);
  const { requestId = "" } = message as { requestId?: string };
  const repeat = async (again: Binding, said: CallOptions): Promise<T> => {
    try {
      return parse(await again.channel.unary(method, message, await again.sent(said)));
    } catch (error) {
      throw error instanceof MemslotError ? blamed(error, method.name, requestId, repeat, said) : error;
    }
  };
  return repeat(at, options);
}

/** Repeats the mutation that an error is about, under its request id. Throws TypeError when it is about none. */
export async function retry(at: Binding, error: unknown, options: CallOptions): Promise<unknown> {
  const repeat = error instanceof MemslotError ? repeats.get(error) : undefined;
  if (repeat === undefined) throw new TypeError("the error is not about a mutation: call the method again");
  return repeat(at, options);
}

/** Calls any unary RPC as it stands. A mutation without a request id gets one, and is then one for {@link retry}. */
export async function call<I extends DescMessage, O extends DescMessage>(
  at: Binding,
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  options: CallOptions,
): Promise<MessageShape<O>> {
  const message = create(method.input, request);
  const fields = reflect(method.input, message);
  const idField = method.input.field["requestId"];
  const validating = method.input.field["validateOnly"];
  if (idField === undefined || (validating !== undefined && fields.get(validating) === true)) {
    return ask(at, method, request, options);
  }
  if (fields.get(idField) !== "") return mutate(at, method, request, same, options);
  const own = clone(method.input, message);
  reflect(method.input, own).set(idField, newRequestId());
  return mutate(at, method, own as MessageInitShape<I>, same, options);
}

/** Calls any server-streaming RPC as it stands. */
export async function* stream<I extends DescMessage, O extends DescMessage>(
  at: Binding,
  method: DescMethodServerStreaming<I, O>,
  request: MessageInitShape<I>,
  options: CallOptions,
): AsyncGenerator<MessageShape<O>, void, undefined> {
  try {
    yield* at.channel.stream(method, create(method.input, request), await at.sent(options));
  } catch (error) {
    throw givenUp(error, options) ? options.signal?.reason : error;
  }
}

function same<T>(reply: T): T {
  return reply;
}

function givenUp(error: unknown, options: CallOptions): boolean {
  return error instanceof MemslotError && error.code === "CANCELLED" && options.signal?.aborted === true;
}

/** The server's own words are an answer; what gRPC says by itself may stand for a reply that was lost. */
function blamed(
  error: MemslotError,
  method: string,
  requestId: string,
  repeat: Repeat,
  options: CallOptions,
): MemslotError {
  const { reason, code, message, metadata, field, retryAfterMs, details } = error;
  const unsettled = (reason === "" || wasUnderWay(error)) && UNSETTLED.has(code);
  const parts = { reason, code, metadata, field, retryAfterMs, details, requestId };
  const cause: unknown = givenUp(error, options) ? options.signal?.reason : error;
  const told = unsettled
    ? new OutcomeUnknown(
        `${method} may have happened or not (${message || code}): memory.retry(error) settles it under request id ${requestId}`,
        { ...parts, reason: OutcomeUnknown.reason, cause },
      )
    : new (error.constructor as typeof MemslotError)(message, parts);
  repeats.set(told, repeat);
  return told;
}
