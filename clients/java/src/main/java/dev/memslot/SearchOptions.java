package dev.memslot;

import dev.memslot.model.SearchMode;
import dev.memslot.v1.SearchRequest;
import dev.memslot.v1.SearchView;

/** What a search finds, and what it brings. */
public final class SearchOptions {
  private static final int LIMIT = 10;

  private final SearchRequest.Builder request;
  private int limit = LIMIT;

  SearchOptions(String namespace, String text) {
    request =
        SearchRequest.newBuilder()
            .setNamespace(namespace)
            .setText(text)
            .setModeValue(SearchMode.AUTO.number())
            .setView(SearchView.SEARCH_VIEW_NAMES);
  }

  /** Takes the place of the vector that the namespace's embedder makes of the text. */
  public SearchOptions vector(float... numbers) {
    request.clearVector();
    for (float number : numbers) {
      request.addVector(number);
    }
    return this;
  }

  /** By what to search. */
  public SearchOptions mode(SearchMode mode) {
    request.setModeValue(mode.number());
    return this;
  }

  /** Only slots for which this holds. */
  public SearchOptions where(Condition condition) {
    request.setFilter(condition.filter());
    return this;
  }

  /** At most so many hits: 10 when it is not said, at most 1000; a call brings 100. */
  public SearchOptions limit(int hits) {
    if (hits < 1) {
      throw new IllegalArgumentException("limit is %d: ask for one hit at least".formatted(hits));
    }
    limit = hits;
    return this;
  }

  /** Wait until what was written up to this revision is found by its vectors too. */
  public SearchOptions minRevision(long revision) {
    request.setMinRevision(revision);
    return this;
  }

  /** How much slots that were written next to each other lend each other of their score, 0 to 1. */
  public SearchOptions neighborWeight(double weight) {
    request.setNeighborWeight(weight);
    return this;
  }

  /** Bring everything but the body. */
  public SearchOptions info() {
    request.setView(SearchView.SEARCH_VIEW_INFO);
    return this;
  }

  /** Bring everything but the body, and the summary where one is at hand. */
  public SearchOptions summaries() {
    request.setView(SearchView.SEARCH_VIEW_SUMMARY);
    return this;
  }

  /** Go on behind a search with the same arguments, by its {@code nextPageToken}. */
  public SearchOptions pageToken(String token) {
    request.setPageToken(token);
    return this;
  }

  int limit() {
    return limit;
  }

  SearchRequest request() {
    if (request.getText().isEmpty() && request.getVectorCount() == 0) {
      throw new IllegalArgumentException("say what to look for: a text, a vector, or both");
    }
    return request.build();
  }
}
