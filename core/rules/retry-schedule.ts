const JITTER = 0.2;

/** What came of an attempt that failed. */
export interface FailedAttempt {
  /** How many attempts of the schedule have failed by now, from 1. */
  failedAttempts: number;
  /** How long the endpoint asked us to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/**
 * How long to wait until the next attempt, in milliseconds; undefined when none is left. Each wait of the schedule is spread
 * by 20 %, so that an endpoint that comes back is not met by everything at once. What an endpoint asks for is never cut
 * short, unless it is longer than the longest wait of the schedule.
 */
export function retryDelay(
  delaysMs: readonly number[],
  { failedAttempts, retryAfterMs = 0 }: FailedAttempt,
  random: () => number = Math.random,
): number | undefined {
  const delay = delaysMs[failedAttempts - 1];
  if (delay === undefined) return undefined;
  const asked = Math.min(retryAfterMs, Math.max(...delaysMs)) * (1 + JITTER * random());
  return Math.round(Math.max(delay * (1 + JITTER * (2 * random() - 1)), asked));
}

/** Reads the header `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, as milliseconds from now. */
export function retryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const moment = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now.getTime());
}
