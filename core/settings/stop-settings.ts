import { optional, readerOf, setting, wholeNumber } from './setting.ts';

/** How a process stops, in milliseconds from the signal. */
export interface StopSettings {
  /** How long the API keeps accepting, so that load balancers notice that it is not ready. */
  drainMs: number;
  /** By when the process has ended, even if work is still running. */
  stopMs: number;
}

/** A stop without a load balancer, within the 30 s after which supervisors usually kill. */
export const DEFAULT_STOP: StopSettings = { drainMs: 0, stopMs: 28_000 };

/** Enough for a poll every second, three of which must fail. */
const PROBED_SECONDS = 5;

/** For requests, workers and the database. */
const MIN_SECONDS = 3;

export const stopSettings = {
  DRAIN_SECONDS: optional(
    wholeNumber(0, 600, ' of seconds'),
    'The API accepts requests this long [after SIGTERM](run.md#restarts-without-a-failed-request).',
    `\`${PROBED_SECONDS}\` with \`OPS_PORT\`, else \`0\``,
  ),
  STOP_SECONDS: setting(
    wholeNumber(MIN_SECONDS, 3600, ' of seconds'),
    DEFAULT_STOP.stopMs / 1000,
    `Deadline of a [stop](run.md#stopping), at least \`DRAIN_SECONDS\` + ${MIN_SECONDS}.`,
  ),
};

/** Appends problems to `faults`. */
export function readStop(env: NodeJS.ProcessEnv, faults: string[]): StopSettings {
  const read = readerOf(stopSettings, env, faults);
  // Without OPS_PORT there are no probes that a balancer could ask.
  const drain = read('DRAIN_SECONDS') ?? (env['OPS_PORT'] ? PROBED_SECONDS : 0);
  const stop = read('STOP_SECONDS');
  if (stop - drain < MIN_SECONDS)
    faults.push(
      `STOP_SECONDS is ${stop}; it includes DRAIN_SECONDS: use at least ${drain + MIN_SECONDS}, ${MIN_SECONDS} more than that.`,
    );
  return { drainMs: drain * 1000, stopMs: stop * 1000 };
}
