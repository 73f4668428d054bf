/** The messages and services of the contract, as generated: for {@link Memory.call}, and for what the client has no method for. */

export * from "./gen/memslot/v1/admin_service_pb.js";
export * from "./gen/memslot/v1/agent_service_pb.js";
export * from "./gen/memslot/v1/filter_pb.js";
export * from "./gen/memslot/v1/namespace_service_pb.js";
export * from "./gen/memslot/v1/slot_pb.js";
export * from "./gen/memslot/v1/slot_service_pb.js";
export * as errorDetails from "./gen/google/rpc/error_details_pb.js";
export { StatusSchema } from "./gen/google/rpc/status_pb.js";
export type { Status } from "./gen/google/rpc/status_pb.js";
