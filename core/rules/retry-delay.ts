const JITTER = 0.2;

export interface FailedAttempt {
  /** How many scheduled attempts have failed so far, from 1. */
  failedAttempts: number;
  /** From the endpoint's `Retry-After`, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/**
 * The back-off before the next attempt, in milliseconds; undefined when none is left. Jitter of 20 % keeps a recovering endpoint from
 * getting everything at once. `Retry-After` is honoured up to the longest back-off of the schedule.
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

/** Parses `Retry-After` (RFC 9110, section 10.2.3), seconds or a date, into milliseconds from now. */
export function retryAfterMs(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const moment = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now.getTime());
}
