/** What a provider said that a call used, in the form of each provider. */

/** Tokens that a provider counted; undefined where it did not say. `cachedTokens` are part of `promptTokens`. */
export interface Usage {
  readonly promptTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

type Told = Readonly<Record<string, unknown>>;

/**
 * Returns what a provider's `usage` says: OpenAI's (both APIs), Anthropic's or Gemini's. Throws TypeError for what is no object.
 */
export function usageOf(said: object): Usage {
  const told: unknown = said;
  if (typeof told !== "object" || told === null || Array.isArray(told)) {
    throw new TypeError("usage is a provider's usage, an object");
  }
  const names = Object.keys(told);
  if (["promptTokens", "cachedTokens", "completionTokens"].some((name) => names.includes(name))) return told;
  if (names.includes("promptTokenCount") || names.includes("prompt_token_count")) return ofGemini(told as Told);
  return names.some((name) => name.startsWith("cache_")) ? ofAnthropic(told as Told) : ofOpenAI(told as Told);
}

function ofOpenAI(told: Told): Usage {
  const details = told["prompt_tokens_details"] ?? told["input_tokens_details"] ?? {};
  return {
    promptTokens: first(told, "prompt_tokens", "input_tokens"),
    cachedTokens: first(details as Told, "cached_tokens") ?? first(told, "cached_tokens"),
    completionTokens: first(told, "completion_tokens", "output_tokens"),
  };
}

/** Thoughts are paid as output, and counted apart. */
function ofGemini(told: Told): Usage {
  const answered = first(told, "candidatesTokenCount", "candidates_token_count");
  const thought = first(told, "thoughtsTokenCount", "thoughts_token_count");
  return {
    promptTokens: first(told, "promptTokenCount", "prompt_token_count"),
    cachedTokens: first(told, "cachedContentTokenCount", "cached_content_token_count"),
    completionTokens: thought === undefined ? answered : thought + (answered ?? 0),
  };
}

/** `input_tokens` are only those that are neither read from the cache nor written into it. */
function ofAnthropic(told: Told): Usage {
  const [read, written] = [first(told, "cache_read_input_tokens"), first(told, "cache_creation_input_tokens")];
  const fresh = first(told, "input_tokens");
  return {
    promptTokens: fresh === undefined ? undefined : fresh + (read ?? 0) + (written ?? 0),
    cachedTokens: read,
    completionTokens: first(told, "output_tokens"),
  };
}

function first(told: Told, ...names: string[]): number | undefined {
  return names.map((name) => told[name]).find((value) => typeof value === "number");
}
