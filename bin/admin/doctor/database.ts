import { existsSync } from 'node:fs';
import type { Config } from '../../../core/settings/config.ts';
import { type Database, open, withDatabase } from '../../../db/connection/connect.ts';
import { locationOf } from '../../../db/connection/database-facts.ts';
import { areNotedKeysIn } from '../../../db/connection/encryption-keys.ts';
import { schemaStatus } from '../../../db/connection/schema-status.ts';
import { countUnsealed } from '../../../jobs/upkeep/seal-plain.ts';
import { commandLine } from '../cli/run-command.ts';
import { examine, type Finding, type Found, ok, problem, warning } from './finding.ts';
import { examineMonitored, tls } from './monitored.ts';
import { examineWork } from './work.ts';

type Examined = Pick<Config, 'database' | 'keys' | 'runWorkers' | 'mode' | 'migrate'>;

/** Read-only: creates no file and applies no migration. */
export async function examineDatabase(config: Examined, now: Date): Promise<Finding[]> {
  const { database } = config;
  if (database.dialect === 'sqlite' && !existsSync(database.file))
    return [{ check: 'database', ...warning(`${database.file} is not there yet.`, 'The first start makes it.') }];
  return withDatabase(open(database, { readOnly: true }), async (db) => {
    const schema = await examine('database', 'Correct DATABASE_URL, or start the database.', () =>
      schemaOf(db, config),
    );
    if (schema.state !== 'ok') return [schema];
    return [
      schema,
      { check: 'tls', ...tls(config) },
      await examine('key', 'Set ENCRYPTION_KEY to the key of this database.', () => encryptionKey(db, config)),
      await examine('sealed', 'Run the doctor again.', () => sealed(db, config)),
      ...(await examineMonitored(db, config, now)),
      ...(await examineWork(db, config, now)),
    ];
  });
}

async function schemaOf(db: Database, { database, migrate }: Examined): Promise<Found> {
  const { version, pending, unknown, compatible } = await schemaStatus(db);
  const where = `${database.dialect === 'sqlite' ? 'SQLite' : 'Postgres'}, ${locationOf(database)}`;
  if (!compatible)
    return problem(`${where}: a newer version of the service changed its schema.`, 'Run that version, or a newer one.');
  if (version === null) return warning(`${where}: nothing is in it yet.`, 'The first start makes its tables.');
  if (pending.length > 0)
    return warning(
      `${where}: its schema is behind this version by ${pending.length}.`,
      migrate
        ? `The next start brings it up to date. Or: ${commandLine('db migrate')}`
        : `Make a backup, and then: ${commandLine('db migrate')}`,
    );
  const newer = unknown.length > 0 ? ', of a newer version on which this one runs' : '';
  return ok(`${where}, schema ${version}${newer}.`);
}

async function encryptionKey(db: Database, { keys }: Examined): Promise<Found> {
  const fits = await areNotedKeysIn(db, keys.encryption);
  if (fits === false)
    return problem(
      'ENCRYPTION_KEY does not open what this database holds.',
      'Set the key that was there before, or, while it is changed, both ENCRYPTION_KEY and FORMER_ENCRYPTION_KEYS.',
    );
  return ok(
    fits ? 'The encryption key fits the database.' : 'No encryption key is noted yet; the first start notes it.',
  );
}

/** Workers seal what versions before migration 0023 stored in the clear. */
async function sealed(db: Database, { runWorkers }: Examined): Promise<Found> {
  const left = await countUnsealed({ db });
  if (left === 0) return ok('All results and events are sealed.');
  return warning(
    `Results and events that an earlier version stored in the clear, and that wait to be sealed: ${left}.`,
    runWorkers ? 'Start the service, which seals them.' : 'RUN_WORKERS is false: start npm run worker.',
  );
}
