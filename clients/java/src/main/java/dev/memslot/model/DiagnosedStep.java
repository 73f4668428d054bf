package dev.memslot.model;

import java.util.List;

/**
 * A step of a turn, and how it went: as badly as the worst of its findings.
 *
 * @param step which
 * @param verdict how it went
 * @param findings what was found
 */
public record DiagnosedStep(TurnStep step, StepVerdict verdict, List<DiagnosisFinding> findings) {}
