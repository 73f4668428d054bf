package dev.memslot.model;

/** The language of the texts that a model reads. */
public enum Language implements Numbered {
  /** Not said, or a value that this client does not know. */
  UNSPECIFIED(0),
  /** English. */
  EN(1),
  /** Chinese. */
  ZH(2);

  private final int number;

  Language(int number) {
    this.number = number;
  }

  @Override
  public int number() {
    return number;
  }
}
