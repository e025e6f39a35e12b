import { ConfigError } from '../core/config.ts';
import type { Log } from '../core/log.ts';
import { NewerSchema } from '../db/schema-status.ts';
import { ProviderUnavailable } from '../providers/providers.ts';
import { outsideTrouble } from './outside-trouble.ts';

/** Starts a program and ends it on SIGTERM or SIGINT once it is drained. A second signal ends it at once. */
export async function run(start: () => Promise<{ close(): Promise<void>; log: Log }>): Promise<void> {
  try {
    const { close, log } = await start();
    const stop = (signal: NodeJS.Signals) => {
      log.info({ signal }, 'stopping');
      for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => process.exit(1));
      close().then(
        () => log.info('stopped'),
        (error) => {
          log.error({ err: error }, 'stopping failed');
          process.exitCode = 1;
        },
      );
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  } catch (error) {
    console.error(startFailure(error));
    process.exit(1);
  }
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof ProviderUnavailable || error instanceof NewerSchema)
    return `The service cannot start: ${error.message}`;
  const trouble = outsideTrouble(error);
  if (trouble) return `The service cannot start: ${trouble}`;
  return `The service cannot start: ${error instanceof Error ? error.stack : String(error)}`;
}
