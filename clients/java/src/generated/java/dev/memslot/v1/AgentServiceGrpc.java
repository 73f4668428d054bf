package dev.memslot.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * The edge to the model: its raw output in, receipts out, and every token accounted for.
 * Positions and sizes in characters are Unicode code points. Texts for a model come in English or Chinese.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class AgentServiceGrpc {

  private AgentServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "memslot.v1.AgentService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ActRequest,
      dev.memslot.v1.ActResponse> getActMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Act",
      requestType = dev.memslot.v1.ActRequest.class,
      responseType = dev.memslot.v1.ActResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ActRequest,
      dev.memslot.v1.ActResponse> getActMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ActRequest, dev.memslot.v1.ActResponse> getActMethod;
    if ((getActMethod = AgentServiceGrpc.getActMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getActMethod = AgentServiceGrpc.getActMethod) == null) {
          AgentServiceGrpc.getActMethod = getActMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ActRequest, dev.memslot.v1.ActResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Act"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ActRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ActResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("Act"))
              .build();
        }
      }
    }
    return getActMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.GetToolSchemasRequest,
      dev.memslot.v1.GetToolSchemasResponse> getGetToolSchemasMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetToolSchemas",
      requestType = dev.memslot.v1.GetToolSchemasRequest.class,
      responseType = dev.memslot.v1.GetToolSchemasResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.GetToolSchemasRequest,
      dev.memslot.v1.GetToolSchemasResponse> getGetToolSchemasMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.GetToolSchemasRequest, dev.memslot.v1.GetToolSchemasResponse> getGetToolSchemasMethod;
    if ((getGetToolSchemasMethod = AgentServiceGrpc.getGetToolSchemasMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getGetToolSchemasMethod = AgentServiceGrpc.getGetToolSchemasMethod) == null) {
          AgentServiceGrpc.getGetToolSchemasMethod = getGetToolSchemasMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.GetToolSchemasRequest, dev.memslot.v1.GetToolSchemasResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetToolSchemas"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetToolSchemasRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetToolSchemasResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("GetToolSchemas"))
              .build();
        }
      }
    }
    return getGetToolSchemasMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.GetPromptCardRequest,
      dev.memslot.v1.GetPromptCardResponse> getGetPromptCardMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetPromptCard",
      requestType = dev.memslot.v1.GetPromptCardRequest.class,
      responseType = dev.memslot.v1.GetPromptCardResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.GetPromptCardRequest,
      dev.memslot.v1.GetPromptCardResponse> getGetPromptCardMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.GetPromptCardRequest, dev.memslot.v1.GetPromptCardResponse> getGetPromptCardMethod;
    if ((getGetPromptCardMethod = AgentServiceGrpc.getGetPromptCardMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getGetPromptCardMethod = AgentServiceGrpc.getGetPromptCardMethod) == null) {
          AgentServiceGrpc.getGetPromptCardMethod = getGetPromptCardMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.GetPromptCardRequest, dev.memslot.v1.GetPromptCardResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetPromptCard"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetPromptCardRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetPromptCardResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("GetPromptCard"))
              .build();
        }
      }
    }
    return getGetPromptCardMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.InjectRequest,
      dev.memslot.v1.InjectResponse> getInjectMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Inject",
      requestType = dev.memslot.v1.InjectRequest.class,
      responseType = dev.memslot.v1.InjectResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.InjectRequest,
      dev.memslot.v1.InjectResponse> getInjectMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.InjectRequest, dev.memslot.v1.InjectResponse> getInjectMethod;
    if ((getInjectMethod = AgentServiceGrpc.getInjectMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getInjectMethod = AgentServiceGrpc.getInjectMethod) == null) {
          AgentServiceGrpc.getInjectMethod = getInjectMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.InjectRequest, dev.memslot.v1.InjectResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Inject"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.InjectRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.InjectResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("Inject"))
              .build();
        }
      }
    }
    return getInjectMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ScrubRequest,
      dev.memslot.v1.ScrubResponse> getScrubMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Scrub",
      requestType = dev.memslot.v1.ScrubRequest.class,
      responseType = dev.memslot.v1.ScrubResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ScrubRequest,
      dev.memslot.v1.ScrubResponse> getScrubMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ScrubRequest, dev.memslot.v1.ScrubResponse> getScrubMethod;
    if ((getScrubMethod = AgentServiceGrpc.getScrubMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getScrubMethod = AgentServiceGrpc.getScrubMethod) == null) {
          AgentServiceGrpc.getScrubMethod = getScrubMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ScrubRequest, dev.memslot.v1.ScrubResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Scrub"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ScrubRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ScrubResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("Scrub"))
              .build();
        }
      }
    }
    return getScrubMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.RecordTurnRequest,
      dev.memslot.v1.RecordTurnResponse> getRecordTurnMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RecordTurn",
      requestType = dev.memslot.v1.RecordTurnRequest.class,
      responseType = dev.memslot.v1.RecordTurnResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.RecordTurnRequest,
      dev.memslot.v1.RecordTurnResponse> getRecordTurnMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.RecordTurnRequest, dev.memslot.v1.RecordTurnResponse> getRecordTurnMethod;
    if ((getRecordTurnMethod = AgentServiceGrpc.getRecordTurnMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getRecordTurnMethod = AgentServiceGrpc.getRecordTurnMethod) == null) {
          AgentServiceGrpc.getRecordTurnMethod = getRecordTurnMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.RecordTurnRequest, dev.memslot.v1.RecordTurnResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RecordTurn"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.RecordTurnRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.RecordTurnResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("RecordTurn"))
              .build();
        }
      }
    }
    return getRecordTurnMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.GetTokenReportRequest,
      dev.memslot.v1.GetTokenReportResponse> getGetTokenReportMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetTokenReport",
      requestType = dev.memslot.v1.GetTokenReportRequest.class,
      responseType = dev.memslot.v1.GetTokenReportResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.GetTokenReportRequest,
      dev.memslot.v1.GetTokenReportResponse> getGetTokenReportMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.GetTokenReportRequest, dev.memslot.v1.GetTokenReportResponse> getGetTokenReportMethod;
    if ((getGetTokenReportMethod = AgentServiceGrpc.getGetTokenReportMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getGetTokenReportMethod = AgentServiceGrpc.getGetTokenReportMethod) == null) {
          AgentServiceGrpc.getGetTokenReportMethod = getGetTokenReportMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.GetTokenReportRequest, dev.memslot.v1.GetTokenReportResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetTokenReport"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetTokenReportRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetTokenReportResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("GetTokenReport"))
              .build();
        }
      }
    }
    return getGetTokenReportMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.InspectPromptRequest,
      dev.memslot.v1.InspectPromptResponse> getInspectPromptMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "InspectPrompt",
      requestType = dev.memslot.v1.InspectPromptRequest.class,
      responseType = dev.memslot.v1.InspectPromptResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.InspectPromptRequest,
      dev.memslot.v1.InspectPromptResponse> getInspectPromptMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.InspectPromptRequest, dev.memslot.v1.InspectPromptResponse> getInspectPromptMethod;
    if ((getInspectPromptMethod = AgentServiceGrpc.getInspectPromptMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getInspectPromptMethod = AgentServiceGrpc.getInspectPromptMethod) == null) {
          AgentServiceGrpc.getInspectPromptMethod = getInspectPromptMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.InspectPromptRequest, dev.memslot.v1.InspectPromptResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "InspectPrompt"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.InspectPromptRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.InspectPromptResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("InspectPrompt"))
              .build();
        }
      }
    }
    return getInspectPromptMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.DiagnoseTurnRequest,
      dev.memslot.v1.DiagnoseTurnResponse> getDiagnoseTurnMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DiagnoseTurn",
      requestType = dev.memslot.v1.DiagnoseTurnRequest.class,
      responseType = dev.memslot.v1.DiagnoseTurnResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.DiagnoseTurnRequest,
      dev.memslot.v1.DiagnoseTurnResponse> getDiagnoseTurnMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.DiagnoseTurnRequest, dev.memslot.v1.DiagnoseTurnResponse> getDiagnoseTurnMethod;
    if ((getDiagnoseTurnMethod = AgentServiceGrpc.getDiagnoseTurnMethod) == null) {
      synchronized (AgentServiceGrpc.class) {
        if ((getDiagnoseTurnMethod = AgentServiceGrpc.getDiagnoseTurnMethod) == null) {
          AgentServiceGrpc.getDiagnoseTurnMethod = getDiagnoseTurnMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.DiagnoseTurnRequest, dev.memslot.v1.DiagnoseTurnResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DiagnoseTurn"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.DiagnoseTurnRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.DiagnoseTurnResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AgentServiceMethodDescriptorSupplier("DiagnoseTurn"))
              .build();
        }
      }
    }
    return getDiagnoseTurnMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static AgentServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AgentServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AgentServiceStub>() {
        @java.lang.Override
        public AgentServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AgentServiceStub(channel, callOptions);
        }
      };
    return AgentServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static AgentServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AgentServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AgentServiceBlockingV2Stub>() {
        @java.lang.Override
        public AgentServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AgentServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return AgentServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static AgentServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AgentServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AgentServiceBlockingStub>() {
        @java.lang.Override
        public AgentServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AgentServiceBlockingStub(channel, callOptions);
        }
      };
    return AgentServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static AgentServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AgentServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AgentServiceFutureStub>() {
        @java.lang.Override
        public AgentServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AgentServiceFutureStub(channel, callOptions);
        }
      };
    return AgentServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * The edge to the model: its raw output in, receipts out, and every token accounted for.
   * Positions and sizes in characters are Unicode code points. Texts for a model come in English or Chinese.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Finds the memory actions in a model's raw output, executes them one after the other, and answers each with a line without any
     * body. Each is executed as the method of SlotService that does the same, and leaves an audit event of its own besides that of the
     * Act. An action that fails is REFUSED or NOT_FOUND in `actions`, and those after it are executed all the same.
     * A text is stored as text/plain, any other JSON value as application/json with every digit kept; its origin is MODEL.
     * - `mem_write` (`slot`, `value`) replaces. `mem_append` (`slot`, `value`) puts a text behind a text, with nothing between them; onto a
     *   JSON array it puts the value as an item, or the items of an array; where there is no slot it makes a text, or an array.
     *   `mem_patch` (`slot`, `value`) is a merge patch (RFC 7396) of a JSON body; a text is a patch only when it is a JSON object. All three
     *   also take `description`, `tags` (a list of texts), `importance` (0 to 1) and `ttl` (seconds, `24h`, `7d`, or `never`).
     * - `mem_read` (`slot`), `mem_forget` (`slot`), `mem_lookup` (`name_prefix`, `limit`), `mem_search` (`query`, `limit`). A limit is 20
     *   unless given, and 100 at most; a query has at most 8192 bytes. In a namespace that keeps no index of words, `mem_search` looks for the words of the query in the
     *   names, descriptions and tags of the 1000 slots that rank highest.
     * - null is "not given", except as a value. Any other argument, or one of another type, is REFUSED.
     * - At most 1000 actions of one output are executed, and no more than the reply has room for: the others are one reject,
     *   TOO_MANY_ACTIONS. A body that does not fit into the reply is REFUSED with REPLY_BUDGET.
     * With a `request_id` each action that changes something is executed once, however often the same request is sent; it then answers with the same
     * receipt. Reads, lookups and searches are done anew.
     * Errors: INVALID_ARGUMENT (REQUEST_ID_REUSED: the id came with another output before).
     * </pre>
     */
    default void act(dev.memslot.v1.ActRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ActResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getActMethod(), responseObserver);
    }

    /**
     * <pre>
     * Tells the actions as the tools of a hosted API. Whatever arguments a schema offers, Act takes.
     * Errors: INVALID_ARGUMENT (an unknown action).
     * </pre>
     */
    default void getToolSchemas(dev.memslot.v1.GetToolSchemasRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetToolSchemasResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetToolSchemasMethod(), responseObserver);
    }

    /**
     * <pre>
     * Tells how to use memory, and which slots there are: a text for the system prompt, which stays byte for byte the same until it is
     * renewed, so that a provider's prompt cache holds. What changed since is told in a short `tail`. Slots stand there by rank, with their
     * descriptions, each on one line and in quotes; no name is cut, and those that do not fit are counted. A server keeps the cards of
     * the 1024 conversations that asked last (or 16 MiB of them), and none over a restart: `renewed` tells that a card was made anew.
     * A slot that is forgotten goes on standing in cards that were made before, and in their tails as gone.
     * Errors: INVALID_ARGUMENT (`max_chars` or `max_tokens` too small for the instructions, an unknown counter).
     * </pre>
     */
    default void getPromptCard(dev.memslot.v1.GetPromptCardRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetPromptCardResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetPromptCardMethod(), responseObserver);
    }

    /**
     * <pre>
     * Shows bodies as text for the tail of one prompt, each between delimiters with an id of their own: `[memslot begin "ID" ...]` and
     * `[memslot end "ID"]`. What looks like a delimiter in a body gets a backslash behind its bracket; otherwise bodies stay as they
     * are. A body that does not fit, or is no text, is shown by its summary where one is at hand that fits; one that is too long leaves room for those
     * after it. What is shown is booked with the turn; each body shown is an access. A name given twice is shown once.
     * Errors: INVALID_ARGUMENT (none or too many names, an unknown counter). What cannot be shown is in `left_out`, not an error.
     * </pre>
     */
    default void inject(dev.memslot.v1.InjectRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.InjectResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getInjectMethod(), responseObserver);
    }

    /**
     * <pre>
     * Takes injections out of a text or a message history, also where they were escaped as JSON in the meantime, once or more often.
     * To scrub again changes nothing. Injections that are torn (cut off in the middle) are none, and stay: InspectPrompt finds them.
     * Errors: INVALID_ARGUMENT (INVALID_BODY: `messages_json` is no JSON array, or nested deeper than 100 levels).
     * </pre>
     */
    default void scrub(dev.memslot.v1.ScrubRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ScrubResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getScrubMethod(), responseObserver);
    }

    /**
     * <pre>
     * Books one call of the model: how large its prompt and output were, what of the prompt is memslot's (card and schemas, receipts,
     * injections, bodies that came back), and what the prompt would be with all live bodies in it. Sizes alone are kept, with the turn.
     * Of `messages_json` the texts are counted, roles and ids included, and not what holds them together. Receipts are told by their length
     * and the slot that they name, as Act noted them for turns of the same conversation. Tokens of `actions` are those of so many characters
     * of the output. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no turn, no prompt, two prompts, a card that the prompt does not hold, an unknown counter, a
     * usage below 0 or above 10^12).
     * </pre>
     */
    default void recordTurn(dev.memslot.v1.RecordTurnRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.RecordTurnResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRecordTurnMethod(), responseObserver);
    }

    /**
     * <pre>
     * Adds up the latest recorded turns, oldest first, and says whether memory outside the prompt pays, and what is in the way.
     * `saved` is `inlined` less `prompt` and `actions`. A bound on how many turns are kept is the server's setting.
     * Errors: INVALID_ARGUMENT (a negative limit).
     * </pre>
     */
    default void getTokenReport(dev.memslot.v1.GetTokenReportRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetTokenReportResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetTokenReportMethod(), responseObserver);
    }

    /**
     * <pre>
     * Finds in a prompt whatever a stored body says: each part of at least 40 characters of a body (its white space counted, at least 28
     * of them not white space), and each whole body of at least 12 characters (8 of them not white space) that is too short for that. Nothing else
     * is found. White space may have been put in, taken out and changed; JSON's escapes are undone once and twice, Markdown's `&gt; ` before
     * lines is passed over. A JSON body is also found with the escapes in its strings undone. Upper and lower case are different; a JSON body
     * whose keys were put in another order is found by its parts. Bodies that are no UTF-8 text are not looked for, nor are summaries.
     * What was answered before the call is compared as it is now; what is forgotten or expired is not. Bodies that are looked through
     * count as no access. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no prompt, two prompts, `messages_json` is no JSON array or too deep, an unknown counter).
     * </pre>
     */
    default void inspectPrompt(dev.memslot.v1.InspectPromptRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.InspectPromptResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getInspectPromptMethod(), responseObserver);
    }

    /**
     * <pre>
     * Walks the five steps of a turn (output, parse, store, next prompt, tokens), says how each went, and which broke first. It stands on what
     * Act, GetPromptCard, Inject, InspectPrompt and RecordTurn noted of the conversation's turns, on the change feed, and on what the request
     * brings besides. No body is quoted.
     * Errors: NOT_FOUND (TURN_NOT_FOUND: nothing is known of it, and the request brings nothing), INVALID_ARGUMENT (INVALID_BODY: `prompt`
     * starts as an array and is no JSON).
     * </pre>
     */
    default void diagnoseTurn(dev.memslot.v1.DiagnoseTurnRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.DiagnoseTurnResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDiagnoseTurnMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service AgentService.
   * <pre>
   * The edge to the model: its raw output in, receipts out, and every token accounted for.
   * Positions and sizes in characters are Unicode code points. Texts for a model come in English or Chinese.
   * </pre>
   */
  public static abstract class AgentServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return AgentServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service AgentService.
   * <pre>
   * The edge to the model: its raw output in, receipts out, and every token accounted for.
   * Positions and sizes in characters are Unicode code points. Texts for a model come in English or Chinese.
   * </pre>
   */
  public static final class AgentServiceStub
      extends io.grpc.stub.AbstractAsyncStub<AgentServiceStub> {
    private AgentServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AgentServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AgentServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Finds the memory actions in a model's raw output, executes them one after the other, and answers each with a line without any
     * body. Each is executed as the method of SlotService that does the same, and leaves an audit event of its own besides that of the
     * Act. An action that fails is REFUSED or NOT_FOUND in `actions`, and those after it are executed all the same.
     * A text is stored as text/plain, any other JSON value as application/json with every digit kept; its origin is MODEL.
     * - `mem_write` (`slot`, `value`) replaces. `mem_append` (`slot`, `value`) puts a text behind a text, with nothing between them; onto a
     *   JSON array it puts the value as an item, or the items of an array; where there is no slot it makes a text, or an array.
     *   `mem_patch` (`slot`, `value`) is a merge patch (RFC 7396) of a JSON body; a text is a patch only when it is a JSON object. All three
     *   also take `description`, `tags` (a list of texts), `importance` (0 to 1) and `ttl` (seconds, `24h`, `7d`, or `never`).
     * - `mem_read` (`slot`), `mem_forget` (`slot`), `mem_lookup` (`name_prefix`, `limit`), `mem_search` (`query`, `limit`). A limit is 20
     *   unless given, and 100 at most; a query has at most 8192 bytes. In a namespace that keeps no index of words, `mem_search` looks for the words of the query in the
     *   names, descriptions and tags of the 1000 slots that rank highest.
     * - null is "not given", except as a value. Any other argument, or one of another type, is REFUSED.
     * - At most 1000 actions of one output are executed, and no more than the reply has room for: the others are one reject,
     *   TOO_MANY_ACTIONS. A body that does not fit into the reply is REFUSED with REPLY_BUDGET.
     * With a `request_id` each action that changes something is executed once, however often the same request is sent; it then answers with the same
     * receipt. Reads, lookups and searches are done anew.
     * Errors: INVALID_ARGUMENT (REQUEST_ID_REUSED: the id came with another output before).
     * </pre>
     */
    public void act(dev.memslot.v1.ActRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ActResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getActMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Tells the actions as the tools of a hosted API. Whatever arguments a schema offers, Act takes.
     * Errors: INVALID_ARGUMENT (an unknown action).
     * </pre>
     */
    public void getToolSchemas(dev.memslot.v1.GetToolSchemasRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetToolSchemasResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetToolSchemasMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Tells how to use memory, and which slots there are: a text for the system prompt, which stays byte for byte the same until it is
     * renewed, so that a provider's prompt cache holds. What changed since is told in a short `tail`. Slots stand there by rank, with their
     * descriptions, each on one line and in quotes; no name is cut, and those that do not fit are counted. A server keeps the cards of
     * the 1024 conversations that asked last (or 16 MiB of them), and none over a restart: `renewed` tells that a card was made anew.
     * A slot that is forgotten goes on standing in cards that were made before, and in their tails as gone.
     * Errors: INVALID_ARGUMENT (`max_chars` or `max_tokens` too small for the instructions, an unknown counter).
     * </pre>
     */
    public void getPromptCard(dev.memslot.v1.GetPromptCardRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetPromptCardResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetPromptCardMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Shows bodies as text for the tail of one prompt, each between delimiters with an id of their own: `[memslot begin "ID" ...]` and
     * `[memslot end "ID"]`. What looks like a delimiter in a body gets a backslash behind its bracket; otherwise bodies stay as they
     * are. A body that does not fit, or is no text, is shown by its summary where one is at hand that fits; one that is too long leaves room for those
     * after it. What is shown is booked with the turn; each body shown is an access. A name given twice is shown once.
     * Errors: INVALID_ARGUMENT (none or too many names, an unknown counter). What cannot be shown is in `left_out`, not an error.
     * </pre>
     */
    public void inject(dev.memslot.v1.InjectRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.InjectResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getInjectMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Takes injections out of a text or a message history, also where they were escaped as JSON in the meantime, once or more often.
     * To scrub again changes nothing. Injections that are torn (cut off in the middle) are none, and stay: InspectPrompt finds them.
     * Errors: INVALID_ARGUMENT (INVALID_BODY: `messages_json` is no JSON array, or nested deeper than 100 levels).
     * </pre>
     */
    public void scrub(dev.memslot.v1.ScrubRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ScrubResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getScrubMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Books one call of the model: how large its prompt and output were, what of the prompt is memslot's (card and schemas, receipts,
     * injections, bodies that came back), and what the prompt would be with all live bodies in it. Sizes alone are kept, with the turn.
     * Of `messages_json` the texts are counted, roles and ids included, and not what holds them together. Receipts are told by their length
     * and the slot that they name, as Act noted them for turns of the same conversation. Tokens of `actions` are those of so many characters
     * of the output. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no turn, no prompt, two prompts, a card that the prompt does not hold, an unknown counter, a
     * usage below 0 or above 10^12).
     * </pre>
     */
    public void recordTurn(dev.memslot.v1.RecordTurnRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.RecordTurnResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRecordTurnMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Adds up the latest recorded turns, oldest first, and says whether memory outside the prompt pays, and what is in the way.
     * `saved` is `inlined` less `prompt` and `actions`. A bound on how many turns are kept is the server's setting.
     * Errors: INVALID_ARGUMENT (a negative limit).
     * </pre>
     */
    public void getTokenReport(dev.memslot.v1.GetTokenReportRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetTokenReportResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetTokenReportMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Finds in a prompt whatever a stored body says: each part of at least 40 characters of a body (its white space counted, at least 28
     * of them not white space), and each whole body of at least 12 characters (8 of them not white space) that is too short for that. Nothing else
     * is found. White space may have been put in, taken out and changed; JSON's escapes are undone once and twice, Markdown's `&gt; ` before
     * lines is passed over. A JSON body is also found with the escapes in its strings undone. Upper and lower case are different; a JSON body
     * whose keys were put in another order is found by its parts. Bodies that are no UTF-8 text are not looked for, nor are summaries.
     * What was answered before the call is compared as it is now; what is forgotten or expired is not. Bodies that are looked through
     * count as no access. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no prompt, two prompts, `messages_json` is no JSON array or too deep, an unknown counter).
     * </pre>
     */
    public void inspectPrompt(dev.memslot.v1.InspectPromptRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.InspectPromptResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getInspectPromptMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Walks the five steps of a turn (output, parse, store, next prompt, tokens), says how each went, and which broke first. It stands on what
     * Act, GetPromptCard, Inject, InspectPrompt and RecordTurn noted of the conversation's turns, on the change feed, and on what the request
     * brings besides. No body is quoted.
     * Errors: NOT_FOUND (TURN_NOT_FOUND: nothing is known of it, and the request brings nothing), INVALID_ARGUMENT (INVALID_BODY: `prompt`
     * starts as an array and is no JSON).
     * </pre>
     */
    public void diagnoseTurn(dev.memslot.v1.DiagnoseTurnRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.DiagnoseTurnResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDiagnoseTurnMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service AgentService.
   * <pre>
   * The edge to the model: its raw output in, receipts out, and every token accounted for.
   * Positions and sizes in characters are Unicode code points. Texts for a model come in English or Chinese.
   * </pre>
   */
  public static final class AgentServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<AgentServiceBlockingV2Stub> {
    private AgentServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AgentServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AgentServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Finds the memory actions in a model's raw output, executes them one after the other, and answers each with a line without any
     * body. Each is executed as the method of SlotService that does the same, and leaves an audit event of its own besides that of the
     * Act. An action that fails is REFUSED or NOT_FOUND in `actions`, and those after it are executed all the same.
     * A text is stored as text/plain, any other JSON value as application/json with every digit kept; its origin is MODEL.
     * - `mem_write` (`slot`, `value`) replaces. `mem_append` (`slot`, `value`) puts a text behind a text, with nothing between them; onto a
     *   JSON array it puts the value as an item, or the items of an array; where there is no slot it makes a text, or an array.
     *   `mem_patch` (`slot`, `value`) is a merge patch (RFC 7396) of a JSON body; a text is a patch only when it is a JSON object. All three
     *   also take `description`, `tags` (a list of texts), `importance` (0 to 1) and `ttl` (seconds, `24h`, `7d`, or `never`).
     * - `mem_read` (`slot`), `mem_forget` (`slot`), `mem_lookup` (`name_prefix`, `limit`), `mem_search` (`query`, `limit`). A limit is 20
     *   unless given, and 100 at most; a query has at most 8192 bytes. In a namespace that keeps no index of words, `mem_search` looks for the words of the query in the
     *   names, descriptions and tags of the 1000 slots that rank highest.
     * - null is "not given", except as a value. Any other argument, or one of another type, is REFUSED.
     * - At most 1000 actions of one output are executed, and no more than the reply has room for: the others are one reject,
     *   TOO_MANY_ACTIONS. A body that does not fit into the reply is REFUSED with REPLY_BUDGET.
     * With a `request_id` each action that changes something is executed once, however often the same request is sent; it then answers with the same
     * receipt. Reads, lookups and searches are done anew.
     * Errors: INVALID_ARGUMENT (REQUEST_ID_REUSED: the id came with another output before).
     * </pre>
     */
    public dev.memslot.v1.ActResponse act(dev.memslot.v1.ActRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getActMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells the actions as the tools of a hosted API. Whatever arguments a schema offers, Act takes.
     * Errors: INVALID_ARGUMENT (an unknown action).
     * </pre>
     */
    public dev.memslot.v1.GetToolSchemasResponse getToolSchemas(dev.memslot.v1.GetToolSchemasRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetToolSchemasMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells how to use memory, and which slots there are: a text for the system prompt, which stays byte for byte the same until it is
     * renewed, so that a provider's prompt cache holds. What changed since is told in a short `tail`. Slots stand there by rank, with their
     * descriptions, each on one line and in quotes; no name is cut, and those that do not fit are counted. A server keeps the cards of
     * the 1024 conversations that asked last (or 16 MiB of them), and none over a restart: `renewed` tells that a card was made anew.
     * A slot that is forgotten goes on standing in cards that were made before, and in their tails as gone.
     * Errors: INVALID_ARGUMENT (`max_chars` or `max_tokens` too small for the instructions, an unknown counter).
     * </pre>
     */
    public dev.memslot.v1.GetPromptCardResponse getPromptCard(dev.memslot.v1.GetPromptCardRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetPromptCardMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Shows bodies as text for the tail of one prompt, each between delimiters with an id of their own: `[memslot begin "ID" ...]` and
     * `[memslot end "ID"]`. What looks like a delimiter in a body gets a backslash behind its bracket; otherwise bodies stay as they
     * are. A body that does not fit, or is no text, is shown by its summary where one is at hand that fits; one that is too long leaves room for those
     * after it. What is shown is booked with the turn; each body shown is an access. A name given twice is shown once.
     * Errors: INVALID_ARGUMENT (none or too many names, an unknown counter). What cannot be shown is in `left_out`, not an error.
     * </pre>
     */
    public dev.memslot.v1.InjectResponse inject(dev.memslot.v1.InjectRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getInjectMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Takes injections out of a text or a message history, also where they were escaped as JSON in the meantime, once or more often.
     * To scrub again changes nothing. Injections that are torn (cut off in the middle) are none, and stay: InspectPrompt finds them.
     * Errors: INVALID_ARGUMENT (INVALID_BODY: `messages_json` is no JSON array, or nested deeper than 100 levels).
     * </pre>
     */
    public dev.memslot.v1.ScrubResponse scrub(dev.memslot.v1.ScrubRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getScrubMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Books one call of the model: how large its prompt and output were, what of the prompt is memslot's (card and schemas, receipts,
     * injections, bodies that came back), and what the prompt would be with all live bodies in it. Sizes alone are kept, with the turn.
     * Of `messages_json` the texts are counted, roles and ids included, and not what holds them together. Receipts are told by their length
     * and the slot that they name, as Act noted them for turns of the same conversation. Tokens of `actions` are those of so many characters
     * of the output. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no turn, no prompt, two prompts, a card that the prompt does not hold, an unknown counter, a
     * usage below 0 or above 10^12).
     * </pre>
     */
    public dev.memslot.v1.RecordTurnResponse recordTurn(dev.memslot.v1.RecordTurnRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRecordTurnMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Adds up the latest recorded turns, oldest first, and says whether memory outside the prompt pays, and what is in the way.
     * `saved` is `inlined` less `prompt` and `actions`. A bound on how many turns are kept is the server's setting.
     * Errors: INVALID_ARGUMENT (a negative limit).
     * </pre>
     */
    public dev.memslot.v1.GetTokenReportResponse getTokenReport(dev.memslot.v1.GetTokenReportRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetTokenReportMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds in a prompt whatever a stored body says: each part of at least 40 characters of a body (its white space counted, at least 28
     * of them not white space), and each whole body of at least 12 characters (8 of them not white space) that is too short for that. Nothing else
     * is found. White space may have been put in, taken out and changed; JSON's escapes are undone once and twice, Markdown's `&gt; ` before
     * lines is passed over. A JSON body is also found with the escapes in its strings undone. Upper and lower case are different; a JSON body
     * whose keys were put in another order is found by its parts. Bodies that are no UTF-8 text are not looked for, nor are summaries.
     * What was answered before the call is compared as it is now; what is forgotten or expired is not. Bodies that are looked through
     * count as no access. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no prompt, two prompts, `messages_json` is no JSON array or too deep, an unknown counter).
     * </pre>
     */
    public dev.memslot.v1.InspectPromptResponse inspectPrompt(dev.memslot.v1.InspectPromptRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getInspectPromptMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Walks the five steps of a turn (output, parse, store, next prompt, tokens), says how each went, and which broke first. It stands on what
     * Act, GetPromptCard, Inject, InspectPrompt and RecordTurn noted of the conversation's turns, on the change feed, and on what the request
     * brings besides. No body is quoted.
     * Errors: NOT_FOUND (TURN_NOT_FOUND: nothing is known of it, and the request brings nothing), INVALID_ARGUMENT (INVALID_BODY: `prompt`
     * starts as an array and is no JSON).
     * </pre>
     */
    public dev.memslot.v1.DiagnoseTurnResponse diagnoseTurn(dev.memslot.v1.DiagnoseTurnRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDiagnoseTurnMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service AgentService.
   * <pre>
   * The edge to the model: its raw output in, receipts out, and every token accounted for.
   * Positions and sizes in characters are Unicode code points. Texts for a model come in English or Chinese.
   * </pre>
   */
  public static final class AgentServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<AgentServiceBlockingStub> {
    private AgentServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AgentServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AgentServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Finds the memory actions in a model's raw output, executes them one after the other, and answers each with a line without any
     * body. Each is executed as the method of SlotService that does the same, and leaves an audit event of its own besides that of the
     * Act. An action that fails is REFUSED or NOT_FOUND in `actions`, and those after it are executed all the same.
     * A text is stored as text/plain, any other JSON value as application/json with every digit kept; its origin is MODEL.
     * - `mem_write` (`slot`, `value`) replaces. `mem_append` (`slot`, `value`) puts a text behind a text, with nothing between them; onto a
     *   JSON array it puts the value as an item, or the items of an array; where there is no slot it makes a text, or an array.
     *   `mem_patch` (`slot`, `value`) is a merge patch (RFC 7396) of a JSON body; a text is a patch only when it is a JSON object. All three
     *   also take `description`, `tags` (a list of texts), `importance` (0 to 1) and `ttl` (seconds, `24h`, `7d`, or `never`).
     * - `mem_read` (`slot`), `mem_forget` (`slot`), `mem_lookup` (`name_prefix`, `limit`), `mem_search` (`query`, `limit`). A limit is 20
     *   unless given, and 100 at most; a query has at most 8192 bytes. In a namespace that keeps no index of words, `mem_search` looks for the words of the query in the
     *   names, descriptions and tags of the 1000 slots that rank highest.
     * - null is "not given", except as a value. Any other argument, or one of another type, is REFUSED.
     * - At most 1000 actions of one output are executed, and no more than the reply has room for: the others are one reject,
     *   TOO_MANY_ACTIONS. A body that does not fit into the reply is REFUSED with REPLY_BUDGET.
     * With a `request_id` each action that changes something is executed once, however often the same request is sent; it then answers with the same
     * receipt. Reads, lookups and searches are done anew.
     * Errors: INVALID_ARGUMENT (REQUEST_ID_REUSED: the id came with another output before).
     * </pre>
     */
    public dev.memslot.v1.ActResponse act(dev.memslot.v1.ActRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getActMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells the actions as the tools of a hosted API. Whatever arguments a schema offers, Act takes.
     * Errors: INVALID_ARGUMENT (an unknown action).
     * </pre>
     */
    public dev.memslot.v1.GetToolSchemasResponse getToolSchemas(dev.memslot.v1.GetToolSchemasRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetToolSchemasMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Tells how to use memory, and which slots there are: a text for the system prompt, which stays byte for byte the same until it is
     * renewed, so that a provider's prompt cache holds. What changed since is told in a short `tail`. Slots stand there by rank, with their
     * descriptions, each on one line and in quotes; no name is cut, and those that do not fit are counted. A server keeps the cards of
     * the 1024 conversations that asked last (or 16 MiB of them), and none over a restart: `renewed` tells that a card was made anew.
     * A slot that is forgotten goes on standing in cards that were made before, and in their tails as gone.
     * Errors: INVALID_ARGUMENT (`max_chars` or `max_tokens` too small for the instructions, an unknown counter).
     * </pre>
     */
    public dev.memslot.v1.GetPromptCardResponse getPromptCard(dev.memslot.v1.GetPromptCardRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetPromptCardMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Shows bodies as text for the tail of one prompt, each between delimiters with an id of their own: `[memslot begin "ID" ...]` and
     * `[memslot end "ID"]`. What looks like a delimiter in a body gets a backslash behind its bracket; otherwise bodies stay as they
     * are. A body that does not fit, or is no text, is shown by its summary where one is at hand that fits; one that is too long leaves room for those
     * after it. What is shown is booked with the turn; each body shown is an access. A name given twice is shown once.
     * Errors: INVALID_ARGUMENT (none or too many names, an unknown counter). What cannot be shown is in `left_out`, not an error.
     * </pre>
     */
    public dev.memslot.v1.InjectResponse inject(dev.memslot.v1.InjectRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getInjectMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Takes injections out of a text or a message history, also where they were escaped as JSON in the meantime, once or more often.
     * To scrub again changes nothing. Injections that are torn (cut off in the middle) are none, and stay: InspectPrompt finds them.
     * Errors: INVALID_ARGUMENT (INVALID_BODY: `messages_json` is no JSON array, or nested deeper than 100 levels).
     * </pre>
     */
    public dev.memslot.v1.ScrubResponse scrub(dev.memslot.v1.ScrubRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getScrubMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Books one call of the model: how large its prompt and output were, what of the prompt is memslot's (card and schemas, receipts,
     * injections, bodies that came back), and what the prompt would be with all live bodies in it. Sizes alone are kept, with the turn.
     * Of `messages_json` the texts are counted, roles and ids included, and not what holds them together. Receipts are told by their length
     * and the slot that they name, as Act noted them for turns of the same conversation. Tokens of `actions` are those of so many characters
     * of the output. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no turn, no prompt, two prompts, a card that the prompt does not hold, an unknown counter, a
     * usage below 0 or above 10^12).
     * </pre>
     */
    public dev.memslot.v1.RecordTurnResponse recordTurn(dev.memslot.v1.RecordTurnRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRecordTurnMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Adds up the latest recorded turns, oldest first, and says whether memory outside the prompt pays, and what is in the way.
     * `saved` is `inlined` less `prompt` and `actions`. A bound on how many turns are kept is the server's setting.
     * Errors: INVALID_ARGUMENT (a negative limit).
     * </pre>
     */
    public dev.memslot.v1.GetTokenReportResponse getTokenReport(dev.memslot.v1.GetTokenReportRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetTokenReportMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds in a prompt whatever a stored body says: each part of at least 40 characters of a body (its white space counted, at least 28
     * of them not white space), and each whole body of at least 12 characters (8 of them not white space) that is too short for that. Nothing else
     * is found. White space may have been put in, taken out and changed; JSON's escapes are undone once and twice, Markdown's `&gt; ` before
     * lines is passed over. A JSON body is also found with the escapes in its strings undone. Upper and lower case are different; a JSON body
     * whose keys were put in another order is found by its parts. Bodies that are no UTF-8 text are not looked for, nor are summaries.
     * What was answered before the call is compared as it is now; what is forgotten or expired is not. Bodies that are looked through
     * count as no access. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no prompt, two prompts, `messages_json` is no JSON array or too deep, an unknown counter).
     * </pre>
     */
    public dev.memslot.v1.InspectPromptResponse inspectPrompt(dev.memslot.v1.InspectPromptRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getInspectPromptMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Walks the five steps of a turn (output, parse, store, next prompt, tokens), says how each went, and which broke first. It stands on what
     * Act, GetPromptCard, Inject, InspectPrompt and RecordTurn noted of the conversation's turns, on the change feed, and on what the request
     * brings besides. No body is quoted.
     * Errors: NOT_FOUND (TURN_NOT_FOUND: nothing is known of it, and the request brings nothing), INVALID_ARGUMENT (INVALID_BODY: `prompt`
     * starts as an array and is no JSON).
     * </pre>
     */
    public dev.memslot.v1.DiagnoseTurnResponse diagnoseTurn(dev.memslot.v1.DiagnoseTurnRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDiagnoseTurnMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service AgentService.
   * <pre>
   * The edge to the model: its raw output in, receipts out, and every token accounted for.
   * Positions and sizes in characters are Unicode code points. Texts for a model come in English or Chinese.
   * </pre>
   */
  public static final class AgentServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<AgentServiceFutureStub> {
    private AgentServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AgentServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AgentServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Finds the memory actions in a model's raw output, executes them one after the other, and answers each with a line without any
     * body. Each is executed as the method of SlotService that does the same, and leaves an audit event of its own besides that of the
     * Act. An action that fails is REFUSED or NOT_FOUND in `actions`, and those after it are executed all the same.
     * A text is stored as text/plain, any other JSON value as application/json with every digit kept; its origin is MODEL.
     * - `mem_write` (`slot`, `value`) replaces. `mem_append` (`slot`, `value`) puts a text behind a text, with nothing between them; onto a
     *   JSON array it puts the value as an item, or the items of an array; where there is no slot it makes a text, or an array.
     *   `mem_patch` (`slot`, `value`) is a merge patch (RFC 7396) of a JSON body; a text is a patch only when it is a JSON object. All three
     *   also take `description`, `tags` (a list of texts), `importance` (0 to 1) and `ttl` (seconds, `24h`, `7d`, or `never`).
     * - `mem_read` (`slot`), `mem_forget` (`slot`), `mem_lookup` (`name_prefix`, `limit`), `mem_search` (`query`, `limit`). A limit is 20
     *   unless given, and 100 at most; a query has at most 8192 bytes. In a namespace that keeps no index of words, `mem_search` looks for the words of the query in the
     *   names, descriptions and tags of the 1000 slots that rank highest.
     * - null is "not given", except as a value. Any other argument, or one of another type, is REFUSED.
     * - At most 1000 actions of one output are executed, and no more than the reply has room for: the others are one reject,
     *   TOO_MANY_ACTIONS. A body that does not fit into the reply is REFUSED with REPLY_BUDGET.
     * With a `request_id` each action that changes something is executed once, however often the same request is sent; it then answers with the same
     * receipt. Reads, lookups and searches are done anew.
     * Errors: INVALID_ARGUMENT (REQUEST_ID_REUSED: the id came with another output before).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ActResponse> act(
        dev.memslot.v1.ActRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getActMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Tells the actions as the tools of a hosted API. Whatever arguments a schema offers, Act takes.
     * Errors: INVALID_ARGUMENT (an unknown action).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.GetToolSchemasResponse> getToolSchemas(
        dev.memslot.v1.GetToolSchemasRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetToolSchemasMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Tells how to use memory, and which slots there are: a text for the system prompt, which stays byte for byte the same until it is
     * renewed, so that a provider's prompt cache holds. What changed since is told in a short `tail`. Slots stand there by rank, with their
     * descriptions, each on one line and in quotes; no name is cut, and those that do not fit are counted. A server keeps the cards of
     * the 1024 conversations that asked last (or 16 MiB of them), and none over a restart: `renewed` tells that a card was made anew.
     * A slot that is forgotten goes on standing in cards that were made before, and in their tails as gone.
     * Errors: INVALID_ARGUMENT (`max_chars` or `max_tokens` too small for the instructions, an unknown counter).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.GetPromptCardResponse> getPromptCard(
        dev.memslot.v1.GetPromptCardRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetPromptCardMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Shows bodies as text for the tail of one prompt, each between delimiters with an id of their own: `[memslot begin "ID" ...]` and
     * `[memslot end "ID"]`. What looks like a delimiter in a body gets a backslash behind its bracket; otherwise bodies stay as they
     * are. A body that does not fit, or is no text, is shown by its summary where one is at hand that fits; one that is too long leaves room for those
     * after it. What is shown is booked with the turn; each body shown is an access. A name given twice is shown once.
     * Errors: INVALID_ARGUMENT (none or too many names, an unknown counter). What cannot be shown is in `left_out`, not an error.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.InjectResponse> inject(
        dev.memslot.v1.InjectRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getInjectMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Takes injections out of a text or a message history, also where they were escaped as JSON in the meantime, once or more often.
     * To scrub again changes nothing. Injections that are torn (cut off in the middle) are none, and stay: InspectPrompt finds them.
     * Errors: INVALID_ARGUMENT (INVALID_BODY: `messages_json` is no JSON array, or nested deeper than 100 levels).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ScrubResponse> scrub(
        dev.memslot.v1.ScrubRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getScrubMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Books one call of the model: how large its prompt and output were, what of the prompt is memslot's (card and schemas, receipts,
     * injections, bodies that came back), and what the prompt would be with all live bodies in it. Sizes alone are kept, with the turn.
     * Of `messages_json` the texts are counted, roles and ids included, and not what holds them together. Receipts are told by their length
     * and the slot that they name, as Act noted them for turns of the same conversation. Tokens of `actions` are those of so many characters
     * of the output. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no turn, no prompt, two prompts, a card that the prompt does not hold, an unknown counter, a
     * usage below 0 or above 10^12).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.RecordTurnResponse> recordTurn(
        dev.memslot.v1.RecordTurnRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRecordTurnMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Adds up the latest recorded turns, oldest first, and says whether memory outside the prompt pays, and what is in the way.
     * `saved` is `inlined` less `prompt` and `actions`. A bound on how many turns are kept is the server's setting.
     * Errors: INVALID_ARGUMENT (a negative limit).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.GetTokenReportResponse> getTokenReport(
        dev.memslot.v1.GetTokenReportRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetTokenReportMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Finds in a prompt whatever a stored body says: each part of at least 40 characters of a body (its white space counted, at least 28
     * of them not white space), and each whole body of at least 12 characters (8 of them not white space) that is too short for that. Nothing else
     * is found. White space may have been put in, taken out and changed; JSON's escapes are undone once and twice, Markdown's `&gt; ` before
     * lines is passed over. A JSON body is also found with the escapes in its strings undone. Upper and lower case are different; a JSON body
     * whose keys were put in another order is found by its parts. Bodies that are no UTF-8 text are not looked for, nor are summaries.
     * What was answered before the call is compared as it is now; what is forgotten or expired is not. Bodies that are looked through
     * count as no access. The first call for a namespace reads all its bodies; later ones read those that changed.
     * Errors: INVALID_ARGUMENT (no prompt, two prompts, `messages_json` is no JSON array or too deep, an unknown counter).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.InspectPromptResponse> inspectPrompt(
        dev.memslot.v1.InspectPromptRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getInspectPromptMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Walks the five steps of a turn (output, parse, store, next prompt, tokens), says how each went, and which broke first. It stands on what
     * Act, GetPromptCard, Inject, InspectPrompt and RecordTurn noted of the conversation's turns, on the change feed, and on what the request
     * brings besides. No body is quoted.
     * Errors: NOT_FOUND (TURN_NOT_FOUND: nothing is known of it, and the request brings nothing), INVALID_ARGUMENT (INVALID_BODY: `prompt`
     * starts as an array and is no JSON).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.DiagnoseTurnResponse> diagnoseTurn(
        dev.memslot.v1.DiagnoseTurnRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDiagnoseTurnMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_ACT = 0;
  private static final int METHODID_GET_TOOL_SCHEMAS = 1;
  private static final int METHODID_GET_PROMPT_CARD = 2;
  private static final int METHODID_INJECT = 3;
  private static final int METHODID_SCRUB = 4;
  private static final int METHODID_RECORD_TURN = 5;
  private static final int METHODID_GET_TOKEN_REPORT = 6;
  private static final int METHODID_INSPECT_PROMPT = 7;
  private static final int METHODID_DIAGNOSE_TURN = 8;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_ACT:
          serviceImpl.act((dev.memslot.v1.ActRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ActResponse>) responseObserver);
          break;
        case METHODID_GET_TOOL_SCHEMAS:
          serviceImpl.getToolSchemas((dev.memslot.v1.GetToolSchemasRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.GetToolSchemasResponse>) responseObserver);
          break;
        case METHODID_GET_PROMPT_CARD:
          serviceImpl.getPromptCard((dev.memslot.v1.GetPromptCardRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.GetPromptCardResponse>) responseObserver);
          break;
        case METHODID_INJECT:
          serviceImpl.inject((dev.memslot.v1.InjectRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.InjectResponse>) responseObserver);
          break;
        case METHODID_SCRUB:
          serviceImpl.scrub((dev.memslot.v1.ScrubRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ScrubResponse>) responseObserver);
          break;
        case METHODID_RECORD_TURN:
          serviceImpl.recordTurn((dev.memslot.v1.RecordTurnRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.RecordTurnResponse>) responseObserver);
          break;
        case METHODID_GET_TOKEN_REPORT:
          serviceImpl.getTokenReport((dev.memslot.v1.GetTokenReportRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.GetTokenReportResponse>) responseObserver);
          break;
        case METHODID_INSPECT_PROMPT:
          serviceImpl.inspectPrompt((dev.memslot.v1.InspectPromptRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.InspectPromptResponse>) responseObserver);
          break;
        case METHODID_DIAGNOSE_TURN:
          serviceImpl.diagnoseTurn((dev.memslot.v1.DiagnoseTurnRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.DiagnoseTurnResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getActMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ActRequest,
              dev.memslot.v1.ActResponse>(
                service, METHODID_ACT)))
        .addMethod(
          getGetToolSchemasMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.GetToolSchemasRequest,
              dev.memslot.v1.GetToolSchemasResponse>(
                service, METHODID_GET_TOOL_SCHEMAS)))
        .addMethod(
          getGetPromptCardMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.GetPromptCardRequest,
              dev.memslot.v1.GetPromptCardResponse>(
                service, METHODID_GET_PROMPT_CARD)))
        .addMethod(
          getInjectMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.InjectRequest,
              dev.memslot.v1.InjectResponse>(
                service, METHODID_INJECT)))
        .addMethod(
          getScrubMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ScrubRequest,
              dev.memslot.v1.ScrubResponse>(
                service, METHODID_SCRUB)))
        .addMethod(
          getRecordTurnMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.RecordTurnRequest,
              dev.memslot.v1.RecordTurnResponse>(
                service, METHODID_RECORD_TURN)))
        .addMethod(
          getGetTokenReportMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.GetTokenReportRequest,
              dev.memslot.v1.GetTokenReportResponse>(
                service, METHODID_GET_TOKEN_REPORT)))
        .addMethod(
          getInspectPromptMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.InspectPromptRequest,
              dev.memslot.v1.InspectPromptResponse>(
                service, METHODID_INSPECT_PROMPT)))
        .addMethod(
          getDiagnoseTurnMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.DiagnoseTurnRequest,
              dev.memslot.v1.DiagnoseTurnResponse>(
                service, METHODID_DIAGNOSE_TURN)))
        .build();
  }

  private static abstract class AgentServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    AgentServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.memslot.v1.AgentServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("AgentService");
    }
  }

  private static final class AgentServiceFileDescriptorSupplier
      extends AgentServiceBaseDescriptorSupplier {
    AgentServiceFileDescriptorSupplier() {}
  }

  private static final class AgentServiceMethodDescriptorSupplier
      extends AgentServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    AgentServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (AgentServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new AgentServiceFileDescriptorSupplier())
              .addMethod(getActMethod())
              .addMethod(getGetToolSchemasMethod())
              .addMethod(getGetPromptCardMethod())
              .addMethod(getInjectMethod())
              .addMethod(getScrubMethod())
              .addMethod(getRecordTurnMethod())
              .addMethod(getGetTokenReportMethod())
              .addMethod(getInspectPromptMethod())
              .addMethod(getDiagnoseTurnMethod())
              .build();
        }
      }
    }
    return result;
  }
}
