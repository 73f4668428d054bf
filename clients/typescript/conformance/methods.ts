/** RPCs by name, and messages from and to protobuf JSON: all by the generated descriptors. */

import { createRegistry, fromJson, toJson } from "@bufbuild/protobuf";
import type { DescMethodUnary, JsonValue, MessageShape, DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import * as v1 from "@memslot/client/v1";

const REGISTRY = createRegistry(
  v1.file_memslot_v1_slot_service,
  v1.file_memslot_v1_namespace_service,
  v1.file_memslot_v1_agent_service,
  v1.file_memslot_v1_admin_service,
  v1.errorDetails.file_google_rpc_error_details,
);

/** Returns a unary RPC by its full name, `package.Service/Method`. */
export function unaryMethod(name: string): DescMethodUnary {
  const [service = "", method] = name.split("/");
  const found = REGISTRY.getService(service)?.methods.find((one) => one.name === method);
  if (found?.methodKind !== "unary") throw new TypeError(`${name} is no unary method`);
  return found as DescMethodUnary;
}

/** Returns the request of an RPC. */
export function requestOf(method: DescMethodUnary, json: JsonValue): MessageInitShape<DescMessage> {
  return fromJson(method.input, json, { registry: REGISTRY });
}

/** Returns a message as protobuf JSON. */
export function jsonOf<D extends DescMessage>(schema: D, message: MessageShape<D>): JsonValue {
  return toJson(schema, message, { registry: REGISTRY });
}
