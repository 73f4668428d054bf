package dev.memslot.model;

/** What a caller should know though the call succeeded. */
public enum ReceiptWarning {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** The namespace holds at least 80 % of its slot limit. */
  SLOT_LIMIT_NEAR,
  /** The expiry asked for was beyond what the namespace allows, and was clamped to it. */
  TTL_CLAMPED
}
