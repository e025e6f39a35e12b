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

/**
 * Starts a program and drains it on SIGTERM or SIGINT, or after an error that nothing caught, which makes its exit code 1. A second signal ends it
 * at once.
 */
export async function run(start: () => Promise<Running>): Promise<void> {
  // Listens before the start: a supervisor may send the signal as soon as the program is up.
  const asked = firstSignal();
  try {
    const running = await start();
    const ended = Promise.race([asked, firstUncaught(running.log)]);
    ended.then((reason) => stop(running, reason));
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

/** The process may be in any state after it: what is under way ends, and a supervisor starts another. */
function firstUncaught(log: Log): Promise<'uncaught error'> {
  return new Promise((resolve) => {
    // A rejection that nothing handles becomes one, too.
    process.on('uncaughtException', (err) => {
      log.fatal({ err }, 'uncaught error');
      process.exitCode = 1;
      resolve('uncaught error');
    });
  });
}

async function stop({ close, log }: Running, reason: string): Promise<void> {
  log.info({ reason }, 'stopping');
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
