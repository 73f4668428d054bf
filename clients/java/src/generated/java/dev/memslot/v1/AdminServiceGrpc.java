package dev.memslot.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * The sidecar itself: what it is, how it does, and copies of its store.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class AdminServiceGrpc {

  private AdminServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "memslot.v1.AdminService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.GetServerInfoRequest,
      dev.memslot.v1.GetServerInfoResponse> getGetServerInfoMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetServerInfo",
      requestType = dev.memslot.v1.GetServerInfoRequest.class,
      responseType = dev.memslot.v1.GetServerInfoResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.GetServerInfoRequest,
      dev.memslot.v1.GetServerInfoResponse> getGetServerInfoMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.GetServerInfoRequest, dev.memslot.v1.GetServerInfoResponse> getGetServerInfoMethod;
    if ((getGetServerInfoMethod = AdminServiceGrpc.getGetServerInfoMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getGetServerInfoMethod = AdminServiceGrpc.getGetServerInfoMethod) == null) {
          AdminServiceGrpc.getGetServerInfoMethod = getGetServerInfoMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.GetServerInfoRequest, dev.memslot.v1.GetServerInfoResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetServerInfo"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetServerInfoRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.GetServerInfoResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("GetServerInfo"))
              .build();
        }
      }
    }
    return getGetServerInfoMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.StatsRequest,
      dev.memslot.v1.StatsResponse> getStatsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Stats",
      requestType = dev.memslot.v1.StatsRequest.class,
      responseType = dev.memslot.v1.StatsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.StatsRequest,
      dev.memslot.v1.StatsResponse> getStatsMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.StatsRequest, dev.memslot.v1.StatsResponse> getStatsMethod;
    if ((getStatsMethod = AdminServiceGrpc.getStatsMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getStatsMethod = AdminServiceGrpc.getStatsMethod) == null) {
          AdminServiceGrpc.getStatsMethod = getStatsMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.StatsRequest, dev.memslot.v1.StatsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Stats"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.StatsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.StatsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("Stats"))
              .build();
        }
      }
    }
    return getStatsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.BackupRequest,
      dev.memslot.v1.BackupResponse> getBackupMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Backup",
      requestType = dev.memslot.v1.BackupRequest.class,
      responseType = dev.memslot.v1.BackupResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.BackupRequest,
      dev.memslot.v1.BackupResponse> getBackupMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.BackupRequest, dev.memslot.v1.BackupResponse> getBackupMethod;
    if ((getBackupMethod = AdminServiceGrpc.getBackupMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getBackupMethod = AdminServiceGrpc.getBackupMethod) == null) {
          AdminServiceGrpc.getBackupMethod = getBackupMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.BackupRequest, dev.memslot.v1.BackupResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Backup"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.BackupRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.BackupResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("Backup"))
              .build();
        }
      }
    }
    return getBackupMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.CheckIntegrityRequest,
      dev.memslot.v1.CheckIntegrityResponse> getCheckIntegrityMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CheckIntegrity",
      requestType = dev.memslot.v1.CheckIntegrityRequest.class,
      responseType = dev.memslot.v1.CheckIntegrityResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.CheckIntegrityRequest,
      dev.memslot.v1.CheckIntegrityResponse> getCheckIntegrityMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.CheckIntegrityRequest, dev.memslot.v1.CheckIntegrityResponse> getCheckIntegrityMethod;
    if ((getCheckIntegrityMethod = AdminServiceGrpc.getCheckIntegrityMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getCheckIntegrityMethod = AdminServiceGrpc.getCheckIntegrityMethod) == null) {
          AdminServiceGrpc.getCheckIntegrityMethod = getCheckIntegrityMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.CheckIntegrityRequest, dev.memslot.v1.CheckIntegrityResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CheckIntegrity"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.CheckIntegrityRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.CheckIntegrityResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("CheckIntegrity"))
              .build();
        }
      }
    }
    return getCheckIntegrityMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ReindexRequest,
      dev.memslot.v1.ReindexResponse> getReindexMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Reindex",
      requestType = dev.memslot.v1.ReindexRequest.class,
      responseType = dev.memslot.v1.ReindexResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ReindexRequest,
      dev.memslot.v1.ReindexResponse> getReindexMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ReindexRequest, dev.memslot.v1.ReindexResponse> getReindexMethod;
    if ((getReindexMethod = AdminServiceGrpc.getReindexMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getReindexMethod = AdminServiceGrpc.getReindexMethod) == null) {
          AdminServiceGrpc.getReindexMethod = getReindexMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ReindexRequest, dev.memslot.v1.ReindexResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Reindex"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ReindexRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ReindexResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("Reindex"))
              .build();
        }
      }
    }
    return getReindexMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static AdminServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceStub>() {
        @java.lang.Override
        public AdminServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceStub(channel, callOptions);
        }
      };
    return AdminServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static AdminServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingV2Stub>() {
        @java.lang.Override
        public AdminServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return AdminServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static AdminServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingStub>() {
        @java.lang.Override
        public AdminServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceBlockingStub(channel, callOptions);
        }
      };
    return AdminServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static AdminServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceFutureStub>() {
        @java.lang.Override
        public AdminServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceFutureStub(channel, callOptions);
        }
      };
    return AdminServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * The sidecar itself: what it is, how it does, and copies of its store.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Says which server this is, its limits, and what is enabled.
     * </pre>
     */
    default void getServerInfo(dev.memslot.v1.GetServerInfoRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetServerInfoResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetServerInfoMethod(), responseObserver);
    }

    /**
     * <pre>
     * Counts what is stored and what was done since the process started.
     * </pre>
     */
    default void stats(dev.memslot.v1.StatsRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.StatsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStatsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams a consistent copy of the store while it goes on serving. The copy has a store_id of its own.
     * Errors: FAILED_PRECONDITION (BACKUP_UNSUPPORTED) where the store lives in RAM, RESOURCE_EXHAUSTED (STORE_FULL) where the
     * disk has no room for the copy.
     * </pre>
     */
    default void backup(dev.memslot.v1.BackupRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.BackupResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBackupMethod(), responseObserver);
    }

    /**
     * <pre>
     * Checks the store's files and that its counters, bodies and feed agree, and reads the index, which is made anew where it is
     * damaged. Finding a problem is an answer, not an error.
     * </pre>
     */
    default void checkIntegrity(dev.memslot.v1.CheckIntegrityRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.CheckIntegrityResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCheckIntegrityMethod(), responseObserver);
    }

    /**
     * <pre>
     * Makes the index anew from the store, with progress; the words of a namespace can be searched again when its turn is
     * done. A call that is cut short leaves the rest to the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED), NOT_FOUND (NAMESPACE_NOT_FOUND), UNAVAILABLE (INDEX_UNAVAILABLE: it cannot
     * be opened or written now, and why; ask again later).
     * </pre>
     */
    default void reindex(dev.memslot.v1.ReindexRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ReindexResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReindexMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service AdminService.
   * <pre>
   * The sidecar itself: what it is, how it does, and copies of its store.
   * </pre>
   */
  public static abstract class AdminServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return AdminServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service AdminService.
   * <pre>
   * The sidecar itself: what it is, how it does, and copies of its store.
   * </pre>
   */
  public static final class AdminServiceStub
      extends io.grpc.stub.AbstractAsyncStub<AdminServiceStub> {
    private AdminServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says which server this is, its limits, and what is enabled.
     * </pre>
     */
    public void getServerInfo(dev.memslot.v1.GetServerInfoRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.GetServerInfoResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetServerInfoMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Counts what is stored and what was done since the process started.
     * </pre>
     */
    public void stats(dev.memslot.v1.StatsRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.StatsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getStatsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams a consistent copy of the store while it goes on serving. The copy has a store_id of its own.
     * Errors: FAILED_PRECONDITION (BACKUP_UNSUPPORTED) where the store lives in RAM, RESOURCE_EXHAUSTED (STORE_FULL) where the
     * disk has no room for the copy.
     * </pre>
     */
    public void backup(dev.memslot.v1.BackupRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.BackupResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getBackupMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Checks the store's files and that its counters, bodies and feed agree, and reads the index, which is made anew where it is
     * damaged. Finding a problem is an answer, not an error.
     * </pre>
     */
    public void checkIntegrity(dev.memslot.v1.CheckIntegrityRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.CheckIntegrityResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCheckIntegrityMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Makes the index anew from the store, with progress; the words of a namespace can be searched again when its turn is
     * done. A call that is cut short leaves the rest to the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED), NOT_FOUND (NAMESPACE_NOT_FOUND), UNAVAILABLE (INDEX_UNAVAILABLE: it cannot
     * be opened or written now, and why; ask again later).
     * </pre>
     */
    public void reindex(dev.memslot.v1.ReindexRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ReindexResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getReindexMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service AdminService.
   * <pre>
   * The sidecar itself: what it is, how it does, and copies of its store.
   * </pre>
   */
  public static final class AdminServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<AdminServiceBlockingV2Stub> {
    private AdminServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Says which server this is, its limits, and what is enabled.
     * </pre>
     */
    public dev.memslot.v1.GetServerInfoResponse getServerInfo(dev.memslot.v1.GetServerInfoRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetServerInfoMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Counts what is stored and what was done since the process started.
     * </pre>
     */
    public dev.memslot.v1.StatsResponse stats(dev.memslot.v1.StatsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getStatsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams a consistent copy of the store while it goes on serving. The copy has a store_id of its own.
     * Errors: FAILED_PRECONDITION (BACKUP_UNSUPPORTED) where the store lives in RAM, RESOURCE_EXHAUSTED (STORE_FULL) where the
     * disk has no room for the copy.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.memslot.v1.BackupResponse>
        backup(dev.memslot.v1.BackupRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getBackupMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Checks the store's files and that its counters, bodies and feed agree, and reads the index, which is made anew where it is
     * damaged. Finding a problem is an answer, not an error.
     * </pre>
     */
    public dev.memslot.v1.CheckIntegrityResponse checkIntegrity(dev.memslot.v1.CheckIntegrityRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCheckIntegrityMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Makes the index anew from the store, with progress; the words of a namespace can be searched again when its turn is
     * done. A call that is cut short leaves the rest to the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED), NOT_FOUND (NAMESPACE_NOT_FOUND), UNAVAILABLE (INDEX_UNAVAILABLE: it cannot
     * be opened or written now, and why; ask again later).
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.memslot.v1.ReindexResponse>
        reindex(dev.memslot.v1.ReindexRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getReindexMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service AdminService.
   * <pre>
   * The sidecar itself: what it is, how it does, and copies of its store.
   * </pre>
   */
  public static final class AdminServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<AdminServiceBlockingStub> {
    private AdminServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says which server this is, its limits, and what is enabled.
     * </pre>
     */
    public dev.memslot.v1.GetServerInfoResponse getServerInfo(dev.memslot.v1.GetServerInfoRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetServerInfoMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Counts what is stored and what was done since the process started.
     * </pre>
     */
    public dev.memslot.v1.StatsResponse stats(dev.memslot.v1.StatsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getStatsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams a consistent copy of the store while it goes on serving. The copy has a store_id of its own.
     * Errors: FAILED_PRECONDITION (BACKUP_UNSUPPORTED) where the store lives in RAM, RESOURCE_EXHAUSTED (STORE_FULL) where the
     * disk has no room for the copy.
     * </pre>
     */
    public java.util.Iterator<dev.memslot.v1.BackupResponse> backup(
        dev.memslot.v1.BackupRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getBackupMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Checks the store's files and that its counters, bodies and feed agree, and reads the index, which is made anew where it is
     * damaged. Finding a problem is an answer, not an error.
     * </pre>
     */
    public dev.memslot.v1.CheckIntegrityResponse checkIntegrity(dev.memslot.v1.CheckIntegrityRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCheckIntegrityMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Makes the index anew from the store, with progress; the words of a namespace can be searched again when its turn is
     * done. A call that is cut short leaves the rest to the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED), NOT_FOUND (NAMESPACE_NOT_FOUND), UNAVAILABLE (INDEX_UNAVAILABLE: it cannot
     * be opened or written now, and why; ask again later).
     * </pre>
     */
    public java.util.Iterator<dev.memslot.v1.ReindexResponse> reindex(
        dev.memslot.v1.ReindexRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getReindexMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service AdminService.
   * <pre>
   * The sidecar itself: what it is, how it does, and copies of its store.
   * </pre>
   */
  public static final class AdminServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<AdminServiceFutureStub> {
    private AdminServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Says which server this is, its limits, and what is enabled.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.GetServerInfoResponse> getServerInfo(
        dev.memslot.v1.GetServerInfoRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetServerInfoMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Counts what is stored and what was done since the process started.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.StatsResponse> stats(
        dev.memslot.v1.StatsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getStatsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Checks the store's files and that its counters, bodies and feed agree, and reads the index, which is made anew where it is
     * damaged. Finding a problem is an answer, not an error.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.CheckIntegrityResponse> checkIntegrity(
        dev.memslot.v1.CheckIntegrityRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCheckIntegrityMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_GET_SERVER_INFO = 0;
  private static final int METHODID_STATS = 1;
  private static final int METHODID_BACKUP = 2;
  private static final int METHODID_CHECK_INTEGRITY = 3;
  private static final int METHODID_REINDEX = 4;

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
        case METHODID_GET_SERVER_INFO:
          serviceImpl.getServerInfo((dev.memslot.v1.GetServerInfoRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.GetServerInfoResponse>) responseObserver);
          break;
        case METHODID_STATS:
          serviceImpl.stats((dev.memslot.v1.StatsRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.StatsResponse>) responseObserver);
          break;
        case METHODID_BACKUP:
          serviceImpl.backup((dev.memslot.v1.BackupRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.BackupResponse>) responseObserver);
          break;
        case METHODID_CHECK_INTEGRITY:
          serviceImpl.checkIntegrity((dev.memslot.v1.CheckIntegrityRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.CheckIntegrityResponse>) responseObserver);
          break;
        case METHODID_REINDEX:
          serviceImpl.reindex((dev.memslot.v1.ReindexRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ReindexResponse>) responseObserver);
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
          getGetServerInfoMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.GetServerInfoRequest,
              dev.memslot.v1.GetServerInfoResponse>(
                service, METHODID_GET_SERVER_INFO)))
        .addMethod(
          getStatsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.StatsRequest,
              dev.memslot.v1.StatsResponse>(
                service, METHODID_STATS)))
        .addMethod(
          getBackupMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.memslot.v1.BackupRequest,
              dev.memslot.v1.BackupResponse>(
                service, METHODID_BACKUP)))
        .addMethod(
          getCheckIntegrityMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.CheckIntegrityRequest,
              dev.memslot.v1.CheckIntegrityResponse>(
                service, METHODID_CHECK_INTEGRITY)))
        .addMethod(
          getReindexMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.memslot.v1.ReindexRequest,
              dev.memslot.v1.ReindexResponse>(
                service, METHODID_REINDEX)))
        .build();
  }

  private static abstract class AdminServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    AdminServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.memslot.v1.AdminServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("AdminService");
    }
  }

  private static final class AdminServiceFileDescriptorSupplier
      extends AdminServiceBaseDescriptorSupplier {
    AdminServiceFileDescriptorSupplier() {}
  }

  private static final class AdminServiceMethodDescriptorSupplier
      extends AdminServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    AdminServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (AdminServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new AdminServiceFileDescriptorSupplier())
              .addMethod(getGetServerInfoMethod())
              .addMethod(getStatsMethod())
              .addMethod(getBackupMethod())
              .addMethod(getCheckIntegrityMethod())
              .addMethod(getReindexMethod())
              .build();
        }
      }
    }
    return result;
  }
}
