/** A gRPC channel that speaks protobuf-es messages. */

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethodServerStreaming, DescMethodUnary, MessageShape } from "@bufbuild/protobuf";
import { Client, connectivityState } from "@grpc/grpc-js";
import type { ChannelCredentials, ChannelOptions, ClientReadableStream, ClientUnaryCall } from "@grpc/grpc-js";
import type { Metadata, ServiceError } from "@grpc/grpc-js";

import { closed, closedUnderWay } from "./closing.js";
import type { MemslotError } from "./errors.js";
import { SERVICE_CONFIG } from "./service-config.js";
import { onAbort, unlessAborted } from "./signals.js";
import { rpcError, unreachable } from "./status.js";
import { unknownHost } from "./target.js";
import type { UnknownHost } from "./target.js";

const HELD_MS = 1_000_000;
/** A deadline that is further off when a call ends was another's, such as a proxy's. */
const TIMERS_DIFFER_MS = 50;

/** Where a channel leads and what it carries. Without `waitForReady` a call fails at once when nobody listens. */
export interface ChannelConfig {
  readonly target: string;
  readonly credentials: ChannelCredentials;
  readonly messageLimitBytes: number;
  readonly waitForReady: boolean;
  readonly options: ChannelOptions;
}

/** What goes beside a request. `deadline` is in milliseconds of the system's clock, Infinity for none. */
export interface Sent {
  readonly metadata: Metadata;
  readonly timeoutMs: number;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

type AnyMethod<I extends DescMessage, O extends DescMessage> = DescMethodUnary<I, O> | DescMethodServerStreaming<I, O>;

/** Performs calls; nothing is connected before the first. */
export class Channel {
  readonly #config: ChannelConfig;
  readonly #client: Client;
  readonly #active = new Set<ClientUnaryCall | ClientReadableStream<unknown>>();
  #connected = false;
  #closed = false;

  constructor(config: ChannelConfig) {
    this.#config = config;
    this.#client = new Client(config.target, config.credentials, channelOptions(config));
  }

  /**
   * Calls a unary RPC. Throws MemslotError, ClientClosed among them, Unreachable only if no connection was ever made, so that nothing was sent; the signal's reason
   * when it was aborted before anything was sent, and TypeError for a request that is no message.
   */
  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageShape<I>,
    sent: Sent,
  ): Promise<MessageShape<O>> {
    const bytes = serialized(method, request);
    if (!this.#connected || sent.signal !== undefined) await this.#begin(sent);
    this.#mustBeOpen();
    let failure: ServiceError;
    try {
      return await this.#ask(method, bytes, sent);
    } catch (error) {
      failure = error as ServiceError;
    }
    // Made here, where the stack leads to the caller.
    throw this.#told(failure, sent);
  }

  /** Calls a server-streaming RPC, when the first message is asked for. Throws as {@link Channel.unary}. */
  async *stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageShape<I>,
    sent: Sent,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    const bytes = serialized(method, request);
    await this.#begin(sent);
    const call = this.#client.makeServerStreamRequest(pathOf(method), identity, parser(method), bytes, sent.metadata, {
      deadline: sent.deadline,
    });
    const leave = this.#entered(call, sent.signal);
    try {
      for await (const message of call) yield message as MessageShape<O>;
    } catch (error) {
      throw this.#told(error as ServiceError, sent);
    } finally {
      leave();
      call.cancel();
    }
  }

  /** Closes the connection; calls under way are cancelled. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const call of this.#active) call.cancel();
    this.#client.close();
  }

  #told(failure: ServiceError, { timeoutMs, deadline }: Sent): MemslotError {
    const error = rpcError(failure, deadline - Date.now() < TIMERS_DIFFER_MS ? timeoutMs : undefined);
    return this.#closed && error.code === "CANCELLED" && error.reason === "" ? closedUnderWay() : error;
  }

  #ask<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    bytes: Buffer,
    sent: Sent,
  ): Promise<MessageShape<O>> {
    return new Promise((resolve, reject) => {
      const call = this.#client.makeUnaryRequest<Buffer, MessageShape<O>>(
        pathOf(method),
        identity,
        parser(method),
        bytes,
        sent.metadata,
        { deadline: sent.deadline },
        (error, reply) => {
          leave();
          if (reply !== undefined) resolve(reply);
          else reject(error ?? closed());
        },
      );
      const leave = this.#entered(call, sent.signal);
    });
  }

  #entered(call: ClientUnaryCall | ClientReadableStream<unknown>, signal: AbortSignal | undefined): () => void {
    const cancel = (): void => {
      call.cancel();
    };
    this.#active.add(call);
    // It may have been aborted since it was looked at.
    if (signal?.aborted === true) cancel();
    const leave = signal === undefined ? undefined : onAbort(signal, cancel);
    return () => {
      this.#active.delete(call);
      leave?.();
    };
  }

  async #begin(sent: Sent): Promise<void> {
    this.#mustBeOpen();
    sent.signal?.throwIfAborted();
    if (this.#connected) return;
    // grpc-js lets a process end that only waits for a connection.
    const held = setInterval(() => undefined, HELD_MS);
    try {
      await unlessAborted(this.#settle(sent.deadline), sent.signal);
    } finally {
      clearInterval(held);
    }
    this.#connected = true;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw closed();
  }

  /** Waits for the first connection. From then on a failure may hide a request that arrived; before, it cannot. */
  async #settle(deadline: number): Promise<void> {
    const { target, waitForReady } = this.#config;
    const channel = this.#client.getChannel();
    let unknown: UnknownHost | undefined;
    for (;;) {
      this.#mustBeOpen();
      const state = channel.getConnectivityState(true);
      if (state === connectivityState.READY) return;
      if (state === connectivityState.TRANSIENT_FAILURE) {
        unknown = await unknownHost(target, deadline);
        this.#mustBeOpen();
        if (!waitForReady) throw unreachable(target, "connection refused or lost", unknown);
      }
      const late = await new Promise<boolean>((resolve) => {
        channel.watchConnectivityState(state, deadline, (error) => {
          resolve(error !== undefined);
        });
      });
      if (late) throw unreachable(target, "timed out", unknown);
    }
  }
}

