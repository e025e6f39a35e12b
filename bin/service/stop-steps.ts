import type { StopSettings } from '../../core/settings/stop-settings.ts';

/** The duration of each step of a stop, in milliseconds, in sequence. */
export interface StopSteps {
  /** Until connections with unfinished requests are closed. */
  requestsMs: number;
  /** Until running analyses and mails are aborted. */
  workMs: number;
  /** Until all other work is abandoned to its leases. Starts with `workMs`. */
  leasesMs: number;
}

/** Shares of the time from DRAIN_SECONDS to STOP_SECONDS; the rest is for closing the queue and the database. */
export function stopSteps({ drainMs, stopMs }: StopSettings): StopSteps {
  const ms = stopMs - drainMs;
  return { requestsMs: 0.35 * ms, workMs: 0.35 * ms, leasesMs: 0.55 * ms };
}
