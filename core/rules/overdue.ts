import { isoAfter, MINUTE_MS } from '../time.ts';

/** Work due before this time is overdue: no worker runs, or the workers are too slow. */
export function overdueBefore(now: Date): string {
  return isoAfter(now, -MINUTE_MS);
}

export const OVERDUE =
  'It is overdue. Is a process with workers running? npm start runs them unless RUN_WORKERS is false.';
