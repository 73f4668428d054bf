package dev.memslot;

import dev.memslot.model.Language;
import dev.memslot.v1.GetTokenReportRequest;

/** Which turns a token report is about. */
public final class ReportOptions {
  private final GetTokenReportRequest.Builder request;

  ReportOptions(GetTokenReportRequest.Builder request) {
    this.request = request.setLanguageValue(Language.EN.number());
  }

  /** Turns of this conversation; of the client's when it is not said, or of all. */
  public ReportOptions conversation(String name) {
    request.setConversation(name);
    return this;
  }

  /**
   * At most so many of the latest turns: 100 when it is not said, at most 1000.
   *
   * @throws IllegalArgumentException for less than one
   */
  public ReportOptions limit(int turns) {
    if (turns < 1) {
      throw new IllegalArgumentException("ask for one turn at least");
    }
    request.setLimit(turns);
    return this;
  }

  /** The language of the verdict and the problems. */
  public ReportOptions language(Language language) {
    request.setLanguageValue(language.number());
    return this;
  }
}
