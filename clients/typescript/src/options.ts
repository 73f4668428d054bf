/** Options: a key that a method does not know is refused; plain JavaScript would ignore it, and what was asked for with it. */

const COMPARED_CHARS = 40;

/** The keys of an options object. `satisfies Keys<...>` holds a list of them to the type: none is missing, none too many. */
export type Keys<T> = Readonly<Record<keyof T, true>>;

/** Returns the options. Throws TypeError when they are no object or have a key that is not among `keys`; it never tells a value. */
export function known<T extends object>(options: T, keys: Keys<T>): T {
  const given: unknown = options;
  if (typeof given !== "object" || given === null) {
    throw new TypeError(`options are an object, not ${given === null ? "null" : typeof given}`);
  }
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(keys, key));
  if (unknown !== undefined) throw new TypeError(refusal(unknown.slice(0, COMPARED_CHARS), Object.keys(keys)));
  return options;
}

function refusal(key: string, all: readonly string[]): string {
  const distances = all.map((one) => distance(folded(key), folded(one)));
  const closest = all[distances.indexOf(Math.min(...distances))] ?? "";
  return `unknown key ${key}: the closest is ${closest}; known are ${all.join(", ")}`;
}

/** `if_revision` is meant for `ifRevision`. */
function folded(key: string): string {
  return key.replaceAll(/[_-]/g, "").toLowerCase();
}

/** How many characters must be added, removed or replaced to make one of the other (Levenshtein's distance). */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 0; i < one.length; i++) {
    const row = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const replaced = (above[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      row.push(Math.min(replaced, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    above = row;
  }
  return above[other.length] ?? 0;
}
