package dev.memslot.driver;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.memslot.errors.ClientClosedException;
import dev.memslot.errors.MemslotException;
import dev.memslot.errors.OutcomeUnknownException;
import dev.memslot.errors.UnreachableException;
import java.io.PrintWriter;
import java.io.StringWriter;

/** An error as the drivers tell it, with all that it would print. */
final class Failures {
  private Failures() {}

  static JsonObject told(Throwable error) {
    JsonObject told = new JsonObject();
    told.addProperty("code", code(error));
    told.addProperty("reason", "");
    told.addProperty("own_reason", "");
    told.add("metadata", new JsonObject());
    told.addProperty("field", "");
    told.add("details", new JsonArray());
    told.addProperty("type", error.getClass().getSimpleName());
    told.addProperty("text", printed(error));
    if (error instanceof MemslotException known) {
      known.metadata().forEach(told.getAsJsonObject("metadata")::addProperty);
      told.addProperty("field", known.field());
      known.details().forEach(detail -> told.getAsJsonArray("details").add(json(detail)));
      boolean own =
          known instanceof OutcomeUnknownException
              || known instanceof UnreachableException
              || known instanceof ClientClosedException;
      told.addProperty(own ? "own_reason" : "reason", known.reason());
    }
    return told;
  }

  private static String code(Throwable error) {
    if (error instanceof MemslotException known) {
      return known.code().name();
    }
    return error instanceof IllegalArgumentException ? "INVALID_ARGUMENT" : "UNKNOWN";
  }

  private static com.google.gson.JsonElement json(Any detail) {
    try {
      return Methods.json(detail);
    } catch (InvalidProtocolBufferException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  /** Message, printed form, and the whole stack with its causes. */
  static String printed(Throwable error) {
    StringWriter text = new StringWriter();
    text.write(error.getMessage() + "\n" + error + "\n");
    if (error instanceof MemslotException known) {
      text.write(known.mutation() + "\n" + known.metadata() + "\n");
    }
    error.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
