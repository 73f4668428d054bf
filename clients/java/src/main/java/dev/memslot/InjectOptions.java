package dev.memslot;

import dev.memslot.model.Language;
import dev.memslot.v1.InjectRequest;
import dev.memslot.v1.UntrustedPolicy;

/** How slots are shown to a model. */
public final class InjectOptions {
  private final InjectRequest.Builder request;

  InjectOptions(InjectRequest.Builder request) {
    this.request =
        request
            .setUntrusted(UntrustedPolicy.UNTRUSTED_POLICY_MARK)
            .setLanguageValue(Language.EN.number());
  }

  /** At most so many characters; 16,000 when it is not said. */
  public InjectOptions maxChars(int characters) {
    request.setMaxChars(characters);
    return this;
  }

  /** At most so many tokens. */
  public InjectOptions maxTokens(int tokens) {
    request.setMaxTokens(tokens);
    return this;
  }

  /** What counts tokens. */
  public InjectOptions tokenCounter(String name) {
    request.setTokenCounter(name);
    return this;
  }

  /** The turn with which it is booked; by default that of {@link Memory#inTurn}. */
  public InjectOptions turn(String id) {
    request.setTurn(id);
    return this;
  }

  /** The language of what stands around the bodies. */
  public InjectOptions language(Language language) {
    request.setLanguageValue(language.number());
    return this;
  }

  /** Leave out what a model or a tool wrote, or nobody says who. */
  public InjectOptions refuseUntrusted() {
    request.setUntrusted(UntrustedPolicy.UNTRUSTED_POLICY_REFUSE);
    return this;
  }

  /** Leave out a body that does not fit, instead of showing its summary. */
  public InjectOptions noSummaries() {
    request.setNoSummaries(true);
    return this;
  }
}
