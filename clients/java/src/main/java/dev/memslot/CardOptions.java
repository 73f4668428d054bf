package dev.memslot;

import dev.memslot.model.Language;
import dev.memslot.v1.GetPromptCardRequest;

/** What a prompt card looks like. */
public final class CardOptions {
  private final GetPromptCardRequest.Builder request;

  CardOptions(GetPromptCardRequest.Builder request) {
    this.request = request.setLanguageValue(Language.EN.number());
  }

  /** Its language. */
  public CardOptions language(Language language) {
    request.setLanguageValue(language.number());
    return this;
  }

  /** At most so many characters: 4,000 when it is not said, at least 700. */
  public CardOptions maxChars(int characters) {
    request.setMaxChars(characters);
    return this;
  }

  /** At most so many tokens. */
  public CardOptions maxTokens(int tokens) {
    request.setMaxTokens(tokens);
    return this;
  }

  /** What counts tokens. */
  public CardOptions tokenCounter(String name) {
    request.setTokenCounter(name);
    return this;
  }

  /** Leave out how an action is written as text, for a model that is given the tools. */
  public CardOptions withSchemas() {
    request.setWithSchemas(true);
    return this;
  }

  /** Make the card of the conversation anew. */
  public CardOptions renew() {
    request.setRenew(true);
    return this;
  }
}
