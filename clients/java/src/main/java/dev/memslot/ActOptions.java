package dev.memslot;

import dev.memslot.model.Language;
import dev.memslot.model.OnRead;
import dev.memslot.v1.ActMode;
import dev.memslot.v1.ActRequest;
import java.util.List;
import java.util.UUID;

/** How a model's output is read, and what becomes of it. */
public final class ActOptions {
  private final ActRequest.Builder request;

  ActOptions(ActRequest.Builder request) {
    this.request =
        request
            .setMode(ActMode.ACT_MODE_STRICT)
            .setOnReadValue(OnRead.APPLICATION.number())
            .setLanguageValue(Language.EN.number());
  }

  /** Also take what has exactly one reading once it is mended. */
  public ActOptions lenient() {
    request.setMode(ActMode.ACT_MODE_LENIENT);
    return this;
  }

  /** Execute nothing. */
  public ActOptions validateOnly() {
    request.setValidateOnly(true);
    return this;
  }

  /** Where a body goes that the model asks to read. */
  public ActOptions onRead(OnRead where) {
    request.setOnReadValue(where.number());
    return this;
  }

  /** At most so many characters of what is shown once; 16,000 when it is not said. */
  public ActOptions maxInjectedChars(int characters) {
    request.setMaxInjectedChars(characters);
    return this;
  }

  /** The turn that this belongs to; by default that of {@link Memory#inTurn}. */
  public ActOptions turn(String id) {
    request.setTurn(id);
    return this;
  }

  /** The language of the receipts. */
  public ActOptions language(Language language) {
    request.setLanguageValue(language.number());
    return this;
  }

  /** Prefixes under which the host offers the actions, such as {@code mcp__memslot__}. */
  public ActOptions ownPrefixes(String... prefixes) {
    request.clearOwnPrefixes().addAllOwnPrefixes(List.of(prefixes));
    return this;
  }

  /** The id under which the call is safe to repeat for ten minutes; by default a fresh one. */
  public ActOptions requestId(UUID id) {
    request.setRequestId(id.toString());
    return this;
  }
}
