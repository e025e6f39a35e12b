import { UnusableContract } from '../../core/contract.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { NewerSchema } from '../../db/connection/schema-status.ts';
import { outsideTrouble } from './outside-trouble.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** Supervisors commonly kill after 30 s. */
const STOP_LIMIT_MS = 28_000;

interface Running {
  close(): Promise<void>;
  log: Log;
}

/** Starts a program and drains it on SIGTERM or SIGINT. A second signal ends it at once. */
export async function run(start: () => Promise<Running>): Promise<void> {
  // Listens before the start: a supervisor may send the signal as soon as the program is up.
  const asked = firstSignal();
  try {
    const running = await start();
    asked.then((signal) => stop(running, signal));
  } catch (error) {
    console.error(startFailure(error));
    process.exit(1);
  }
}

function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const first = (signal: NodeJS.Signals) => {
      for (const name of SIGNALS) process.off(name, first).once(name, () => process.exit(1));
      resolve(signal);
    };
    for (const name of SIGNALS) process.on(name, first);
  });
}

async function stop({ close, log }: Running, signal: NodeJS.Signals): Promise<void> {
  log.info({ signal }, 'stopping');
  const overdue = setTimeout(() => {
    log.error(
      { limitMs: STOP_LIMIT_MS },
      'stopping takes too long: leases of running work expire, and other processes take it over',
    );
    process.exit(1);
  }, STOP_LIMIT_MS).unref();
  try {
    await close();
    log.info('stopped');
  } catch (error) {
    log.error({ err: error }, 'stopping failed');
    process.exitCode = 1;
  } finally {
    clearTimeout(overdue);
  }
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof ProviderUnavailable || error instanceof NewerSchema || error instanceof UnusableContract)
    return `The service cannot start: ${error.message}`;
  const trouble = outsideTrouble(error);
  if (trouble) return `The service cannot start: ${trouble}`;
  return `The service cannot start: ${error instanceof Error ? error.stack : String(error)}`;
}
