import type { Config } from '../../../core/settings/config.ts';
import { disconnect } from '../../../db/connection/connect.ts';
import type { Database } from '../../../db/connection/database.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { explainExternalError } from '../../service/explain-external-error.ts';
import { OperatorError } from './faults.ts';
import { type Output, withRuntime } from './run-command.ts';

/** Runs `work` with a connection for reads: the standby of DATABASE_REPLICA_URL, or else the primary database. */
export type Reading = Runtime & { reads: Database };

/**
 * As `withRuntime`, for lists and exports. When reading from a standby, prints how current it is to standard error, which does not affect
 * `--json`.
 */
export function withReads<Input extends unknown[]>(work: (runtime: Reading, ...input: Input) => Promise<Output>) {
  return withRuntime<Input>(async (runtime, ...input) => {
    const { database } = runtime.config;
    if (database.dialect === 'sqlite' || !database.replicaUrl) return work({ ...runtime, reads: runtime.db }, ...input);
    const reads = await openReplica(database, database.replicaUrl, runtime.now());
    try {
      return await work({ ...runtime, reads }, ...input);
    } finally {
      await disconnect(reads);
    }
  });
}

async function openReplica(settings: Config['database'] & { dialect: 'postgres' }, url: string, now: Date) {
  // Imported lazily: most installations have no standby.
  const { connectToReplica } = await import('../../../db/connection/postgres/replica.ts');
  const { db, lastChange } = await connectToReplica(settings, url).catch((error) => {
    const explanation = explainExternalError(error)?.replaceAll('DATABASE_URL', 'DATABASE_REPLICA_URL');
    if (!explanation) throw error;
    throw new OperatorError(`${explanation}. Leave DATABASE_REPLICA_URL empty to read from DATABASE_URL.`);
  });
  process.stderr.write(`Read from the standby, ${age(lastChange, now)}.\n`);
  return db;
}

function age(lastChange: Date | undefined, now: Date): string {
  if (!lastChange) return 'which has had no change since it started';
  const seconds = Math.max(0, Math.round((now.getTime() - lastChange.getTime()) / 1000));
  return `whose last change is from ${lastChange.toISOString()}, ${seconds} s ago`;
}
