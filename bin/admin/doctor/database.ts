import { existsSync } from 'node:fs';
import type { Config } from '../../../core/settings/config.ts';
import { disconnect, examineRoutes, open, withDatabase } from '../../../db/connection/connect.ts';
import type { Database } from '../../../db/connection/database.ts';
import { locationOf } from '../../../db/connection/database-facts.ts';
import { areNotedKeysIn } from '../../../db/connection/encryption-keys.ts';
import { expectUtf8 } from '../../../db/connection/postgres/encoding.ts';
import { connectToReplica } from '../../../db/connection/postgres/replica.ts';
import { schemaStatus } from '../../../db/connection/schema-status.ts';
import { type Finding, type Found, ok, problem, warning } from '../../../jobs/upkeep/finding.ts';
import { monitoredChecks } from '../../../jobs/upkeep/monitored-checks.ts';
import { countUnsealed } from '../../../jobs/upkeep/seal-plain.ts';
import { workChecks } from '../../../jobs/upkeep/work-checks.ts';
import { commandLine } from '../cli/run-command.ts';
import { examine, examineEach } from './finding.ts';
import { tls } from './tls.ts';

type Examined = Pick<Config, 'database' | 'keys' | 'runWorkers' | 'mode' | 'migrate'>;

/** Read-only: creates no file and applies no migration. */
export async function examineDatabase(config: Examined, now: Date): Promise<Finding[]> {
  return [...(await examineRoute(config)), ...(await examineContent(config, now))];
}

/** Checks whether requests and jobs get through a pooler, which the other checks bypass, and whether commands can read from the standby. */
async function examineRoute({ database }: Examined): Promise<Finding[]> {
  if (database.dialect === 'sqlite') return [];
  const { sessionUrl, replicaUrl } = database;
  const found: Finding[] = [];
  if (sessionUrl)
    found.push(
      await examine('pooler', 'See "PgBouncer" in docs/operating/run.md.', async () => {
        await examineRoutes(database);
        return ok('The pooler of DATABASE_URL passes everything on that requests and jobs need.');
      }),
    );
  if (replicaUrl)
    found.push(
      await examine('standby', 'Correct DATABASE_REPLICA_URL, or leave it empty.', async () => {
        const { db, lastChange } = await connectToReplica(database, replicaUrl);
        await disconnect(db);
        return ok(`The standby’s last change is from ${lastChange?.toISOString() ?? 'before its start'}.`);
      }),
    );
  return found;
}

async function examineContent(config: Examined, now: Date): Promise<Finding[]> {
  const { database } = config;
  if (database.dialect === 'sqlite' && !existsSync(database.file))
    return [{ check: 'database', ...warning(`${database.file} does not exist yet.`, 'The first start creates it.') }];
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
      ...(await examineEach([...monitoredChecks(db, config, now), ...workChecks(db, config, now)])),
    ];
  });
}

async function schemaOf(db: Database, { database, migrate }: Examined): Promise<Found> {
  await expectUtf8(db);
  const { version, pending, unknown, compatible } = await schemaStatus(db);
  const where = `${database.dialect === 'sqlite' ? 'SQLite' : 'Postgres'}, ${locationOf(database)}`;
  if (!compatible)
    return problem(`${where}: a newer version of the service changed its schema.`, 'Run that version, or a newer one.');
  if (version === null) return warning(`${where}: it is empty.`, 'The first start creates its tables.');
  if (pending.length > 0)
    return warning(
      `${where}: its schema lacks ${pending.length} migrations of this version.`,
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
      'ENCRYPTION_KEY does not decrypt this database.',
      'Set the former key, or, during a change of keys, both ENCRYPTION_KEY and FORMER_ENCRYPTION_KEYS.',
    );
  return ok(
    fits ? 'The encryption key fits the database.' : 'No encryption key is recorded yet; the first start records it.',
  );
}

/** Workers seal values that versions before migration 0023 stored in the clear. */
async function sealed(db: Database, { runWorkers }: Examined): Promise<Found> {
  const left = await countUnsealed({ db });
  if (left === 0) return ok('All results and events are sealed.');
  return warning(
    `Results and events that an earlier version stored in the clear: ${left}.`,
    runWorkers ? 'Start the service, which seals them.' : 'RUN_WORKERS is false: start npm run worker.',
  );
}
