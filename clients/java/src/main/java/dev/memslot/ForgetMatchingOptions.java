package dev.memslot;

import dev.memslot.v1.ForgetMatchingRequest;

/** How to forget what matches. */
public final class ForgetMatchingOptions {
  private final ForgetMatchingRequest.Builder request;

  ForgetMatchingOptions(ForgetMatchingRequest.Builder request) {
    this.request = request;
  }

  /** Also in the namespaces below. */
  public ForgetMatchingOptions recursive() {
    request.setRecursive(true);
    return this;
  }

  /** More matches are TooManyMatchesException, and nothing is forgotten. */
  public ForgetMatchingOptions maximum(long slots) {
    request.setMax(slots).setAllowPartial(false);
    return this;
  }

  /** At most so many are forgotten, the lowest ranked first. */
  public ForgetMatchingOptions atMost(long slots) {
    request.setMax(slots).setAllowPartial(true);
    return this;
  }

  /** Answer when the bytes of the bodies are in no file of the store (backups aside). */
  public ForgetMatchingOptions erase() {
    request.setErase(true);
    return this;
  }
}
