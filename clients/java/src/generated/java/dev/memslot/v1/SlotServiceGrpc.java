package dev.memslot.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Slots: named bodies outside the prompt. No reply carries a body that was not asked for by name.
 * Errors are google.rpc.Status with an ErrorInfo (domain `memslot`, a reason in UPPER_SNAKE_CASE, values in metadata).
 * Every method may answer INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, INVALID_FILTER, UNKNOWN_FIELD), UNAVAILABLE
 * (STORE_UNAVAILABLE; retry), DATA_LOSS (STORE_CORRUPT) and INTERNAL (an error id in the metadata), and whatever writes
 * RESOURCE_EXHAUSTED (STORE_FULL) when the disk is full. An expired slot is invisible to every method.
 * A mutation may carry a `request_id`, a UUID that is kept with its answer for ten minutes, also through a crash: a repeat
 * returns the first answer and changes nothing; the same id with other content is INVALID_ARGUMENT (REQUEST_ID_REUSED).
 * Failures are not kept.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class SlotServiceGrpc {

  private SlotServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "memslot.v1.SlotService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.WriteRequest,
      dev.memslot.v1.WriteResponse> getWriteMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Write",
      requestType = dev.memslot.v1.WriteRequest.class,
      responseType = dev.memslot.v1.WriteResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.WriteRequest,
      dev.memslot.v1.WriteResponse> getWriteMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.WriteRequest, dev.memslot.v1.WriteResponse> getWriteMethod;
    if ((getWriteMethod = SlotServiceGrpc.getWriteMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getWriteMethod = SlotServiceGrpc.getWriteMethod) == null) {
          SlotServiceGrpc.getWriteMethod = getWriteMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.WriteRequest, dev.memslot.v1.WriteResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Write"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.WriteRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.WriteResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("Write"))
              .build();
        }
      }
    }
    return getWriteMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.UpdateInfoRequest,
      dev.memslot.v1.UpdateInfoResponse> getUpdateInfoMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateInfo",
      requestType = dev.memslot.v1.UpdateInfoRequest.class,
      responseType = dev.memslot.v1.UpdateInfoResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.UpdateInfoRequest,
      dev.memslot.v1.UpdateInfoResponse> getUpdateInfoMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.UpdateInfoRequest, dev.memslot.v1.UpdateInfoResponse> getUpdateInfoMethod;
    if ((getUpdateInfoMethod = SlotServiceGrpc.getUpdateInfoMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getUpdateInfoMethod = SlotServiceGrpc.getUpdateInfoMethod) == null) {
          SlotServiceGrpc.getUpdateInfoMethod = getUpdateInfoMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.UpdateInfoRequest, dev.memslot.v1.UpdateInfoResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateInfo"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.UpdateInfoRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.UpdateInfoResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("UpdateInfo"))
              .build();
        }
      }
    }
    return getUpdateInfoMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ReadRequest,
      dev.memslot.v1.ReadResponse> getReadMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Read",
      requestType = dev.memslot.v1.ReadRequest.class,
      responseType = dev.memslot.v1.ReadResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ReadRequest,
      dev.memslot.v1.ReadResponse> getReadMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ReadRequest, dev.memslot.v1.ReadResponse> getReadMethod;
    if ((getReadMethod = SlotServiceGrpc.getReadMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getReadMethod = SlotServiceGrpc.getReadMethod) == null) {
          SlotServiceGrpc.getReadMethod = getReadMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ReadRequest, dev.memslot.v1.ReadResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Read"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ReadRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ReadResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("Read"))
              .build();
        }
      }
    }
    return getReadMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ForgetRequest,
      dev.memslot.v1.ForgetResponse> getForgetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Forget",
      requestType = dev.memslot.v1.ForgetRequest.class,
      responseType = dev.memslot.v1.ForgetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ForgetRequest,
      dev.memslot.v1.ForgetResponse> getForgetMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ForgetRequest, dev.memslot.v1.ForgetResponse> getForgetMethod;
    if ((getForgetMethod = SlotServiceGrpc.getForgetMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getForgetMethod = SlotServiceGrpc.getForgetMethod) == null) {
          SlotServiceGrpc.getForgetMethod = getForgetMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ForgetRequest, dev.memslot.v1.ForgetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Forget"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ForgetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ForgetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("Forget"))
              .build();
        }
      }
    }
    return getForgetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ForgetMatchingRequest,
      dev.memslot.v1.ForgetMatchingResponse> getForgetMatchingMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ForgetMatching",
      requestType = dev.memslot.v1.ForgetMatchingRequest.class,
      responseType = dev.memslot.v1.ForgetMatchingResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ForgetMatchingRequest,
      dev.memslot.v1.ForgetMatchingResponse> getForgetMatchingMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ForgetMatchingRequest, dev.memslot.v1.ForgetMatchingResponse> getForgetMatchingMethod;
    if ((getForgetMatchingMethod = SlotServiceGrpc.getForgetMatchingMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getForgetMatchingMethod = SlotServiceGrpc.getForgetMatchingMethod) == null) {
          SlotServiceGrpc.getForgetMatchingMethod = getForgetMatchingMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ForgetMatchingRequest, dev.memslot.v1.ForgetMatchingResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ForgetMatching"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ForgetMatchingRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ForgetMatchingResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("ForgetMatching"))
              .build();
        }
      }
    }
    return getForgetMatchingMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.LookupRequest,
      dev.memslot.v1.LookupResponse> getLookupMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Lookup",
      requestType = dev.memslot.v1.LookupRequest.class,
      responseType = dev.memslot.v1.LookupResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.LookupRequest,
      dev.memslot.v1.LookupResponse> getLookupMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.LookupRequest, dev.memslot.v1.LookupResponse> getLookupMethod;
    if ((getLookupMethod = SlotServiceGrpc.getLookupMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getLookupMethod = SlotServiceGrpc.getLookupMethod) == null) {
          SlotServiceGrpc.getLookupMethod = getLookupMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.LookupRequest, dev.memslot.v1.LookupResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Lookup"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.LookupRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.LookupResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("Lookup"))
              .build();
        }
      }
    }
    return getLookupMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.DescribeRequest,
      dev.memslot.v1.DescribeResponse> getDescribeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Describe",
      requestType = dev.memslot.v1.DescribeRequest.class,
      responseType = dev.memslot.v1.DescribeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.DescribeRequest,
      dev.memslot.v1.DescribeResponse> getDescribeMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.DescribeRequest, dev.memslot.v1.DescribeResponse> getDescribeMethod;
    if ((getDescribeMethod = SlotServiceGrpc.getDescribeMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getDescribeMethod = SlotServiceGrpc.getDescribeMethod) == null) {
          SlotServiceGrpc.getDescribeMethod = getDescribeMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.DescribeRequest, dev.memslot.v1.DescribeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Describe"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.DescribeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.DescribeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("Describe"))
              .build();
        }
      }
    }
    return getDescribeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.BatchReadRequest,
      dev.memslot.v1.BatchReadResponse> getBatchReadMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchRead",
      requestType = dev.memslot.v1.BatchReadRequest.class,
      responseType = dev.memslot.v1.BatchReadResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.BatchReadRequest,
      dev.memslot.v1.BatchReadResponse> getBatchReadMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.BatchReadRequest, dev.memslot.v1.BatchReadResponse> getBatchReadMethod;
    if ((getBatchReadMethod = SlotServiceGrpc.getBatchReadMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getBatchReadMethod = SlotServiceGrpc.getBatchReadMethod) == null) {
          SlotServiceGrpc.getBatchReadMethod = getBatchReadMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.BatchReadRequest, dev.memslot.v1.BatchReadResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchRead"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.BatchReadRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.BatchReadResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("BatchRead"))
              .build();
        }
      }
    }
    return getBatchReadMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.SearchRequest,
      dev.memslot.v1.SearchResponse> getSearchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Search",
      requestType = dev.memslot.v1.SearchRequest.class,
      responseType = dev.memslot.v1.SearchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.SearchRequest,
      dev.memslot.v1.SearchResponse> getSearchMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.SearchRequest, dev.memslot.v1.SearchResponse> getSearchMethod;
    if ((getSearchMethod = SlotServiceGrpc.getSearchMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getSearchMethod = SlotServiceGrpc.getSearchMethod) == null) {
          SlotServiceGrpc.getSearchMethod = getSearchMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.SearchRequest, dev.memslot.v1.SearchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Search"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.SearchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.SearchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("Search"))
              .build();
        }
      }
    }
    return getSearchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.CommitRequest,
      dev.memslot.v1.CommitResponse> getCommitMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Commit",
      requestType = dev.memslot.v1.CommitRequest.class,
      responseType = dev.memslot.v1.CommitResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.CommitRequest,
      dev.memslot.v1.CommitResponse> getCommitMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.CommitRequest, dev.memslot.v1.CommitResponse> getCommitMethod;
    if ((getCommitMethod = SlotServiceGrpc.getCommitMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getCommitMethod = SlotServiceGrpc.getCommitMethod) == null) {
          SlotServiceGrpc.getCommitMethod = getCommitMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.CommitRequest, dev.memslot.v1.CommitResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Commit"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.CommitRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.CommitResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("Commit"))
              .build();
        }
      }
    }
    return getCommitMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ListVersionsRequest,
      dev.memslot.v1.ListVersionsResponse> getListVersionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListVersions",
      requestType = dev.memslot.v1.ListVersionsRequest.class,
      responseType = dev.memslot.v1.ListVersionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ListVersionsRequest,
      dev.memslot.v1.ListVersionsResponse> getListVersionsMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ListVersionsRequest, dev.memslot.v1.ListVersionsResponse> getListVersionsMethod;
    if ((getListVersionsMethod = SlotServiceGrpc.getListVersionsMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getListVersionsMethod = SlotServiceGrpc.getListVersionsMethod) == null) {
          SlotServiceGrpc.getListVersionsMethod = getListVersionsMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ListVersionsRequest, dev.memslot.v1.ListVersionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListVersions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ListVersionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ListVersionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("ListVersions"))
              .build();
        }
      }
    }
    return getListVersionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.memslot.v1.ReadVersionRequest,
      dev.memslot.v1.ReadVersionResponse> getReadVersionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReadVersion",
      requestType = dev.memslot.v1.ReadVersionRequest.class,
      responseType = dev.memslot.v1.ReadVersionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.memslot.v1.ReadVersionRequest,
      dev.memslot.v1.ReadVersionResponse> getReadVersionMethod() {
    io.grpc.MethodDescriptor<dev.memslot.v1.ReadVersionRequest, dev.memslot.v1.ReadVersionResponse> getReadVersionMethod;
    if ((getReadVersionMethod = SlotServiceGrpc.getReadVersionMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getReadVersionMethod = SlotServiceGrpc.getReadVersionMethod) == null) {
          SlotServiceGrpc.getReadVersionMethod = getReadVersionMethod =
              io.grpc.MethodDescriptor.<dev.memslot.v1.ReadVersionRequest, dev.memslot.v1.ReadVersionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReadVersion"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ReadVersionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.memslot.v1.ReadVersionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("ReadVersion"))
              .build();
        }
      }
    }
    return getReadVersionMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static SlotServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceStub>() {
        @java.lang.Override
        public SlotServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceStub(channel, callOptions);
        }
      };
    return SlotServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static SlotServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingV2Stub>() {
        @java.lang.Override
        public SlotServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return SlotServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static SlotServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingStub>() {
        @java.lang.Override
        public SlotServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceBlockingStub(channel, callOptions);
        }
      };
    return SlotServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static SlotServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceFutureStub>() {
        @java.lang.Override
        public SlotServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceFutureStub(channel, callOptions);
        }
      };
    return SlotServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Slots: named bodies outside the prompt. No reply carries a body that was not asked for by name.
   * Errors are google.rpc.Status with an ErrorInfo (domain `memslot`, a reason in UPPER_SNAKE_CASE, values in metadata).
   * Every method may answer INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, INVALID_FILTER, UNKNOWN_FIELD), UNAVAILABLE
   * (STORE_UNAVAILABLE; retry), DATA_LOSS (STORE_CORRUPT) and INTERNAL (an error id in the metadata), and whatever writes
   * RESOURCE_EXHAUSTED (STORE_FULL) when the disk is full. An expired slot is invisible to every method.
   * A mutation may carry a `request_id`, a UUID that is kept with its answer for ten minutes, also through a crash: a repeat
   * returns the first answer and changes nothing; the same id with other content is INVALID_ARGUMENT (REQUEST_ID_REUSED).
   * Failures are not kept.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Creates a slot or changes its body. Durable when answered.
     * Errors: ALREADY_EXISTS (SLOT_EXISTS), ABORTED (REVISION_MISMATCH), INVALID_ARGUMENT (BODY_TOO_LARGE, INVALID_BODY,
     * DIMENSION_MISMATCH), FAILED_PRECONDITION (CONTENT_TYPE_MISMATCH, INDEX_NOT_ENABLED: a vector for a namespace without), RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL).
     * </pre>
     */
    default void write(dev.memslot.v1.WriteRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.WriteResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWriteMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes metadata or expiry and never touches the body.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), ABORTED (REVISION_MISMATCH), ALREADY_EXISTS (SLOT_EXISTS), INVALID_ARGUMENT
     * (INVALID_BODY: the body is not what the new content type says).
     * </pre>
     */
    default void updateInfo(dev.memslot.v1.UpdateInfoRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.UpdateInfoResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateInfoMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one slot with its body, which counts as an access.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), FAILED_PRECONDITION (INDEX_NOT_ENABLED: view SUMMARY, and what makes summaries is not
     * installed here).
     * </pre>
     */
    default void read(dev.memslot.v1.ReadRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ReadResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes a slot with its versions. Forgetting what is not there is ABSENT, not an error.
     * Errors: ABORTED (REVISION_MISMATCH), UNAVAILABLE (ERASE_PENDING: forgotten, and erasing resumes by itself).
     * </pre>
     */
    default void forget(dev.memslot.v1.ForgetRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ForgetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getForgetMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes all slots that match, in portions of 500, each with a revision of its own. A call that was cut short may be
     * repeated: it goes on with what is left.
     * Errors: FAILED_PRECONDITION (TOO_MANY_MATCHES, with the count in metadata; nothing was forgotten), UNAVAILABLE
     * (ERASE_PENDING).
     * </pre>
     */
    default void forgetMatching(dev.memslot.v1.ForgetMatchingRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ForgetMatchingResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getForgetMatchingMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists slots without their bodies; reads no page of any body.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED: the token is of another store).
     * </pre>
     */
    default void lookup(dev.memslot.v1.LookupRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.LookupResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getLookupMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns everything but the body for up to 1000 names.
     * </pre>
     */
    default void describe(dev.memslot.v1.DescribeRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.DescribeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDescribeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns up to 1000 slots with their bodies within one byte budget.
     * </pre>
     */
    default void batchRead(dev.memslot.v1.BatchReadRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.BatchReadResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchReadMethod(), responseObserver);
    }

    /**
     * <pre>
     * Finds slots by words, by meaning, or both, best first, and never returns a body. Each hit was confirmed against the store:
     * what was forgotten, overwritten or has expired is not shown, and the limit is filled nevertheless. A slot is found by the
     * words of the very write that was just answered; vectors that the server makes follow in the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED: the namespace keeps no such index, and how to enable it;
     * INDEX_OUTDATED: its vectors were made by another model, and how to mend it), INVALID_ARGUMENT (DIMENSION_MISMATCH, with
     * both sizes; INVALID_PAGE_TOKEN), UNAVAILABLE (INDEX_UNAVAILABLE; EMBEDDER_UNAVAILABLE), DEADLINE_EXCEEDED (INDEX_BEHIND:
     * min_revision is not indexed yet). INDEX_OUTDATED and EMBEDDER_UNAVAILABLE are errors in mode VECTOR only: the others
     * search words alone and say so in `degraded`.
     * </pre>
     */
    default void search(dev.memslot.v1.SearchRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.SearchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSearchMethod(), responseObserver);
    }

    /**
     * <pre>
     * Applies up to 128 writes, forgets and checks in one namespace as one atomic transaction with one revision. A failure
     * names its `op_index` in the error's metadata, and nothing was changed.
     * Errors: those of Write and Forget.
     * </pre>
     */
    default void commit(dev.memslot.v1.CommitRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.CommitResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCommitMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the versions that the namespace keeps of a slot, newest first, the current one included.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    default void listVersions(dev.memslot.v1.ListVersionsRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ListVersionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListVersionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one kept version with its body, which counts as an access of the slot.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND, VERSION_NOT_FOUND).
     * </pre>
     */
    default void readVersion(dev.memslot.v1.ReadVersionRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ReadVersionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadVersionMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service SlotService.
   * <pre>
   * Slots: named bodies outside the prompt. No reply carries a body that was not asked for by name.
   * Errors are google.rpc.Status with an ErrorInfo (domain `memslot`, a reason in UPPER_SNAKE_CASE, values in metadata).
   * Every method may answer INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, INVALID_FILTER, UNKNOWN_FIELD), UNAVAILABLE
   * (STORE_UNAVAILABLE; retry), DATA_LOSS (STORE_CORRUPT) and INTERNAL (an error id in the metadata), and whatever writes
   * RESOURCE_EXHAUSTED (STORE_FULL) when the disk is full. An expired slot is invisible to every method.
   * A mutation may carry a `request_id`, a UUID that is kept with its answer for ten minutes, also through a crash: a repeat
   * returns the first answer and changes nothing; the same id with other content is INVALID_ARGUMENT (REQUEST_ID_REUSED).
   * Failures are not kept.
   * </pre>
   */
  public static abstract class SlotServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return SlotServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service SlotService.
   * <pre>
   * Slots: named bodies outside the prompt. No reply carries a body that was not asked for by name.
   * Errors are google.rpc.Status with an ErrorInfo (domain `memslot`, a reason in UPPER_SNAKE_CASE, values in metadata).
   * Every method may answer INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, INVALID_FILTER, UNKNOWN_FIELD), UNAVAILABLE
   * (STORE_UNAVAILABLE; retry), DATA_LOSS (STORE_CORRUPT) and INTERNAL (an error id in the metadata), and whatever writes
   * RESOURCE_EXHAUSTED (STORE_FULL) when the disk is full. An expired slot is invisible to every method.
   * A mutation may carry a `request_id`, a UUID that is kept with its answer for ten minutes, also through a crash: a repeat
   * returns the first answer and changes nothing; the same id with other content is INVALID_ARGUMENT (REQUEST_ID_REUSED).
   * Failures are not kept.
   * </pre>
   */
  public static final class SlotServiceStub
      extends io.grpc.stub.AbstractAsyncStub<SlotServiceStub> {
    private SlotServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates a slot or changes its body. Durable when answered.
     * Errors: ALREADY_EXISTS (SLOT_EXISTS), ABORTED (REVISION_MISMATCH), INVALID_ARGUMENT (BODY_TOO_LARGE, INVALID_BODY,
     * DIMENSION_MISMATCH), FAILED_PRECONDITION (CONTENT_TYPE_MISMATCH, INDEX_NOT_ENABLED: a vector for a namespace without), RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL).
     * </pre>
     */
    public void write(dev.memslot.v1.WriteRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.WriteResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getWriteMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes metadata or expiry and never touches the body.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), ABORTED (REVISION_MISMATCH), ALREADY_EXISTS (SLOT_EXISTS), INVALID_ARGUMENT
     * (INVALID_BODY: the body is not what the new content type says).
     * </pre>
     */
    public void updateInfo(dev.memslot.v1.UpdateInfoRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.UpdateInfoResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateInfoMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one slot with its body, which counts as an access.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), FAILED_PRECONDITION (INDEX_NOT_ENABLED: view SUMMARY, and what makes summaries is not
     * installed here).
     * </pre>
     */
    public void read(dev.memslot.v1.ReadRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ReadResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReadMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes a slot with its versions. Forgetting what is not there is ABSENT, not an error.
     * Errors: ABORTED (REVISION_MISMATCH), UNAVAILABLE (ERASE_PENDING: forgotten, and erasing resumes by itself).
     * </pre>
     */
    public void forget(dev.memslot.v1.ForgetRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ForgetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getForgetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes all slots that match, in portions of 500, each with a revision of its own. A call that was cut short may be
     * repeated: it goes on with what is left.
     * Errors: FAILED_PRECONDITION (TOO_MANY_MATCHES, with the count in metadata; nothing was forgotten), UNAVAILABLE
     * (ERASE_PENDING).
     * </pre>
     */
    public void forgetMatching(dev.memslot.v1.ForgetMatchingRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ForgetMatchingResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getForgetMatchingMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists slots without their bodies; reads no page of any body.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED: the token is of another store).
     * </pre>
     */
    public void lookup(dev.memslot.v1.LookupRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.LookupResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getLookupMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns everything but the body for up to 1000 names.
     * </pre>
     */
    public void describe(dev.memslot.v1.DescribeRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.DescribeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDescribeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns up to 1000 slots with their bodies within one byte budget.
     * </pre>
     */
    public void batchRead(dev.memslot.v1.BatchReadRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.BatchReadResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchReadMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Finds slots by words, by meaning, or both, best first, and never returns a body. Each hit was confirmed against the store:
     * what was forgotten, overwritten or has expired is not shown, and the limit is filled nevertheless. A slot is found by the
     * words of the very write that was just answered; vectors that the server makes follow in the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED: the namespace keeps no such index, and how to enable it;
     * INDEX_OUTDATED: its vectors were made by another model, and how to mend it), INVALID_ARGUMENT (DIMENSION_MISMATCH, with
     * both sizes; INVALID_PAGE_TOKEN), UNAVAILABLE (INDEX_UNAVAILABLE; EMBEDDER_UNAVAILABLE), DEADLINE_EXCEEDED (INDEX_BEHIND:
     * min_revision is not indexed yet). INDEX_OUTDATED and EMBEDDER_UNAVAILABLE are errors in mode VECTOR only: the others
     * search words alone and say so in `degraded`.
     * </pre>
     */
    public void search(dev.memslot.v1.SearchRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.SearchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSearchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Applies up to 128 writes, forgets and checks in one namespace as one atomic transaction with one revision. A failure
     * names its `op_index` in the error's metadata, and nothing was changed.
     * Errors: those of Write and Forget.
     * </pre>
     */
    public void commit(dev.memslot.v1.CommitRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.CommitResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCommitMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the versions that the namespace keeps of a slot, newest first, the current one included.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public void listVersions(dev.memslot.v1.ListVersionsRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ListVersionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListVersionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one kept version with its body, which counts as an access of the slot.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND, VERSION_NOT_FOUND).
     * </pre>
     */
    public void readVersion(dev.memslot.v1.ReadVersionRequest request,
        io.grpc.stub.StreamObserver<dev.memslot.v1.ReadVersionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReadVersionMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service SlotService.
   * <pre>
   * Slots: named bodies outside the prompt. No reply carries a body that was not asked for by name.
   * Errors are google.rpc.Status with an ErrorInfo (domain `memslot`, a reason in UPPER_SNAKE_CASE, values in metadata).
   * Every method may answer INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, INVALID_FILTER, UNKNOWN_FIELD), UNAVAILABLE
   * (STORE_UNAVAILABLE; retry), DATA_LOSS (STORE_CORRUPT) and INTERNAL (an error id in the metadata), and whatever writes
   * RESOURCE_EXHAUSTED (STORE_FULL) when the disk is full. An expired slot is invisible to every method.
   * A mutation may carry a `request_id`, a UUID that is kept with its answer for ten minutes, also through a crash: a repeat
   * returns the first answer and changes nothing; the same id with other content is INVALID_ARGUMENT (REQUEST_ID_REUSED).
   * Failures are not kept.
   * </pre>
   */
  public static final class SlotServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<SlotServiceBlockingV2Stub> {
    private SlotServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates a slot or changes its body. Durable when answered.
     * Errors: ALREADY_EXISTS (SLOT_EXISTS), ABORTED (REVISION_MISMATCH), INVALID_ARGUMENT (BODY_TOO_LARGE, INVALID_BODY,
     * DIMENSION_MISMATCH), FAILED_PRECONDITION (CONTENT_TYPE_MISMATCH, INDEX_NOT_ENABLED: a vector for a namespace without), RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL).
     * </pre>
     */
    public dev.memslot.v1.WriteResponse write(dev.memslot.v1.WriteRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getWriteMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes metadata or expiry and never touches the body.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), ABORTED (REVISION_MISMATCH), ALREADY_EXISTS (SLOT_EXISTS), INVALID_ARGUMENT
     * (INVALID_BODY: the body is not what the new content type says).
     * </pre>
     */
    public dev.memslot.v1.UpdateInfoResponse updateInfo(dev.memslot.v1.UpdateInfoRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateInfoMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one slot with its body, which counts as an access.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), FAILED_PRECONDITION (INDEX_NOT_ENABLED: view SUMMARY, and what makes summaries is not
     * installed here).
     * </pre>
     */
    public dev.memslot.v1.ReadResponse read(dev.memslot.v1.ReadRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a slot with its versions. Forgetting what is not there is ABSENT, not an error.
     * Errors: ABORTED (REVISION_MISMATCH), UNAVAILABLE (ERASE_PENDING: forgotten, and erasing resumes by itself).
     * </pre>
     */
    public dev.memslot.v1.ForgetResponse forget(dev.memslot.v1.ForgetRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getForgetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes all slots that match, in portions of 500, each with a revision of its own. A call that was cut short may be
     * repeated: it goes on with what is left.
     * Errors: FAILED_PRECONDITION (TOO_MANY_MATCHES, with the count in metadata; nothing was forgotten), UNAVAILABLE
     * (ERASE_PENDING).
     * </pre>
     */
    public dev.memslot.v1.ForgetMatchingResponse forgetMatching(dev.memslot.v1.ForgetMatchingRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getForgetMatchingMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists slots without their bodies; reads no page of any body.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED: the token is of another store).
     * </pre>
     */
    public dev.memslot.v1.LookupResponse lookup(dev.memslot.v1.LookupRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getLookupMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns everything but the body for up to 1000 names.
     * </pre>
     */
    public dev.memslot.v1.DescribeResponse describe(dev.memslot.v1.DescribeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDescribeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns up to 1000 slots with their bodies within one byte budget.
     * </pre>
     */
    public dev.memslot.v1.BatchReadResponse batchRead(dev.memslot.v1.BatchReadRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchReadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds slots by words, by meaning, or both, best first, and never returns a body. Each hit was confirmed against the store:
     * what was forgotten, overwritten or has expired is not shown, and the limit is filled nevertheless. A slot is found by the
     * words of the very write that was just answered; vectors that the server makes follow in the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED: the namespace keeps no such index, and how to enable it;
     * INDEX_OUTDATED: its vectors were made by another model, and how to mend it), INVALID_ARGUMENT (DIMENSION_MISMATCH, with
     * both sizes; INVALID_PAGE_TOKEN), UNAVAILABLE (INDEX_UNAVAILABLE; EMBEDDER_UNAVAILABLE), DEADLINE_EXCEEDED (INDEX_BEHIND:
     * min_revision is not indexed yet). INDEX_OUTDATED and EMBEDDER_UNAVAILABLE are errors in mode VECTOR only: the others
     * search words alone and say so in `degraded`.
     * </pre>
     */
    public dev.memslot.v1.SearchResponse search(dev.memslot.v1.SearchRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSearchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies up to 128 writes, forgets and checks in one namespace as one atomic transaction with one revision. A failure
     * names its `op_index` in the error's metadata, and nothing was changed.
     * Errors: those of Write and Forget.
     * </pre>
     */
    public dev.memslot.v1.CommitResponse commit(dev.memslot.v1.CommitRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCommitMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions that the namespace keeps of a slot, newest first, the current one included.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public dev.memslot.v1.ListVersionsResponse listVersions(dev.memslot.v1.ListVersionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListVersionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one kept version with its body, which counts as an access of the slot.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND, VERSION_NOT_FOUND).
     * </pre>
     */
    public dev.memslot.v1.ReadVersionResponse readVersion(dev.memslot.v1.ReadVersionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReadVersionMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service SlotService.
   * <pre>
   * Slots: named bodies outside the prompt. No reply carries a body that was not asked for by name.
   * Errors are google.rpc.Status with an ErrorInfo (domain `memslot`, a reason in UPPER_SNAKE_CASE, values in metadata).
   * Every method may answer INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, INVALID_FILTER, UNKNOWN_FIELD), UNAVAILABLE
   * (STORE_UNAVAILABLE; retry), DATA_LOSS (STORE_CORRUPT) and INTERNAL (an error id in the metadata), and whatever writes
   * RESOURCE_EXHAUSTED (STORE_FULL) when the disk is full. An expired slot is invisible to every method.
   * A mutation may carry a `request_id`, a UUID that is kept with its answer for ten minutes, also through a crash: a repeat
   * returns the first answer and changes nothing; the same id with other content is INVALID_ARGUMENT (REQUEST_ID_REUSED).
   * Failures are not kept.
   * </pre>
   */
  public static final class SlotServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<SlotServiceBlockingStub> {
    private SlotServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates a slot or changes its body. Durable when answered.
     * Errors: ALREADY_EXISTS (SLOT_EXISTS), ABORTED (REVISION_MISMATCH), INVALID_ARGUMENT (BODY_TOO_LARGE, INVALID_BODY,
     * DIMENSION_MISMATCH), FAILED_PRECONDITION (CONTENT_TYPE_MISMATCH, INDEX_NOT_ENABLED: a vector for a namespace without), RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL).
     * </pre>
     */
    public dev.memslot.v1.WriteResponse write(dev.memslot.v1.WriteRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getWriteMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes metadata or expiry and never touches the body.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), ABORTED (REVISION_MISMATCH), ALREADY_EXISTS (SLOT_EXISTS), INVALID_ARGUMENT
     * (INVALID_BODY: the body is not what the new content type says).
     * </pre>
     */
    public dev.memslot.v1.UpdateInfoResponse updateInfo(dev.memslot.v1.UpdateInfoRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateInfoMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one slot with its body, which counts as an access.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), FAILED_PRECONDITION (INDEX_NOT_ENABLED: view SUMMARY, and what makes summaries is not
     * installed here).
     * </pre>
     */
    public dev.memslot.v1.ReadResponse read(dev.memslot.v1.ReadRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a slot with its versions. Forgetting what is not there is ABSENT, not an error.
     * Errors: ABORTED (REVISION_MISMATCH), UNAVAILABLE (ERASE_PENDING: forgotten, and erasing resumes by itself).
     * </pre>
     */
    public dev.memslot.v1.ForgetResponse forget(dev.memslot.v1.ForgetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getForgetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes all slots that match, in portions of 500, each with a revision of its own. A call that was cut short may be
     * repeated: it goes on with what is left.
     * Errors: FAILED_PRECONDITION (TOO_MANY_MATCHES, with the count in metadata; nothing was forgotten), UNAVAILABLE
     * (ERASE_PENDING).
     * </pre>
     */
    public dev.memslot.v1.ForgetMatchingResponse forgetMatching(dev.memslot.v1.ForgetMatchingRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getForgetMatchingMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists slots without their bodies; reads no page of any body.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED: the token is of another store).
     * </pre>
     */
    public dev.memslot.v1.LookupResponse lookup(dev.memslot.v1.LookupRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getLookupMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns everything but the body for up to 1000 names.
     * </pre>
     */
    public dev.memslot.v1.DescribeResponse describe(dev.memslot.v1.DescribeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDescribeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns up to 1000 slots with their bodies within one byte budget.
     * </pre>
     */
    public dev.memslot.v1.BatchReadResponse batchRead(dev.memslot.v1.BatchReadRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchReadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds slots by words, by meaning, or both, best first, and never returns a body. Each hit was confirmed against the store:
     * what was forgotten, overwritten or has expired is not shown, and the limit is filled nevertheless. A slot is found by the
     * words of the very write that was just answered; vectors that the server makes follow in the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED: the namespace keeps no such index, and how to enable it;
     * INDEX_OUTDATED: its vectors were made by another model, and how to mend it), INVALID_ARGUMENT (DIMENSION_MISMATCH, with
     * both sizes; INVALID_PAGE_TOKEN), UNAVAILABLE (INDEX_UNAVAILABLE; EMBEDDER_UNAVAILABLE), DEADLINE_EXCEEDED (INDEX_BEHIND:
     * min_revision is not indexed yet). INDEX_OUTDATED and EMBEDDER_UNAVAILABLE are errors in mode VECTOR only: the others
     * search words alone and say so in `degraded`.
     * </pre>
     */
    public dev.memslot.v1.SearchResponse search(dev.memslot.v1.SearchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSearchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Applies up to 128 writes, forgets and checks in one namespace as one atomic transaction with one revision. A failure
     * names its `op_index` in the error's metadata, and nothing was changed.
     * Errors: those of Write and Forget.
     * </pre>
     */
    public dev.memslot.v1.CommitResponse commit(dev.memslot.v1.CommitRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCommitMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions that the namespace keeps of a slot, newest first, the current one included.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public dev.memslot.v1.ListVersionsResponse listVersions(dev.memslot.v1.ListVersionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListVersionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one kept version with its body, which counts as an access of the slot.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND, VERSION_NOT_FOUND).
     * </pre>
     */
    public dev.memslot.v1.ReadVersionResponse readVersion(dev.memslot.v1.ReadVersionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReadVersionMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service SlotService.
   * <pre>
   * Slots: named bodies outside the prompt. No reply carries a body that was not asked for by name.
   * Errors are google.rpc.Status with an ErrorInfo (domain `memslot`, a reason in UPPER_SNAKE_CASE, values in metadata).
   * Every method may answer INVALID_ARGUMENT (INVALID_NAME, INVALID_FIELD, INVALID_FILTER, UNKNOWN_FIELD), UNAVAILABLE
   * (STORE_UNAVAILABLE; retry), DATA_LOSS (STORE_CORRUPT) and INTERNAL (an error id in the metadata), and whatever writes
   * RESOURCE_EXHAUSTED (STORE_FULL) when the disk is full. An expired slot is invisible to every method.
   * A mutation may carry a `request_id`, a UUID that is kept with its answer for ten minutes, also through a crash: a repeat
   * returns the first answer and changes nothing; the same id with other content is INVALID_ARGUMENT (REQUEST_ID_REUSED).
   * Failures are not kept.
   * </pre>
   */
  public static final class SlotServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<SlotServiceFutureStub> {
    private SlotServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Creates a slot or changes its body. Durable when answered.
     * Errors: ALREADY_EXISTS (SLOT_EXISTS), ABORTED (REVISION_MISMATCH), INVALID_ARGUMENT (BODY_TOO_LARGE, INVALID_BODY,
     * DIMENSION_MISMATCH), FAILED_PRECONDITION (CONTENT_TYPE_MISMATCH, INDEX_NOT_ENABLED: a vector for a namespace without), RESOURCE_EXHAUSTED (SLOT_LIMIT_REACHED, STORE_FULL).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.WriteResponse> write(
        dev.memslot.v1.WriteRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getWriteMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes metadata or expiry and never touches the body.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), ABORTED (REVISION_MISMATCH), ALREADY_EXISTS (SLOT_EXISTS), INVALID_ARGUMENT
     * (INVALID_BODY: the body is not what the new content type says).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.UpdateInfoResponse> updateInfo(
        dev.memslot.v1.UpdateInfoRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateInfoMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one slot with its body, which counts as an access.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), FAILED_PRECONDITION (INDEX_NOT_ENABLED: view SUMMARY, and what makes summaries is not
     * installed here).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ReadResponse> read(
        dev.memslot.v1.ReadRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReadMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes a slot with its versions. Forgetting what is not there is ABSENT, not an error.
     * Errors: ABORTED (REVISION_MISMATCH), UNAVAILABLE (ERASE_PENDING: forgotten, and erasing resumes by itself).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ForgetResponse> forget(
        dev.memslot.v1.ForgetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getForgetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes all slots that match, in portions of 500, each with a revision of its own. A call that was cut short may be
     * repeated: it goes on with what is left.
     * Errors: FAILED_PRECONDITION (TOO_MANY_MATCHES, with the count in metadata; nothing was forgotten), UNAVAILABLE
     * (ERASE_PENDING).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ForgetMatchingResponse> forgetMatching(
        dev.memslot.v1.ForgetMatchingRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getForgetMatchingMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists slots without their bodies; reads no page of any body.
     * Errors: INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED: the token is of another store).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.LookupResponse> lookup(
        dev.memslot.v1.LookupRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getLookupMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns everything but the body for up to 1000 names.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.DescribeResponse> describe(
        dev.memslot.v1.DescribeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDescribeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns up to 1000 slots with their bodies within one byte budget.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.BatchReadResponse> batchRead(
        dev.memslot.v1.BatchReadRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchReadMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Finds slots by words, by meaning, or both, best first, and never returns a body. Each hit was confirmed against the store:
     * what was forgotten, overwritten or has expired is not shown, and the limit is filled nevertheless. A slot is found by the
     * words of the very write that was just answered; vectors that the server makes follow in the background.
     * Errors: FAILED_PRECONDITION (INDEX_NOT_ENABLED: the namespace keeps no such index, and how to enable it;
     * INDEX_OUTDATED: its vectors were made by another model, and how to mend it), INVALID_ARGUMENT (DIMENSION_MISMATCH, with
     * both sizes; INVALID_PAGE_TOKEN), UNAVAILABLE (INDEX_UNAVAILABLE; EMBEDDER_UNAVAILABLE), DEADLINE_EXCEEDED (INDEX_BEHIND:
     * min_revision is not indexed yet). INDEX_OUTDATED and EMBEDDER_UNAVAILABLE are errors in mode VECTOR only: the others
     * search words alone and say so in `degraded`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.SearchResponse> search(
        dev.memslot.v1.SearchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSearchMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Applies up to 128 writes, forgets and checks in one namespace as one atomic transaction with one revision. A failure
     * names its `op_index` in the error's metadata, and nothing was changed.
     * Errors: those of Write and Forget.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.CommitResponse> commit(
        dev.memslot.v1.CommitRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCommitMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the versions that the namespace keeps of a slot, newest first, the current one included.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND), INVALID_ARGUMENT (INVALID_PAGE_TOKEN), FAILED_PRECONDITION (STORE_REPLACED).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ListVersionsResponse> listVersions(
        dev.memslot.v1.ListVersionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListVersionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one kept version with its body, which counts as an access of the slot.
     * Errors: NOT_FOUND (SLOT_NOT_FOUND, VERSION_NOT_FOUND).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.memslot.v1.ReadVersionResponse> readVersion(
        dev.memslot.v1.ReadVersionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReadVersionMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_WRITE = 0;
  private static final int METHODID_UPDATE_INFO = 1;
  private static final int METHODID_READ = 2;
  private static final int METHODID_FORGET = 3;
  private static final int METHODID_FORGET_MATCHING = 4;
  private static final int METHODID_LOOKUP = 5;
  private static final int METHODID_DESCRIBE = 6;
  private static final int METHODID_BATCH_READ = 7;
  private static final int METHODID_SEARCH = 8;
  private static final int METHODID_COMMIT = 9;
  private static final int METHODID_LIST_VERSIONS = 10;
  private static final int METHODID_READ_VERSION = 11;

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
        case METHODID_WRITE:
          serviceImpl.write((dev.memslot.v1.WriteRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.WriteResponse>) responseObserver);
          break;
        case METHODID_UPDATE_INFO:
          serviceImpl.updateInfo((dev.memslot.v1.UpdateInfoRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.UpdateInfoResponse>) responseObserver);
          break;
        case METHODID_READ:
          serviceImpl.read((dev.memslot.v1.ReadRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ReadResponse>) responseObserver);
          break;
        case METHODID_FORGET:
          serviceImpl.forget((dev.memslot.v1.ForgetRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ForgetResponse>) responseObserver);
          break;
        case METHODID_FORGET_MATCHING:
          serviceImpl.forgetMatching((dev.memslot.v1.ForgetMatchingRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ForgetMatchingResponse>) responseObserver);
          break;
        case METHODID_LOOKUP:
          serviceImpl.lookup((dev.memslot.v1.LookupRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.LookupResponse>) responseObserver);
          break;
        case METHODID_DESCRIBE:
          serviceImpl.describe((dev.memslot.v1.DescribeRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.DescribeResponse>) responseObserver);
          break;
        case METHODID_BATCH_READ:
          serviceImpl.batchRead((dev.memslot.v1.BatchReadRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.BatchReadResponse>) responseObserver);
          break;
        case METHODID_SEARCH:
          serviceImpl.search((dev.memslot.v1.SearchRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.SearchResponse>) responseObserver);
          break;
        case METHODID_COMMIT:
          serviceImpl.commit((dev.memslot.v1.CommitRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.CommitResponse>) responseObserver);
          break;
        case METHODID_LIST_VERSIONS:
          serviceImpl.listVersions((dev.memslot.v1.ListVersionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ListVersionsResponse>) responseObserver);
          break;
        case METHODID_READ_VERSION:
          serviceImpl.readVersion((dev.memslot.v1.ReadVersionRequest) request,
              (io.grpc.stub.StreamObserver<dev.memslot.v1.ReadVersionResponse>) responseObserver);
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
          getWriteMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.WriteRequest,
              dev.memslot.v1.WriteResponse>(
                service, METHODID_WRITE)))
        .addMethod(
          getUpdateInfoMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.UpdateInfoRequest,
              dev.memslot.v1.UpdateInfoResponse>(
                service, METHODID_UPDATE_INFO)))
        .addMethod(
          getReadMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ReadRequest,
              dev.memslot.v1.ReadResponse>(
                service, METHODID_READ)))
        .addMethod(
          getForgetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ForgetRequest,
              dev.memslot.v1.ForgetResponse>(
                service, METHODID_FORGET)))
        .addMethod(
          getForgetMatchingMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ForgetMatchingRequest,
              dev.memslot.v1.ForgetMatchingResponse>(
                service, METHODID_FORGET_MATCHING)))
        .addMethod(
          getLookupMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.LookupRequest,
              dev.memslot.v1.LookupResponse>(
                service, METHODID_LOOKUP)))
        .addMethod(
          getDescribeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.DescribeRequest,
              dev.memslot.v1.DescribeResponse>(
                service, METHODID_DESCRIBE)))
        .addMethod(
          getBatchReadMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.BatchReadRequest,
              dev.memslot.v1.BatchReadResponse>(
                service, METHODID_BATCH_READ)))
        .addMethod(
          getSearchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.SearchRequest,
              dev.memslot.v1.SearchResponse>(
                service, METHODID_SEARCH)))
        .addMethod(
          getCommitMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.CommitRequest,
              dev.memslot.v1.CommitResponse>(
                service, METHODID_COMMIT)))
        .addMethod(
          getListVersionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ListVersionsRequest,
              dev.memslot.v1.ListVersionsResponse>(
                service, METHODID_LIST_VERSIONS)))
        .addMethod(
          getReadVersionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.memslot.v1.ReadVersionRequest,
              dev.memslot.v1.ReadVersionResponse>(
                service, METHODID_READ_VERSION)))
        .build();
  }

  private static abstract class SlotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    SlotServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.memslot.v1.SlotServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("SlotService");
    }
  }

  private static final class SlotServiceFileDescriptorSupplier
      extends SlotServiceBaseDescriptorSupplier {
    SlotServiceFileDescriptorSupplier() {}
  }

  private static final class SlotServiceMethodDescriptorSupplier
      extends SlotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    SlotServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (SlotServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new SlotServiceFileDescriptorSupplier())
              .addMethod(getWriteMethod())
              .addMethod(getUpdateInfoMethod())
              .addMethod(getReadMethod())
              .addMethod(getForgetMethod())
              .addMethod(getForgetMatchingMethod())
              .addMethod(getLookupMethod())
              .addMethod(getDescribeMethod())
              .addMethod(getBatchReadMethod())
              .addMethod(getSearchMethod())
              .addMethod(getCommitMethod())
              .addMethod(getListVersionsMethod())
              .addMethod(getReadVersionMethod())
              .build();
        }
      }
    }
    return result;
  }
}
