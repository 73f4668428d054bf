package dev.memslot.internal;

import dev.memslot.model.Amount;
import dev.memslot.model.DiagnosedStep;
import dev.memslot.model.Diagnosis;
import dev.memslot.model.DiagnosisFinding;
import dev.memslot.model.Inspection;
import dev.memslot.model.MissingSaving;
import dev.memslot.model.PromptFinding;
import dev.memslot.model.SavingProblem;
import dev.memslot.model.Span;
import dev.memslot.model.StepVerdict;
import dev.memslot.model.TokenReport;
import dev.memslot.model.TurnAccount;
import dev.memslot.model.TurnStep;
import dev.memslot.model.Usage;
import dev.memslot.model.Verdict;
import dev.memslot.v1.DiagnoseTurnResponse;
import dev.memslot.v1.GetTokenReportResponse;
import dev.memslot.v1.InspectPromptResponse;
import dev.memslot.v1.ProviderUsage;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** From messages about turns and prompts to values. */
public final class TurnMessages {
  private TurnMessages() {}

  /** The books of a turn. */
  public static TurnAccount account(dev.memslot.v1.TurnAccount message) {
    return new TurnAccount(
        message.getTurn(),
        message.getConversation(),
        Times.instant(message.getTime()),
        amount(message.getPrompt()),
        amount(message.getOutput()),
        amount(message.getInstruction()),
        amount(message.getActions()),
        amount(message.getReceipts()),
        amount(message.getInjected()),
        amount(message.getLeaked()),
        amount(message.getInlined()),
        message.getSlots(),
        message.getBodyBytesOutside(),
        usage(message.getUsage()),
        message.getTokenCounter());
  }

  /** What turns cost. */
  public static TokenReport report(GetTokenReportResponse reply) {
    return new TokenReport(
        reply.getTurnsList().stream().map(TurnMessages::account).toList(),
        reply.hasTotal() ? Optional.of(account(reply.getTotal())) : Optional.empty(),
        amount(reply.getSaved()),
        reply.getRatio(),
        Enums.of(Verdict.class, reply.getVerdictValue()),
        reply.getVerdictText(),
        reply.getProblemsList().stream().map(TurnMessages::problem).toList(),
        reply.getMixedCounters(),
        reply.getRevision());
  }

  /** What stands in a prompt. */
  public static Inspection inspection(InspectPromptResponse reply) {
    return new Inspection(
        reply.getFindingsList().stream().map(TurnMessages::finding).toList(),
        reply.getCharacters(),
        reply.getLeakedCharacters(),
        reply.getSlots(),
        reply.getIncomplete(),
        reply.getTokenCounter(),
        reply.getRevision());
  }

  /** What is known of a turn. */
  public static Diagnosis diagnosis(DiagnoseTurnResponse reply) {
    TurnStep broken = Enums.of(TurnStep.class, reply.getFirstBrokenValue());
    return new Diagnosis(
        reply.getStepsList().stream().map(TurnMessages::step).toList(),
        broken == TurnStep.UNSPECIFIED ? Optional.empty() : Optional.of(broken),
        reply.getSummary(),
        reply.getTurn(),
        reply.getRevision());
  }

  private static Amount amount(dev.memslot.v1.Amount message) {
    return new Amount(message.getCharacters(), message.getTokens());
  }

  private static Usage usage(ProviderUsage message) {
    return new Usage(
        said(message.hasPromptTokens(), message.getPromptTokens()),
        said(message.hasCachedTokens(), message.getCachedTokens()),
        said(message.hasCompletionTokens(), message.getCompletionTokens()));
  }

  private static OptionalLong said(boolean there, long count) {
    return there ? OptionalLong.of(count) : OptionalLong.empty();
  }

  private static SavingProblem problem(dev.memslot.v1.SavingProblem message) {
    return new SavingProblem(
        Enums.of(MissingSaving.class, message.getCauseValue()),
        message.getText(),
        List.copyOf(message.getTurnsList()));
  }

  private static PromptFinding finding(dev.memslot.v1.PromptFinding message) {
    String injection = message.getInjectionId();
    return new PromptFinding(
        message.getName(),
        message.getRevision(),
        message.getMessageIndex(),
        message.getField(),
        new Span(message.getSpan().getStart(), message.getSpan().getEnd()),
        message.getCharacters(),
        message.getTokens(),
        message.getWhole(),
        injection.isEmpty() ? Optional.empty() : Optional.of(injection));
  }

  private static DiagnosedStep step(dev.memslot.v1.DiagnosedStep message) {
    return new DiagnosedStep(
        Enums.of(TurnStep.class, message.getStepValue()),
        Enums.of(StepVerdict.class, message.getVerdictValue()),
        message.getFindingsList().stream()
            .map(
                found ->
                    new DiagnosisFinding(
                        Enums.of(StepVerdict.class, found.getVerdictValue()),
                        found.getReason(),
                        found.getText(),
                        found.getName(),
                        found.getRevision()))
            .toList());
  }
}
