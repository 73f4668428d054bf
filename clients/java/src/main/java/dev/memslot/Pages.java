package dev.memslot;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Items that come page by page. Each iteration and each stream begins anew; nothing is called
 * before the first item is asked for.
 *
 * @param <T> what is listed
 */
public final class Pages<T> implements Iterable<T> {
  /** One page, and what leads to the next. */
  record Page<T>(List<T> items, String nextPageToken) {}

  private final Function<String, Page<T>> fetch;

  Pages(Function<String, Page<T>> fetch) {
    this.fetch = fetch;
  }

  /** The items in order, fetched as they are asked for. */
  @Override
  public Iterator<T> iterator() {
    return new PageIterator<>(fetch);
  }

  /** The items in order, fetched as they are asked for: {@code limit(n)} bounds the calls too. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  private static final class PageIterator<T> implements Iterator<T> {
    private final Function<String, Page<T>> fetch;
    private final Deque<T> waiting = new ArrayDeque<>();
    private String token = "";
    private boolean over;

    PageIterator(Function<String, Page<T>> fetch) {
      this.fetch = fetch;
    }

    @Override
    public boolean hasNext() {
      while (waiting.isEmpty() && !over) {
        Page<T> page = fetch.apply(token);
        waiting.addAll(page.items());
        token = page.nextPageToken();
        over = token.isEmpty();
      }
      return !waiting.isEmpty();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return waiting.remove();
    }
  }
}
