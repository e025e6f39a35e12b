const JITTER = 0.2;
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 600_000;

/** When and how often failed work is retried. */
export interface RetryPolicy {
  /** The back-off after each failure, in milliseconds. One more failure ends the work. */
  delaysMs: readonly number[];
  /** The last back-off is used forever, and no failure ends the work. */
  endless?: boolean;
}

/** Back-off that doubles from two seconds, up to `maxMs`. */
export function doubling(failures: number, maxMs = MAX_DELAY_MS): number[] {
  return Array.from({ length: failures - 1 }, (_, index) => Math.min(FIRST_DELAY_MS * 2 ** index, maxMs));
}

/**
 * The back-off before the next attempt, in milliseconds; undefined when none is left. Jitter of 20 % keeps retries from reaching a
 * recovering endpoint all at once. `Retry-After` is honoured up to the longest back-off of the policy.
 * @param failures so far, from 1
 */
export function retryDelay(
  { delaysMs, endless = false }: RetryPolicy,
  { failures, retryAfterMs = 0 }: { failures: number; retryAfterMs?: number | undefined },
  random: () => number = Math.random,
): number | undefined {
  const delay = delaysMs[failures - 1] ?? (endless ? delaysMs.at(-1) : undefined);
  if (delay === undefined) return undefined;
  const asked = Math.min(retryAfterMs, Math.max(...delaysMs)) * (1 + JITTER * random());
  return Math.round(Math.max(delay * (1 + JITTER * (2 * random() - 1)), asked));
}

/** Parses `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, into milliseconds from now. */
export function retryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const moment = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now.getTime());
}
