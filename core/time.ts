/** Timestamps are stored as ISO 8601 text in UTC with milliseconds, which sorts by time and is the same on both databases. */
export function isoAfter(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}

/** The day in UTC, such as `2026-03-31`. */
export function isoDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The injected source of the current time. */
export type Clock = () => Date;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const UNIT_MS: Record<string, number> = { s: 1000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses a duration such as `30m` or `7d` into milliseconds; NaN when invalid. */
export function durationMs(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
}
