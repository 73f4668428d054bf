/**
 * The client of memslot: memory outside the prompt, in named slots.
 *
 *     import { connect } from "@memslot/client";
 *
 *     const memory = connect({ namespace: "acme/support/task-42" });
 *     await memory.write("customer", { name: "Ada" });
 *     const customer = await memory.read("customer");
 *     memory.close();
 */

export { connect } from "./connect.js";
export type { ConnectOptions } from "./connect.js";
export { Memory } from "./memory.js";
export { Batch } from "./batch.js";
export { Task } from "./tasks.js";
export type { TaskOptions } from "./tasks.js";
export { Namespaces, NamespaceInfo } from "./namespaces.js";
export type { NamespaceChanges, NamespaceInfoFields, NamespaceSettings } from "./namespaces.js";
export { namespace, splitNamespace } from "./names.js";
export * as where from "./where.js";
export type { Attribute, Condition } from "./where.js";

export type { CallOptions, MutationOptions, TraceSource } from "./binding.js";
export type { TlsOptions, TokenSource } from "./credentials.js";
export type { Conditions, Expiry } from "./encode.js";
export type { WriteDetails, WriteOptions } from "./writing.js";
export type { DescribeOptions, ForgetDetails, ForgetOptions, InfoChanges } from "./reading.js";
export type { ForgetMatchingOptions, LookupOptions, LookupPageOptions, LookupQuery, Order } from "./many.js";
export type { SearchOptions } from "./searching.js";
export type { UpdateOptions } from "./updating.js";

export * from "./results.js";
export type { Shown } from "./shown.js";
export { Acted, Action } from "./acting.js";
export type { ActionFields, ActionOutcome, ActOptions, InjectedSlot, Language, Message, Reject } from "./acting.js";
export type { Span } from "./spans.js";
export { Injection, PromptCard } from "./prompts.js";
export type { InjectedOptions, InjectOptions, LeftOut, PromptCardFields, PromptCardOptions } from "./prompts.js";
export type { ScrubOptions, ToolForm, ToolSchemasOptions } from "./prompts.js";
export { TokenReport, TurnAccount } from "./accounting.js";
export type { Amount, RecordTurnOptions, SavingProblem, TokenReportFields, TokenReportOptions } from "./accounting.js";
export type { TurnAccountFields } from "./accounting.js";
export type { Usage } from "./usage.js";
export { Inspection } from "./inspecting.js";
export type { InspectionFields, InspectPromptOptions, PromptFinding } from "./inspecting.js";
export { Diagnosis } from "./diagnosing.js";
export type { DiagnosedStep, DiagnoseOptions, DiagnosisFields, DiagnosisFinding } from "./diagnosing.js";
export type { StepVerdict, TurnStep } from "./diagnosing.js";
export { ServerInfo, Stats } from "./admin.js";
export type { ServerInfoFields, StatsFields } from "./admin.js";

export { parseJson, spellJson } from "./json.js";
export type { JsonValue } from "./json.js";
export type { Storable, Value } from "./values.js";

export * from "./errors.js";
