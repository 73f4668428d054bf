/** How fast calls are, seen from the client. */

/** Median latency of a call and calls a second. */
export interface Speed {
  readonly p50_ms: number;
  readonly per_second: number;
}

/** Calls `once` so many times with so many in flight, after a warm-up of a tenth. */
export async function measured(once: () => Promise<unknown>, calls: number, concurrency: number): Promise<Speed> {
  await run(once, Math.ceil(calls / 10), concurrency);
  const began = process.hrtime.bigint();
  const latencies = await run(once, calls, concurrency);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  latencies.sort();
  return { p50_ms: (latencies[Math.floor(calls / 2)] ?? 0) / 1e6, per_second: calls / seconds };
}

async function run(once: () => Promise<unknown>, calls: number, concurrency: number): Promise<Float64Array> {
  const latencies = new Float64Array(calls);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < calls) {
      const place = next++;
      const began = process.hrtime.bigint();
      await once();
      latencies[place] = Number(process.hrtime.bigint() - began);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, calls) }, worker));
  return latencies;
}
