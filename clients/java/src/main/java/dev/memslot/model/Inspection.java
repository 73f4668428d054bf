package dev.memslot.model;

import java.util.List;

/**
 * What of the namespace's bodies stands in a prompt: names, places and sizes, never a body.
 *
 * @param findings in the order of the prompt, those included that an injection of the turn allows
 * @param characters how many were looked through
 * @param leakedCharacters how many of them stand in findings that nothing allows
 * @param slots how many were compared
 * @param incomplete what was not compared, in words; empty when all was
 * @param tokenCounter what counted the tokens
 * @param revision the store's revision that was compared with
 */
public record Inspection(
    List<PromptFinding> findings,
    long characters,
    long leakedCharacters,
    long slots,
    String incomplete,
    String tokenCounter,
    long revision) {
  /** The findings that no injection allows; none when nothing is leaked. */
  public List<PromptFinding> leaked() {
    return findings.stream().filter(found -> found.injectionId().isEmpty()).toList();
  }
}
