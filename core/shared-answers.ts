/** How much of the answers is kept: without bounds, all of them. */
export interface Bounds<Answer> {
  maxBytes: number;
  bytesOf(answer: Answer): number;
}

interface Kept<Answer> {
  answer: Promise<Answer>;
  bytes: number;
  timer?: NodeJS.Timeout;
}

/**
 * Shares an answer: calls with the same key within `periodMs` get it instead of asking again, in this process. A failure is shared only by the
 * calls that wait for it. Limits what an outside party is asked, or how often a large thing is opened, however often a page is opened. The
 * oldest answers beyond the bounds are forgotten earlier.
 */
export function sharedAnswers<Answer>(
  periodMs: number,
  bounds?: Bounds<Answer>,
): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const shared = new Map<string, Kept<Answer>>();
  let bytes = 0;
  const forget = (key: string, kept: Kept<Answer>) => {
    shared.delete(key);
    clearTimeout(kept.timer);
    bytes -= kept.bytes;
  };
  const keep = (key: string, kept: Kept<Answer>, answer: Answer) => {
    kept.timer = setTimeout(forget, periodMs, key, kept).unref();
    if (!bounds) return;
    kept.bytes = bounds.bytesOf(answer);
    bytes += kept.bytes;
    for (const [oldKey, old] of shared) {
      if (bytes <= bounds.maxBytes) return;
      if (old.timer) forget(oldKey, old);
    }
  };
  return (key, ask) => {
    const known = shared.get(key);
    if (known) return known.answer;
    const kept: Kept<Answer> = { answer: ask(), bytes: 0 };
    shared.set(key, kept);
    kept.answer.then(
      (answer) => keep(key, kept, answer),
      () => forget(key, kept),
    );
    return kept.answer;
  };
}
