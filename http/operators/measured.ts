interface Limits {
  /** How long a result counts as fresh. */
  freshMs: number;
  /** How long to wait for a measurement. */
  waitMs: number;
  /** How long an earlier result replaces a late or failed measurement. */
  staleMs?: number;
}

/**
 * Limits the cost of measuring: runs one measurement at a time and shares its result among all callers.
 * @returns a function that measures; it resolves to undefined when there is no result in time
 */
export function measured<Result>(
  measure: () => Promise<Result>,
  { freshMs, waitMs, staleMs = 0 }: Limits,
): () => Promise<Result | undefined> {
  let last: { result: Result; at: number } | undefined;
  let running: { done: Promise<unknown>; startedAt: number } | undefined;
  const notOlderThan = (ms: number) => (last && performance.now() - last.at <= ms ? last.result : undefined);
  const start = () => {
    const startedAt = performance.now();
    const done = measure()
      .then(
        (result) => {
          last = { result, at: performance.now() };
        },
        () => {},
      )
      .finally(() => {
        running = undefined;
      });
    return { done, startedAt };
  };
  return async () => {
    const fresh = notOlderThan(freshMs);
    if (fresh !== undefined) return fresh;
    running ??= start();
    const { done, startedAt } = running;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.max(0, startedAt + waitMs - performance.now()));
    await Promise.race([done, late]);
    clearTimeout(timer);
    return last && last.at >= startedAt ? last.result : notOlderThan(staleMs);
  };
}
