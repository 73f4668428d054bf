package dev.memslot.model;

/**
 * What looked like an action and was not executed.
 *
 * @param reason why, in UPPER_SNAKE_CASE
 * @param span where it stands
 * @param hint what to do about it
 * @param callId the provider's call, or empty
 */
public record Reject(String reason, Span span, String hint, String callId) {}
