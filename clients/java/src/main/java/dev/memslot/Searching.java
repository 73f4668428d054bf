package dev.memslot;

import dev.memslot.internal.Call;
import dev.memslot.internal.SlotMessages;
import dev.memslot.model.Hit;
import dev.memslot.model.SearchResult;
import dev.memslot.v1.SearchRequest;
import dev.memslot.v1.SlotServiceGrpc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A search over as many calls as its limit takes. */
final class Searching {
  private static final int PAGE_LIMIT = 100;

  private final Memory memory;

  Searching(Memory memory) {
    this.memory = memory;
  }

  SearchResult search(String text, Consumer<SearchOptions> details) {
    SearchOptions options = new SearchOptions(memory.namespacePath(), text);
    details.accept(options);
    SearchRequest request = options.request();
    Map<String, Hit> hits = new LinkedHashMap<>();
    List<SearchResult> pages = new ArrayList<>();
    SearchResult page;
    do {
      int left = Math.min(options.limit() - hits.size(), PAGE_LIMIT);
      page = page(request.toBuilder().setLimit(left).build());
      pages.add(page);
      page.hits().forEach(hit -> hits.putIfAbsent(hit.name(), hit));
      request = request.toBuilder().setPageToken(page.nextPageToken()).build();
    } while (hits.size() < options.limit()
        && !page.hits().isEmpty()
        && !page.nextPageToken().isEmpty());
    return joined(List.copyOf(hits.values()), pages);
  }

  private SearchResult page(SearchRequest request) {
    return memory.run(
        new Call<>(
            SlotServiceGrpc.getSearchMethod(), request, SearchResult.class, SlotMessages::found));
  }

  /** Several pages as one: complete as far as the least complete of them. */
  private static SearchResult joined(List<Hit> hits, List<SearchResult> pages) {
    SearchResult last = pages.get(pages.size() - 1);
    Set<String> degraded = new LinkedHashSet<>();
    pages.forEach(page -> degraded.addAll(page.degraded()));
    return new SearchResult(
        hits,
        last.mode(),
        pages.stream().mapToLong(SearchResult::indexedRevision).min().orElse(0),
        List.copyOf(degraded),
        last.revision(),
        last.nextPageToken());
  }
}
