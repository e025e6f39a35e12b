import type { StopSettings } from '../../core/settings/stop-settings.ts';

/** How long each step of a stop may take, in milliseconds, one after the other. */
export interface StopSteps {
  /** Until connections with unfinished requests are closed. */
  requestsMs: number;
  /** Until analyses and mails that still run are ended. */
  workMs: number;
  /** Until all other work is left to its leases. Begins with `workMs`. */
  leasesMs: number;
}

/** Shares of the time from DRAIN_SECONDS to STOP_SECONDS; the rest is for closing the queue and the database. */
export function stopSteps({ drainMs, stopMs }: StopSettings): StopSteps {
  const ms = stopMs - drainMs;
  return { requestsMs: 0.35 * ms, workMs: 0.35 * ms, leasesMs: 0.55 * ms };
}
