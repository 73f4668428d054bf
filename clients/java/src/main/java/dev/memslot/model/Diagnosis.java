package dev.memslot.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What is known of a turn. No body is quoted.
 *
 * @param steps the five steps, in order
 * @param firstBroken the first that broke; empty when none did
 * @param summary what is to be said of the turn, in one sentence
 * @param turn the turn that was looked at
 * @param revision the store's revision at the time of the reply
 */
public record Diagnosis(
    List<DiagnosedStep> steps,
    Optional<TurnStep> firstBroken,
    String summary,
    String turn,
    long revision) {
  /** The reasons of all findings. */
  public Set<String> reasons() {
    return steps.stream()
        .flatMap(step -> step.findings().stream())
        .map(DiagnosisFinding::reason)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The summary, and below it each step with what was found. */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>(List.of(summary));
    for (DiagnosedStep step : steps) {
      String verdict =
          step.verdict() == StepVerdict.UNSPECIFIED ? "unknown" : step.verdict().name();
      lines.add((step.step().name() + ": " + verdict).toLowerCase(Locale.ROOT));
      step.findings().forEach(found -> lines.add("  " + found.text()));
    }
    return String.join("\n", lines);
  }
}
