package dev.memslot;

import dev.memslot.errors.MemslotExceptions;
import dev.memslot.internal.Call;
import dev.memslot.internal.SlotMessages;
import dev.memslot.model.Committed;
import dev.memslot.model.Forgotten;
import dev.memslot.model.LookupPage;
import dev.memslot.model.Receipt;
import dev.memslot.model.Slot;
import dev.memslot.model.SlotInfo;
import dev.memslot.v1.CommitRequest;
import dev.memslot.v1.CommitResponse;
import dev.memslot.v1.DescribeRequest;
import dev.memslot.v1.DescribeResponse;
import dev.memslot.v1.DescribeResult;
import dev.memslot.v1.ForgetMatchingRequest;
import dev.memslot.v1.ForgetMatchingResponse;
import dev.memslot.v1.ForgetRequest;
import dev.memslot.v1.ForgetResponse;
import dev.memslot.v1.LookupRequest;
import dev.memslot.v1.LookupResponse;
import dev.memslot.v1.LookupView;
import dev.memslot.v1.ReadRequest;
import dev.memslot.v1.ReadResponse;
import dev.memslot.v1.ReadVersionRequest;
import dev.memslot.v1.ReadVersionResponse;
import dev.memslot.v1.SlotServiceGrpc;
import dev.memslot.v1.UpdateInfoRequest;
import dev.memslot.v1.UpdateInfoResponse;
import dev.memslot.v1.WriteRequest;
import dev.memslot.v1.WriteResponse;
import java.util.List;
import java.util.function.Consumer;

/** The calls about slots, for both faces. */
final class SlotCalls {
  private SlotCalls() {}

  static Call<WriteRequest, WriteResponse, Receipt> write(
      String namespace, WriteRequest.Builder request) {
    return new Call<>(
        SlotServiceGrpc.getWriteMethod(),
        request.setNamespace(namespace).build(),
        Receipt.class,
        reply -> SlotMessages.receipt(reply.getReceipt()));
  }

  static Call<UpdateInfoRequest, UpdateInfoResponse, Receipt> updateInfo(
      String namespace, String name, Consumer<InfoOptions> details) {
    InfoOptions options = new InfoOptions(namespace, name);
    details.accept(options);
    return new Call<>(
        SlotServiceGrpc.getUpdateInfoMethod(),
        options.request(),
        Receipt.class,
        reply -> SlotMessages.receipt(reply.getReceipt()));
  }

  static Call<ReadRequest, ReadResponse, Slot> read(String namespace, String name) {
    return new Call<>(
        SlotServiceGrpc.getReadMethod(),
        ReadRequest.newBuilder().setNamespace(namespace).setName(name).build(),
        Slot.class,
        reply -> SlotMessages.slot(reply.getSlot()));
  }

  static Call<ReadVersionRequest, ReadVersionResponse, Slot> readVersion(
      String namespace, String name, long revision) {
    return new Call<>(
        SlotServiceGrpc.getReadVersionMethod(),
        ReadVersionRequest.newBuilder()
            .setNamespace(namespace)
            .setName(name)
            .setVersionRevision(revision)
            .build(),
        Slot.class,
        reply -> SlotMessages.slot(reply.getSlot()));
  }

  static Call<DescribeRequest, DescribeResponse, SlotInfo> describe(
      String namespace, String name, boolean summaries) {
    return new Call<>(
        SlotServiceGrpc.getDescribeMethod(),
        DescribeRequest.newBuilder()
            .setNamespace(namespace)
            .addNames(name)
            .setSummaries(summaries)
            .build(),
        SlotInfo.class,
        reply -> described(reply.getResults(0)));
  }

  private static SlotInfo described(DescribeResult result) {
    if (!result.hasInfo()) {
      throw MemslotExceptions.of(result.getStatus());
    }
    return SlotMessages.described(result);
  }

  static Call<ForgetRequest, ForgetResponse, Receipt> forget(
      String namespace, String name, Consumer<ForgetOptions> details) {
    ForgetOptions options = new ForgetOptions(name);
    details.accept(options);
    return new Call<>(
        SlotServiceGrpc.getForgetMethod(),
        options.request().setNamespace(namespace).build(),
        Receipt.class,
        reply -> SlotMessages.receipt(reply.getReceipt()));
  }

  static Call<ForgetMatchingRequest, ForgetMatchingResponse, Forgotten> forgetMatching(
      ForgetMatchingRequest.Builder request, Consumer<ForgetMatchingOptions> details) {
    details.accept(new ForgetMatchingOptions(request));
    return new Call<>(
        SlotServiceGrpc.getForgetMatchingMethod(),
        request.build(),
        Forgotten.class,
        SlotMessages::forgotten);
  }

  static Call<CommitRequest, CommitResponse, Committed> commit(String namespace, Batch batch) {
    return new Call<>(
        SlotServiceGrpc.getCommitMethod(),
        CommitRequest.newBuilder()
            .setNamespace(namespace)
            .addAllOperations(batch.operations())
            .build(),
        Committed.class,
        SlotMessages::committed);
  }

  static Call<LookupRequest, LookupResponse, LookupPage> lookup(LookupRequest request) {
    boolean withInfo = request.getView() == LookupView.LOOKUP_VIEW_INFO;
    return new Call<>(
        SlotServiceGrpc.getLookupMethod(),
        request,
        LookupPage.class,
        reply -> SlotMessages.page(reply, request.getNamespace(), withInfo));
  }

  static LookupRequest lookupRequest(
      String namespace, String prefix, Consumer<LookupOptions> details) {
    LookupOptions options = new LookupOptions(namespace, prefix);
    details.accept(options);
    return options.request();
  }

  static ForgetMatchingRequest.Builder matching(String namespace, List<Condition> conditions) {
    ForgetMatchingRequest.Builder request =
        ForgetMatchingRequest.newBuilder().setNamespace(namespace);
    conditions.forEach(condition -> request.setFilter(condition.filter()));
    return request.setAll(conditions.isEmpty());
  }
}
