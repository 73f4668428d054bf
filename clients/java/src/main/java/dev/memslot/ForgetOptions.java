package dev.memslot;

import dev.memslot.v1.ForgetRequest;
import dev.memslot.v1.Precondition;

/** How to forget a slot. */
public final class ForgetOptions {
  private final ForgetRequest.Builder request;

  ForgetOptions(String name) {
    request = ForgetRequest.newBuilder().setName(name);
  }

  /** Only if the slot is at this revision; otherwise RevisionMismatchException. */
  public ForgetOptions ifRevision(long revision) {
    request.setPrecondition(Precondition.newBuilder().setIfRevision(revision));
    return this;
  }

  /** Answer when the bytes of the body are in no file of the store (backups aside). */
  public ForgetOptions erase() {
    request.setErase(true);
    return this;
  }

  ForgetRequest.Builder request() {
    return request;
  }
}
