/** Moments are stored as ISO 8601 text in UTC with milliseconds: it sorts by time and reads the same on both databases. */
export function isoAfter(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}

/** The injected source of the current moment. */
export type Clock = () => Date;
