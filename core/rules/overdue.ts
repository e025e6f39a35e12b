import { isoAfter, MINUTE_MS } from '../time.ts';

/** Work due before this time is overdue, because a running worker claims due work within seconds. */
export function overdueBefore(now: Date): string {
  return isoAfter(now, -MINUTE_MS);
}

export const OVERDUE =
  'It is overdue. Is a process with workers running? npm start runs them unless RUN_WORKERS is false.';
