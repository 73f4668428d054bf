/** Positions in a text: the contract counts Unicode code points, a JavaScript string UTF-16 units. */

/** A part of a text: `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface CodePointSpan {
  readonly start: bigint;
  readonly end: bigint;
}

/** Returns functions from a span of code points of `text` to the offsets of its ends. */
export function offsets(text: string): Record<"start" | "end", (span: CodePointSpan | undefined) => number> {
  const at = offsetIn(text);
  return { start: (span) => at(Number(span?.start ?? 0n)), end: (span) => at(Number(span?.end ?? 0n)) };
}

function offsetIn(text: string): (codePoints: number) => number {
  if (!/[\u{10000}-\u{10ffff}]/u.test(text)) return (codePoints) => codePoints;
  let table: Uint32Array | undefined;
  return (codePoints) => {
    table ??= offsetTable(text);
    return table[codePoints] ?? text.length;
  };
}

function offsetTable(text: string): Uint32Array {
  const table = new Uint32Array(text.length + 1);
  let index = 0;
  let offset = 0;
  for (const character of text) {
    table[index++] = offset;
    offset += character.length;
  }
  table[index] = offset;
  return table.subarray(0, index + 1);
}
