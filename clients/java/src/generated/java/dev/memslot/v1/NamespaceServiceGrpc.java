package dev.memslot.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Namespaces: where slots live, and what bounds them. A namespace exists when it was configured or holds a slot; it appears
 * with its first write and vanishes when it is neither.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class NamespaceServiceGrpc {

  private NamespaceServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "memslot.v1.NamespaceService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.UpdateNamespaceRequest,
      dev.memslot.v1.UpdateNamespaceResponse> getUpdateNamespaceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateNamespace",
      requestType = dev.memslot.v1.UpdateNamespaceRequest.class,
      responseType = dev.memslot.v1.UpdateNamespaceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.UpdateNamespaceRequest,
      dev.memslot.v1.UpdateNamespaceResponse> getUpdateNamespaceMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.UpdateNamespaceRequest, dev.memslot.v1.UpdateNamespaceResponse> getUpdateNamespaceMethod;
    if ((getUpdateNamespaceMethod = NamespaceServiceGrpc.getUpdateNamespaceMethod) == null) {
      synchronized (NamespaceServiceGrpc.class) {
        if ((getUpdateNamespaceMethod = NamespaceServiceGrpc.getUpdateNamespaceMethod) == null) {
          NamespaceServiceGrpc.getUpdateNamespaceMethod = getUpdateNamespaceMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.UpdateNamespaceRequest, dev.memslot.v1.UpdateNamespaceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateNamespace"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.UpdateNamespaceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.UpdateNamespaceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NamespaceServiceMethodDescriptorSupplier("UpdateNamespace"))
              .build();
        }
      }
    }
    return getUpdateNamespaceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.GetNamespaceRequest,
      dev.memslot.v1.GetNamespaceResponse> getGetNamespaceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetNamespace",
      requestType = dev.memslot.v1.GetNamespaceRequest.class,
      responseType = dev.memslot.v1.GetNamespaceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.GetNamespaceRequest,
      dev.memslot.v1.GetNamespaceResponse> getGetNamespaceMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.GetNamespaceRequest, dev.memslot.v1.GetNamespaceResponse> getGetNamespaceMethod;
    if ((getGetNamespaceMethod = NamespaceServiceGrpc.getGetNamespaceMethod) == null) {
      synchronized (NamespaceServiceGrpc.class) {
        if ((getGetNamespaceMethod = NamespaceServiceGrpc.getGetNamespaceMethod) == null) {
          NamespaceServiceGrpc.getGetNamespaceMethod = getGetNamespaceMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.GetNamespaceRequest, dev.memslot.v1.GetNamespaceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetNamespace"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetNamespaceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetNamespaceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NamespaceServiceMethodDescriptorSupplier("GetNamespace"))
              .build();
        }
      }
    }
    return getGetNamespaceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ListNamespacesRequest,
      dev.memslot.v1.ListNamespacesResponse> getListNamespacesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListNamespaces",
      requestType = dev.memslot.v1.ListNamespacesRequest.class,
      responseType = dev.memslot.v1.ListNamespacesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ListNamespacesRequest,
      dev.memslot.v1.ListNamespacesResponse> getListNamespacesMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ListNamespacesRequest, dev.memslot.v1.ListNamespacesResponse> getListNamespacesMethod;
    if ((getListNamespacesMethod = NamespaceServiceGrpc.getListNamespacesMethod) == null) {
      synchronized (NamespaceServiceGrpc.class) {
        if ((getListNamespacesMethod = NamespaceServiceGrpc.getListNamespacesMethod) == null) {
          NamespaceServiceGrpc.getListNamespacesMethod = getListNamespacesMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ListNamespacesRequest, dev.memslot.v1.ListNamespacesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListNamespaces"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ListNamespacesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ListNamespacesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NamespaceServiceMethodDescriptorSupplier("ListNamespaces"))
              .build();
        }
      }
    }
    return getListNamespacesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.DeleteNamespaceRequest,
      dev.memslot.v1.DeleteNamespaceResponse> getDeleteNamespaceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteNamespace",
      requestType = dev.memslot.v1.DeleteNamespaceRequest.class,
      responseType = dev.memslot.v1.DeleteNamespaceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.DeleteNamespaceRequest,
      dev.memslot.v1.DeleteNamespaceResponse> getDeleteNamespaceMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.DeleteNamespaceRequest, dev.memslot.v1.DeleteNamespaceResponse> getDeleteNamespaceMethod;
    if ((getDeleteNamespaceMethod = NamespaceServiceGrpc.getDeleteNamespaceMethod) == null) {
      synchronized (NamespaceServiceGrpc.class) {
        if ((getDeleteNamespaceMethod = NamespaceServiceGrpc.getDeleteNamespaceMethod) == null) {
          NamespaceServiceGrpc.getDeleteNamespaceMethod = getDeleteNamespaceMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.DeleteNamespaceRequest, dev.memslot.v1.DeleteNamespaceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteNamespace"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.DeleteNamespaceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.DeleteNamespaceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NamespaceServiceMethodDescriptorSupplier("DeleteNamespace"))
              .build();
        }
      }
    }
    return getDeleteNamespaceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.BeginTaskRequest,
      dev.memslot.v1.BeginTaskResponse> getBeginTaskMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BeginTask",
      requestType = dev.memslot.v1.BeginTaskRequest.class,
      responseType = dev.memslot.v1.BeginTaskResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.BeginTaskRequest,
      dev.memslot.v1.BeginTaskResponse> getBeginTaskMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.BeginTaskRequest, dev.memslot.v1.BeginTaskResponse> getBeginTaskMethod;
    if ((getBeginTaskMethod = NamespaceServiceGrpc.getBeginTaskMethod) == null) {
      synchronized (NamespaceServiceGrpc.class) {
        if ((getBeginTaskMethod = NamespaceServiceGrpc.getBeginTaskMethod) == null) {
          NamespaceServiceGrpc.getBeginTaskMethod = getBeginTaskMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.BeginTaskRequest, dev.memslot.v1.BeginTaskResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BeginTask"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.BeginTaskRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.BeginTaskResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NamespaceServiceMethodDescriptorSupplier("BeginTask"))
              .build();
        }
      }
    }
    return getBeginTaskMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.EndTaskRequest,
      dev.memslot.v1.EndTaskResponse> getEndTaskMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "EndTask",
      requestType = dev.memslot.v1.EndTaskRequest.class,
      responseType = dev.memslot.v1.EndTaskResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.EndTaskRequest,
      dev.memslot.v1.EndTaskResponse> getEndTaskMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.EndTaskRequest, dev.memslot.v1.EndTaskResponse> getEndTaskMethod;
    if ((getEndTaskMethod = NamespaceServiceGrpc.getEndTaskMethod) == null) {
      synchronized (NamespaceServiceGrpc.class) {
        if ((getEndTaskMethod = NamespaceServiceGrpc.getEndTaskMethod) == null) {
          NamespaceServiceGrpc.getEndTaskMethod = getEndTaskMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.EndTaskRequest, dev.memslot.v1.EndTaskResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "EndTask"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.EndTaskRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.EndTaskResponse.getDefaultInstance()))
              .setSchemaDescriptor(new NamespaceServiceMethodDescriptorSupplier("EndTask"))
              .build();
        }
      }
    }
    return getEndTaskMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static NamespaceServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceStub>() {
        @java.lang.Override
        public NamespaceServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NamespaceServiceStub(channel, callOptions);
        }
      };
    return NamespaceServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static NamespaceServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceBlockingV2Stub>() {
        @java.lang.Override
        public NamespaceServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NamespaceServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return NamespaceServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static NamespaceServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceBlockingStub>() {
        @java.lang.Override
        public NamespaceServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NamespaceServiceBlockingStub(channel, callOptions);
        }
      };
    return NamespaceServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static NamespaceServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<NamespaceServiceFutureStub>() {
        @java.lang.Override
        public NamespaceServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new NamespaceServiceFutureStub(channel, callOptions);
        }
      };
    return NamespaceServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Namespaces: where slots live, and what bounds them. A namespace exists when it was configured or holds a slot; it appears
   * with its first write and vanishes when it is neither.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Creates or configures a namespace. Fields in the mask are set, or, when unset in `settings`, inherited again.
     * Errors: INVALID_ARGUMENT (INVALID_NAME; INVALID_FIELD, also for an embedder, a vector index or a way to make summaries that
     * this server does not have, with the remedy; SETTING_ABOVE_CAP), RESOURCE_EXHAUSTED (STORE_FULL).
     * </pre>
     */
    default void updateNamespace(dev.memslot.v1.UpdateNamespaceRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.UpdateNamespaceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateNamespaceMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one namespace with its settings and use.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND).
     * </pre>
     */
    default void getNamespace(dev.memslot.v1.GetNamespaceRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetNamespaceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetNamespaceMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists namespaces in the byte order of their paths.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    default void listNamespaces(dev.memslot.v1.ListNamespacesRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ListNamespacesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListNamespacesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes a namespace, its settings and, with `force`, its slots. Namespaces below it are left alone, and so are tasks.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND), FAILED_PRECONDITION (NAMESPACE_NOT_EMPTY), UNAVAILABLE (ERASE_PENDING: deleted,
     * and erasing resumes by itself).
     * </pre>
     */
    default void deleteNamespace(dev.memslot.v1.DeleteNamespaceRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.DeleteNamespaceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteNamespaceMethod(), responseObserver);
    }

    /**
     * <pre>
     * Begins an attempt of a task and answers with its own namespace, which is empty but for what is carried over. In the same
     * transaction the attempt before is sealed: whoever still writes there gets FAILED_PRECONDITION (STALE_ATTEMPT). What it left is
     * forgotten before the reply, with the settings of its namespace. Beginning the present attempt again changes nothing: two workers
     * that name one attempt share it, and the second is told so (`resumed`); two that name none seal each other.
     * Errors: FAILED_PRECONDITION (STALE_ATTEMPT: a later attempt has begun, or this one has ended; NAMESPACE_NOT_EMPTY: the attempt's
     * namespace holds slots of before the task), INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, BODY_TOO_LARGE, DIMENSION_MISMATCH),
     * RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL), UNAVAILABLE (ERASE_PENDING: begun, and erasing resumes by itself).
     * </pre>
     */
    default void beginTask(dev.memslot.v1.BeginTaskRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.BeginTaskResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBeginTaskMethod(), responseObserver);
    }

    /**
     * <pre>
     * Ends the present attempt of a task: moves what is promoted to the task's parent namespace, seals the attempt's, and
     * forgets the rest, at once or after `retain`. Ending it again in the same way changes nothing. A task is remembered for a day after
     * its end, and one of which no slot is left for a day after its begin.
     * Errors: as BeginTask.
     * </pre>
     */
    default void endTask(dev.memslot.v1.EndTaskRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.EndTaskResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getEndTaskMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service NamespaceService.
   * <pre>
   * Namespaces: where slots live, and what bounds them. A namespace exists when it was configured or holds a slot; it appears
   * with its first write and vanishes when it is neither.
   * </pre>
   */
  public static abstract class NamespaceServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return NamespaceServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service NamespaceService.
   * <pre>
   * Namespaces: where slots live, and what bounds them. A namespace exists when it was configured or holds a slot; it appears
   * with its first write and vanishes when it is neither.
   * </pre>
   */
  public static final class NamespaceServiceStub
      extends io.grpc.stub.AbstractAsyncStub<NamespaceServiceStub> {
    private NamespaceServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NamespaceServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NamespaceServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates or configures a namespace. Fields in the mask are set, or, when unset in `settings`, inherited again.
     * Errors: INVALID_ARGUMENT (INVALID_NAME; INVALID_FIELD, also for an embedder, a vector index or a way to make summaries that
     * this server does not have, with the remedy; SETTING_ABOVE_CAP), RESOURCE_EXHAUSTED (STORE_FULL).
     * </pre>
     */
    public void updateNamespace(dev.memslot.v1.UpdateNamespaceRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.UpdateNamespaceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateNamespaceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one namespace with its settings and use.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND).
     * </pre>
     */
    public void getNamespace(dev.memslot.v1.GetNamespaceRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetNamespaceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetNamespaceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists namespaces in the byte order of their paths.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public void listNamespaces(dev.memslot.v1.ListNamespacesRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ListNamespacesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListNamespacesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes a namespace, its settings and, with `force`, its slots. Namespaces below it are left alone, and so are tasks.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND), FAILED_PRECONDITION (NAMESPACE_NOT_EMPTY), UNAVAILABLE (ERASE_PENDING: deleted,
     * and erasing resumes by itself).
     * </pre>
     */
    public void deleteNamespace(dev.memslot.v1.DeleteNamespaceRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.DeleteNamespaceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteNamespaceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Begins an attempt of a task and answers with its own namespace, which is empty but for what is carried over. In the same
     * transaction the attempt before is sealed: whoever still writes there gets FAILED_PRECONDITION (STALE_ATTEMPT). What it left is
     * forgotten before the reply, with the settings of its namespace. Beginning the present attempt again changes nothing: two workers
     * that name one attempt share it, and the second is told so (`resumed`); two that name none seal each other.
     * Errors: FAILED_PRECONDITION (STALE_ATTEMPT: a later attempt has begun, or this one has ended; NAMESPACE_NOT_EMPTY: the attempt's
     * namespace holds slots of before the task), INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, BODY_TOO_LARGE, DIMENSION_MISMATCH),
     * RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL), UNAVAILABLE (ERASE_PENDING: begun, and erasing resumes by itself).
     * </pre>
     */
    public void beginTask(dev.memslot.v1.BeginTaskRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.BeginTaskResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBeginTaskMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Ends the present attempt of a task: moves what is promoted to the task's parent namespace, seals the attempt's, and
     * forgets the rest, at once or after `retain`. Ending it again in the same way changes nothing. A task is remembered for a day after
     * its end, and one of which no slot is left for a day after its begin.
     * Errors: as BeginTask.
     * </pre>
     */
    public void endTask(dev.memslot.v1.EndTaskRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.EndTaskResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getEndTaskMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service NamespaceService.
   * <pre>
   * Namespaces: where slots live, and what bounds them. A namespace exists when it was configured or holds a slot; it appears
   * with its first write and vanishes when it is neither.
   * </pre>
   */
  public static final class NamespaceServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<NamespaceServiceBlockingV2Stub> {
    private NamespaceServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NamespaceServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NamespaceServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates or configures a namespace. Fields in the mask are set, or, when unset in `settings`, inherited again.
     * Errors: INVALID_ARGUMENT (INVALID_NAME; INVALID_FIELD, also for an embedder, a vector index or a way to make summaries that
     * this server does not have, with the remedy; SETTING_ABOVE_CAP), RESOURCE_EXHAUSTED (STORE_FULL).
     * </pre>
     */
    public dev.memslot.v1.UpdateNamespaceResponse updateNamespace(dev.memslot.v1.UpdateNamespaceRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateNamespaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one namespace with its settings and use.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND).
     * </pre>
     */
    public dev.memslot.v1.GetNamespaceResponse getNamespace(dev.memslot.v1.GetNamespaceRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetNamespaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists namespaces in the byte order of their paths.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public dev.memslot.v1.ListNamespacesResponse listNamespaces(dev.memslot.v1.ListNamespacesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListNamespacesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a namespace, its settings and, with `force`, its slots. Namespaces below it are left alone, and so are tasks.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND), FAILED_PRECONDITION (NAMESPACE_NOT_EMPTY), UNAVAILABLE (ERASE_PENDING: deleted,
     * and erasing resumes by itself).
     * </pre>
     */
    public dev.memslot.v1.DeleteNamespaceResponse deleteNamespace(dev.memslot.v1.DeleteNamespaceRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteNamespaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Begins an attempt of a task and answers with its own namespace, which is empty but for what is carried over. In the same
     * transaction the attempt before is sealed: whoever still writes there gets FAILED_PRECONDITION (STALE_ATTEMPT). What it left is
     * forgotten before the reply, with the settings of its namespace. Beginning the present attempt again changes nothing: two workers
     * that name one attempt share it, and the second is told so (`resumed`); two that name none seal each other.
     * Errors: FAILED_PRECONDITION (STALE_ATTEMPT: a later attempt has begun, or this one has ended; NAMESPACE_NOT_EMPTY: the attempt's
     * namespace holds slots of before the task), INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, BODY_TOO_LARGE, DIMENSION_MISMATCH),
     * RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL), UNAVAILABLE (ERASE_PENDING: begun, and erasing resumes by itself).
     * </pre>
     */
    public dev.memslot.v1.BeginTaskResponse beginTask(dev.memslot.v1.BeginTaskRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBeginTaskMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ends the present attempt of a task: moves what is promoted to the task's parent namespace, seals the attempt's, and
     * forgets the rest, at once or after `retain`. Ending it again in the same way changes nothing. A task is remembered for a day after
     * its end, and one of which no slot is left for a day after its begin.
     * Errors: as BeginTask.
     * </pre>
     */
    public dev.memslot.v1.EndTaskResponse endTask(dev.memslot.v1.EndTaskRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getEndTaskMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service NamespaceService.
   * <pre>
   * Namespaces: where slots live, and what bounds them. A namespace exists when it was configured or holds a slot; it appears
   * with its first write and vanishes when it is neither.
   * </pre>
   */
  public static final class NamespaceServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<NamespaceServiceBlockingStub> {
    private NamespaceServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NamespaceServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NamespaceServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates or configures a namespace. Fields in the mask are set, or, when unset in `settings`, inherited again.
     * Errors: INVALID_ARGUMENT (INVALID_NAME; INVALID_FIELD, also for an embedder, a vector index or a way to make summaries that
     * this server does not have, with the remedy; SETTING_ABOVE_CAP), RESOURCE_EXHAUSTED (STORE_FULL).
     * </pre>
     */
    public dev.memslot.v1.UpdateNamespaceResponse updateNamespace(dev.memslot.v1.UpdateNamespaceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateNamespaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one namespace with its settings and use.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND).
     * </pre>
     */
    public dev.memslot.v1.GetNamespaceResponse getNamespace(dev.memslot.v1.GetNamespaceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetNamespaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists namespaces in the byte order of their paths.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public dev.memslot.v1.ListNamespacesResponse listNamespaces(dev.memslot.v1.ListNamespacesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListNamespacesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a namespace, its settings and, with `force`, its slots. Namespaces below it are left alone, and so are tasks.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND), FAILED_PRECONDITION (NAMESPACE_NOT_EMPTY), UNAVAILABLE (ERASE_PENDING: deleted,
     * and erasing resumes by itself).
     * </pre>
     */
    public dev.memslot.v1.DeleteNamespaceResponse deleteNamespace(dev.memslot.v1.DeleteNamespaceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteNamespaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Begins an attempt of a task and answers with its own namespace, which is empty but for what is carried over. In the same
     * transaction the attempt before is sealed: whoever still writes there gets FAILED_PRECONDITION (STALE_ATTEMPT). What it left is
     * forgotten before the reply, with the settings of its namespace. Beginning the present attempt again changes nothing: two workers
     * that name one attempt share it, and the second is told so (`resumed`); two that name none seal each other.
     * Errors: FAILED_PRECONDITION (STALE_ATTEMPT: a later attempt has begun, or this one has ended; NAMESPACE_NOT_EMPTY: the attempt's
     * namespace holds slots of before the task), INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, BODY_TOO_LARGE, DIMENSION_MISMATCH),
     * RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL), UNAVAILABLE (ERASE_PENDING: begun, and erasing resumes by itself).
     * </pre>
     */
    public dev.memslot.v1.BeginTaskResponse beginTask(dev.memslot.v1.BeginTaskRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBeginTaskMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ends the present attempt of a task: moves what is promoted to the task's parent namespace, seals the attempt's, and
     * forgets the rest, at once or after `retain`. Ending it again in the same way changes nothing. A task is remembered for a day after
     * its end, and one of which no slot is left for a day after its begin.
     * Errors: as BeginTask.
     * </pre>
     */
    public dev.memslot.v1.EndTaskResponse endTask(dev.memslot.v1.EndTaskRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getEndTaskMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service NamespaceService.
   * <pre>
   * Namespaces: where slots live, and what bounds them. A namespace exists when it was configured or holds a slot; it appears
   * with its first write and vanishes when it is neither.
   * </pre>
   */
  public static final class NamespaceServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<NamespaceServiceFutureStub> {
    private NamespaceServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected NamespaceServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new NamespaceServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates or configures a namespace. Fields in the mask are set, or, when unset in `settings`, inherited again.
     * Errors: INVALID_ARGUMENT (INVALID_NAME; INVALID_FIELD, also for an embedder, a vector index or a way to make summaries that
     * this server does not have, with the remedy; SETTING_ABOVE_CAP), RESOURCE_EXHAUSTED (STORE_FULL).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.UpdateNamespaceResponse> updateNamespace(
        dev.memslot.v1.UpdateNamespaceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateNamespaceMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one namespace with its settings and use.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.GetNamespaceResponse> getNamespace(
        dev.memslot.v1.GetNamespaceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetNamespaceMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists namespaces in the byte order of their paths.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ListNamespacesResponse> listNamespaces(
        dev.memslot.v1.ListNamespacesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListNamespacesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes a namespace, its settings and, with `force`, its slots. Namespaces below it are left alone, and so are tasks.
     * Errors: NOT_FOUND (NAMESPACE_NOT_FOUND), FAILED_PRECONDITION (NAMESPACE_NOT_EMPTY), UNAVAILABLE (ERASE_PENDING: deleted,
     * and erasing resumes by itself).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.DeleteNamespaceResponse> deleteNamespace(
        dev.memslot.v1.DeleteNamespaceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteNamespaceMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Begins an attempt of a task and answers with its own namespace, which is empty but for what is carried over. In the same
     * transaction the attempt before is sealed: whoever still writes there gets FAILED_PRECONDITION (STALE_ATTEMPT). What it left is
     * forgotten before the reply, with the settings of its namespace. Beginning the present attempt again changes nothing: two workers
     * that name one attempt share it, and the second is told so (`resumed`); two that name none seal each other.
     * Errors: FAILED_PRECONDITION (STALE_ATTEMPT: a later attempt has begun, or this one has ended; NAMESPACE_NOT_EMPTY: the attempt's
     * namespace holds slots of before the task), INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, BODY_TOO_LARGE, DIMENSION_MISMATCH),
     * RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL), UNAVAILABLE (ERASE_PENDING: begun, and erasing resumes by itself).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.BeginTaskResponse> beginTask(
        dev.memslot.v1.BeginTaskRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBeginTaskMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Ends the present attempt of a task: moves what is promoted to the task's parent namespace, seals the attempt's, and
     * forgets the rest, at once or after `retain`. Ending it again in the same way changes nothing. A task is remembered for a day after
     * its end, and one of which no slot is left for a day after its begin.
     * Errors: as BeginTask.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.EndTaskResponse> endTask(
        dev.memslot.v1.EndTaskRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getEndTaskMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_UPDATE_NAMESPACE = 0;
  private static final int METHODID_GET_NAMESPACE = 1;
  private static final int METHODID_LIST_NAMESPACES = 2;
  private static final int METHODID_DELETE_NAMESPACE = 3;
  private static final int METHODID_BEGIN_TASK = 4;
  private static final int METHODID_END_TASK = 5;

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
        case METHODID_UPDATE_NAMESPACE:
          serviceImpl.updateNamespace((dev.memslot.v1.UpdateNamespaceRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.UpdateNamespaceResponse>) responseObserver);
          break;
        case METHODID_GET_NAMESPACE:
          serviceImpl.getNamespace((dev.memslot.v1.GetNamespaceRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.GetNamespaceResponse>) responseObserver);
          break;
        case METHODID_LIST_NAMESPACES:
          serviceImpl.listNamespaces((dev.memslot.v1.ListNamespacesRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ListNamespacesResponse>) responseObserver);
          break;
        case METHODID_DELETE_NAMESPACE:
          serviceImpl.deleteNamespace((dev.memslot.v1.DeleteNamespaceRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.DeleteNamespaceResponse>) responseObserver);
          break;
        case METHODID_BEGIN_TASK:
          serviceImpl.beginTask((dev.memslot.v1.BeginTaskRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.BeginTaskResponse>) responseObserver);
          break;
        case METHODID_END_TASK:
          serviceImpl.endTask((dev.memslot.v1.EndTaskRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.EndTaskResponse>) responseObserver);
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
          getUpdateNamespaceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.UpdateNamespaceRequest,
              dev.memslot.v1.UpdateNamespaceResponse>(
                service, METHODID_UPDATE_NAMESPACE)))
        .addMethod(
          getGetNamespaceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.GetNamespaceRequest,
              dev.memslot.v1.GetNamespaceResponse>(
                service, METHODID_GET_NAMESPACE)))
        .addMethod(
          getListNamespacesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ListNamespacesRequest,
              dev.memslot.v1.ListNamespacesResponse>(
                service, METHODID_LIST_NAMESPACES)))
        .addMethod(
          getDeleteNamespaceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.DeleteNamespaceRequest,
              dev.memslot.v1.DeleteNamespaceResponse>(
                service, METHODID_DELETE_NAMESPACE)))
        .addMethod(
          getBeginTaskMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.BeginTaskRequest,
              dev.memslot.v1.BeginTaskResponse>(
                service, METHODID_BEGIN_TASK)))
        .addMethod(
          getEndTaskMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.EndTaskRequest,
              dev.memslot.v1.EndTaskResponse>(
                service, METHODID_END_TASK)))
        .build();
  }

  private static abstract class NamespaceServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    NamespaceServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.memslot.v1.NamespaceServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("NamespaceService");
    }
  }

  private static final class NamespaceServiceFileDescriptorSupplier
      extends NamespaceServiceBaseDescriptorSupplier {
    NamespaceServiceFileDescriptorSupplier() {}
  }

  private static final class NamespaceServiceMethodDescriptorSupplier
      extends NamespaceServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    NamespaceServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (NamespaceServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new NamespaceServiceFileDescriptorSupplier())
              .addMethod(getUpdateNamespaceMethod())
              .addMethod(getGetNamespaceMethod())
              .addMethod(getListNamespacesMethod())
              .addMethod(getDeleteNamespaceMethod())
              .addMethod(getBeginTaskMethod())
              .addMethod(getEndTaskMethod())
              .build();
        }
      }
    }
    return result;
  }
}