function channelOptions(config: ChannelConfig): ChannelOptions {
  return {
    "grpc.service_config": JSON.stringify(SERVICE_CONFIG),
    "grpc.service_config_disable_resolution": 1,
    "grpc.max_send_message_length": config.messageLimitBytes,
    "grpc.max_receive_message_length": config.messageLimitBytes,
    // A request can be repeated only as long as it is kept; by default those above 1 MiB are not.
    "grpc.per_rpc_retry_buffer_size": config.messageLimitBytes + 1024,
    "grpc.retry_buffer_size": 16 * (config.messageLimitBytes + 1024),
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 5000,
    "grpc.enable_http_proxy": 0,
    "grpc.enable_channelz": 0,
    "grpc.use_local_subchannel_pool": 1,
    ...(config.target.startsWith("unix:") ? { "grpc.default_authority": "localhost" } : {}),
    ...config.options,
  };
}

const parsers = new WeakMap<DescMessage, (bytes: Buffer) => unknown>();

function parser<I extends DescMessage, O extends DescMessage>(
  method: AnyMethod<I, O>,
): (bytes: Buffer) => MessageShape<O> {
  let found = parsers.get(method.output);
  if (found === undefined) {
    found = (bytes: Buffer) => fromBinary(method.output, bytes);
    parsers.set(method.output, found);
  }
  return found as (bytes: Buffer) => MessageShape<O>;
}

/** gRPC would report a request that is no message as if the server had failed, so it is made bytes before. */
function serialized<I extends DescMessage, O extends DescMessage>(
  method: AnyMethod<I, O>,
  request: MessageShape<I>,
): Buffer {
  try {
    const bytes = toBinary(method.input, request);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch (error) {
    // What follows the field's name in protobuf-es's message may be its value, so that it is no cause of this one.
    const [, field = method.input.name] = /cannot encode field (\S+) to binary/.exec(String(error)) ?? [];
    // eslint-disable-next-line preserve-caught-error
    throw new TypeError(`${field} has a value of another type than the contract says`);
  }
}

function pathOf<I extends DescMessage, O extends DescMessage>(method: AnyMethod<I, O>): string {
  return `/${method.parent.typeName}/${method.name}`;
}

function identity(bytes: Buffer): Buffer {
  return bytes;
}
