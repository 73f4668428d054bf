package dev.memslot.model;

import java.util.List;

/**
 * Slots as one text for the tail of one prompt. Its printed form leaves the text out.
 *
 * @param text the text; empty when nothing could be shown
 * @param injected the slots that it shows, in its order
 * @param leftOut those that it does not show
 * @param tokens how many tokens it takes
 * @param tokenCounter what counted them
 * @param revision the store's revision at the time of the reply
 */
public record Injection(
    String text,
    List<InjectedSlot> injected,
    List<LeftOut> leftOut,
    long tokens,
    String tokenCounter,
    long revision) {
  @Override
  public String toString() {
    List<String> names = injected.stream().map(InjectedSlot::name).toList();
    return "Injection[of "
        + names
        + ", "
        + text.length()
        + " chars, "
        + leftOut.size()
        + " left out]";
  }
}
