package dev.memslot.errors;

/** The server's rules do not allow a setting that high. */
public final class SettingAboveCapException extends InvalidRequestException {
  private static final long serialVersionUID = 1L;

  SettingAboveCapException(Failure failure) {
    super(failure);
  }
}
