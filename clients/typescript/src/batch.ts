/** Several changes as one. */

import { inspect } from "node:util";

import type { MessageInitShape } from "@bufbuild/protobuf";

import type { Binding, MutationOptions } from "./binding.js";
import * as decode from "./decode.js";
import { CONDITION_KEYS, precondition } from "./encode.js";
import type { Conditions } from "./encode.js";
import { known } from "./options.js";
import { mutate, newRequestId } from "./pending.js";
import { FORGET_DETAIL_KEYS, forgetting } from "./reading.js";
import type { ForgetDetails } from "./reading.js";
import { Committed } from "./results.js";
import { wellFormed } from "./utf8.js";
import * as pb from "./v1.js";
import type { Storable, Value } from "./values.js";
import { DETAIL_KEYS, appending, patching, replacing } from "./writing.js";
import type { WriteDetails } from "./writing.js";

type Operation = MessageInitShape<typeof pb.CommitOperationSchema>;

/**
 * Up to 128 operations on different slots of one namespace, for `memory.commit`: all happen, or none.
 *
 * Methods return the batch, so that calls can be chained: `new Batch().write("a", 1).forget("b").check("c", { ifRevision: 7n })`.
 */
export class Batch {
  readonly #operations: Operation[] = [];

  /** Creates a slot or replaces its body; arguments as in `memory.write`. */
  write<T>(name: string, value: Storable<T>, details: WriteDetails = {}): this {
    return this.#add({
      operation: { case: "write", value: replacing(name, value as Value, known(details, DETAIL_KEYS)) },
    });
  }

  /** Adds to the end of a body; arguments as in `memory.append`. */
  append(name: string, value: string | Uint8Array, details: WriteDetails = {}): this {
    return this.#add({ operation: { case: "write", value: appending(name, value, known(details, DETAIL_KEYS)) } });
  }

  /** Merges changes into a JSON body; arguments as in `memory.patch`. */
  patch<T>(name: string, changes: Storable<T>, details: WriteDetails = {}): this {
    return this.#add({
      operation: { case: "write", value: patching(name, changes as Value, known(details, DETAIL_KEYS)) },
    });
  }

  /** Removes a slot; arguments as in `memory.forget`. */
  forget(name: string, details: ForgetDetails = {}): this {
    return this.#add({ operation: { case: "forget", value: forgetting(name, known(details, FORGET_DETAIL_KEYS)) } });
  }

  /** Demands that a slot that is not changed is absent, or at a revision. Throws TypeError unless exactly one is given. */
  check(name: string, conditions: Conditions): this {
    const condition = precondition(known(conditions, CONDITION_KEYS));
    if (condition === undefined) throw new TypeError("say what to check: ifAbsent: true or ifRevision");
    const value = { name: wellFormed(name, "name"), precondition: condition };
    return this.#add({ operation: { case: "check", value } });
  }

  /** How many operations there are. */
  get size(): number {
    return this.#operations.length;
  }

  /** The operations as messages. They hold bodies. */
  toMessages(): Operation[] {
    return [...this.#operations];
  }

  [inspect.custom](): string {
    return `Batch of ${String(this.size)} operations`;
  }

  #add(operation: Operation): this {
    this.#operations.push(operation);
    return this;
  }
}

export function commit(at: Binding, batch: Batch, options: MutationOptions): Promise<Committed> {
  const given: { toMessages?: unknown } = batch;
  if (typeof given.toMessages !== "function") throw new TypeError("commit takes a Batch: new Batch().write(...)");
  const request = {
    namespace: at.namespace,
    operations: batch.toMessages(),
    requestId: options.requestId ?? newRequestId(),
  };
  const parse = ({ results, revision }: pb.CommitResponse): Committed => {
    const receipts = results.map(({ result }) => decode.receipt(result.case === "receipt" ? result.value : undefined));
    return new Committed({ receipts, revision });
  };
  return mutate(at, pb.SlotService.method.commit, request, parse, options);
}
