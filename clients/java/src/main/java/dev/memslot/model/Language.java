package dev.memslot.model;

/** The language of the texts that a model reads. */
public enum Language {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED,
  /** English. */
  EN,
  /** Chinese. */
  ZH
}
