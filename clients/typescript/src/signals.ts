/** Waiting for signals: however many calls wait for one, it has one listener of ours, since Node warns of more than ten. */

const waiting = new WeakMap<AbortSignal, Waiting>();

/** What is to be done when a signal is aborted. */
class Waiting extends Set<() => void> {
  handleEvent(): void {
    for (const act of [...this]) act();
  }
}

/** Calls `act` when the signal is aborted, until the function that is returned is called. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const acts = waiting.get(signal) ?? new Waiting();
  if (acts.size === 0) {
    waiting.set(signal, acts);
    signal.addEventListener("abort", acts);
  }
  acts.add(act);
  return () => {
    acts.delete(act);
    // A signal that is listened to is kept, with all that it is made of.
    if (acts.size === 0) signal.removeEventListener("abort", acts);
  };
}

/** Returns what the work gives. Throws the signal's reason when it is aborted first. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let leave: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    leave = onAbort(signal, () => {
      reject(signal.reason as Error);
    });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    leave?.();
  }
}
