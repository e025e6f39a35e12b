import { valuesOf } from './values.ts';

/** How a process stops, in milliseconds from the signal on. */
export interface StopSettings {
  /** How long the API goes on accepting, so that balancers notice that it is not ready. */
  drainMs: number;
  /** When the process has ended, whatever still runs. */
  stopMs: number;
}

/** A stop without a load balancer, within the 30 s after which supervisors commonly kill. */
export const DEFAULT_STOP: StopSettings = { drainMs: 0, stopMs: 28_000 };

/** Enough for a poll every second of which three fail. */
const PROBED_SECONDS = 5;

/** For requests, workers and the database. */
const LEAST_SECONDS = 3;

/** Appends problems to `faults`. */
export function readStop(env: NodeJS.ProcessEnv, faults: string[]): StopSettings {
  const { wholeNumber } = valuesOf(env, faults);
  // Without OPS_PORT there are no probes that a balancer could ask.
  const drain = wholeNumber('DRAIN_SECONDS', env['OPS_PORT'] ? PROBED_SECONDS : 0, 600, 0, ' of seconds');
  const stop = wholeNumber('STOP_SECONDS', DEFAULT_STOP.stopMs / 1000, 3600, LEAST_SECONDS, ' of seconds');
  if (stop - drain < LEAST_SECONDS)
    faults.push(
      `STOP_SECONDS is ${stop}; it includes DRAIN_SECONDS: use at least ${drain + LEAST_SECONDS}, ${LEAST_SECONDS} more than that.`,
    );
  return { drainMs: drain * 1000, stopMs: stop * 1000 };
}
