package dev.memslot;

import dev.memslot.v1.InspectPromptRequest;

/** How a prompt is inspected. */
public final class InspectOptions {
  private final InspectPromptRequest.Builder request;

  InspectOptions(InspectPromptRequest.Builder request) {
    this.request = request;
  }

  /** The turn whose injections are allowed, instead of that of {@link Memory#inTurn}. */
  public InspectOptions turn(String id) {
    request.setTurn(id);
    return this;
  }

  /** What counts tokens; the server's setting when it is not said. */
  public InspectOptions tokenCounter(String name) {
    request.setTokenCounter(name);
    return this;
  }
}
