package dev.memslot.model;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a provider said that a call used; empty where it did not say.
 *
 * @param promptTokens all that the prompt took
 * @param cachedTokens the part of them that was read from a cache
 * @param completionTokens what the model wrote
 */
public record Usage(
    OptionalLong promptTokens, OptionalLong cachedTokens, OptionalLong completionTokens) {
  /** What a provider's {@code usage} says: OpenAI's (both APIs), Anthropic's or Gemini's. */
  public static Usage of(JsonObject said) {
    if (said.has("promptTokenCount") || said.has("prompt_token_count")) {
      return ofGemini(said);
    }
    return said.keySet().stream().anyMatch(name -> name.startsWith("cache_"))
        ? ofAnthropic(said)
        : ofOpenAi(said);
  }

  private static Usage ofOpenAi(JsonObject said) {
    JsonObject details =
        object(said, "prompt_tokens_details")
            .or(() -> object(said, "input_tokens_details"))
            .orElseGet(JsonObject::new);
    OptionalLong cached = first(details, "cached_tokens");
    return new Usage(
        first(said, "prompt_tokens", "input_tokens"),
        cached.isPresent() ? cached : first(said, "cached_tokens"),
        first(said, "completion_tokens", "output_tokens"));
  }

  /** Thoughts are paid as output, and counted apart. */
  private static Usage ofGemini(JsonObject said) {
    OptionalLong answered = first(said, "candidatesTokenCount", "candidates_token_count");
    OptionalLong thought = first(said, "thoughtsTokenCount", "thoughts_token_count");
    return new Usage(
        first(said, "promptTokenCount", "prompt_token_count"),
        first(said, "cachedContentTokenCount", "cached_content_token_count"),
        thought.isPresent() ? OptionalLong.of(thought.getAsLong() + answered.orElse(0)) : answered);
  }

  /** The input tokens are only those that are neither read from the cache nor written into it. */
  private static Usage ofAnthropic(JsonObject said) {
    OptionalLong fresh = first(said, "input_tokens");
    OptionalLong read = first(said, "cache_read_input_tokens");
    long written = first(said, "cache_creation_input_tokens").orElse(0);
    return new Usage(
        fresh.isPresent() ? OptionalLong.of(fresh.getAsLong() + read.orElse(0) + written) : fresh,
        read,
        first(said, "output_tokens"));
  }

  private static OptionalLong first(JsonObject said, String... names) {
    for (String name : names) {
      JsonElement told = said.get(name);
      if (told instanceof JsonPrimitive number && number.isNumber()) {
        return OptionalLong.of(number.getAsLong());
      }
    }
    return OptionalLong.empty();
  }

  private static Optional<JsonObject> object(JsonObject said, String name) {
    return said.get(name) instanceof JsonObject object ? Optional.of(object) : Optional.empty();
  }
}
