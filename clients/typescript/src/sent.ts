/** Texts of a model as they are sent to be counted or looked through: they are not kept. */

/** A text as it is, anything else as JSON; halves of surrogate pairs, which no message can carry, are replaced in place. */
export function sentText(said: string | object, what: string): string {
  if (typeof said === "string") return said.toWellFormed();
  const told: unknown = said;
  const text = typeof told === "object" && told !== null ? (JSON.stringify(told) as string | undefined) : undefined;
  if (text === undefined) throw new TypeError(`${what} is a text or a provider's messages, not ${typeof told}`);
  return text;
}

/** A prompt as one text, or as a JSON array of messages; one message is a list of one. */
export function sentPrompt(prompt: string | object): { prompt: string } | { messagesJson: string } {
  if (typeof prompt === "string") return { prompt: sentText(prompt, "prompt") };
  const text = sentText(prompt, "prompt");
  return { messagesJson: text.startsWith("[") ? text : `[${text}]` };
}
