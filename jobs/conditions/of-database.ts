import { notChecked, type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Keys } from '../../core/settings/key-settings.ts';
import type { Database } from '../../db/connection/database.ts';
import { walBytes } from '../../db/connection/database-facts.ts';
import { areNotedKeysIn } from '../../db/connection/encryption-keys.ts';
import { expectUtf8 } from '../../db/connection/postgres/encoding.ts';
import { countUnsealed } from '../upkeep/seal-plain.ts';
import { clockSkewSeconds, type ServiceState, type StateRead, stateRead } from '../upkeep/service-state.ts';
import { AGAIN, type Observers } from './look.ts';

/** As in the alerts, except that a second already deserves a warning. */
const MAX_SECONDS_APART = 5;
const NOTED_SECONDS_APART = 1;
const MAX_UNCHAINED = 1_000;
const MAX_BACKUP_HOURS = 26;
const MIN_PARTITION_DAYS = 7;
const MIB = 2 ** 20;
const MAX_WAL_MIB = 256;

type OfDatabase = Pick<Observers, 'key' | 'sealed' | 'clock' | 'audit' | 'backup' | 'partitions' | 'wal'>;

/** The database as such: encoding, keys, clock, audit log, backup, partitions, write-ahead log. */
export function ofDatabase(
  db: Database,
  { mode, runWorkers, database, keys }: Pick<Config, 'mode' | 'runWorkers' | 'database'> & { keys: Keys },
  now: Date,
  state: StateRead = stateRead(db, now),
): OfDatabase {
  return {
    key: () => encryptionKey(db, keys),
    sealed: () => sealed(db, runWorkers),
    clock: () => clock(db),
    audit: async () => audit(await state(), runWorkers),
    backup: async () => backup(await state(), mode),
    partitions: async () => partitions(await state(), runWorkers),
    wal: async () => wal(walBytes(database)),
  };
}

/** @param db undefined when it could not be opened */
export async function encoding(db: Database | undefined): Promise<Observation> {
  if (!db) return notChecked('The database does not answer.', AGAIN);
  await expectUtf8(db);
  return ok('The database stores UTF-8.');
}

async function encryptionKey(db: Database, keys: Keys): Promise<Observation> {
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
async function sealed(db: Database, runWorkers: boolean): Promise<Observation> {
  const left = await countUnsealed({ db });
  if (left === 0) return ok('All results and events are sealed.');
  return warning(
    `Results and events that an earlier version stored in the clear: ${left}.`,
    runWorkers ? 'Start the service, which seals them.' : 'RUN_WORKERS is false: start npm run worker.',
  );
}

async function clock(db: Database): Promise<Observation> {
  const ahead = await clockSkewSeconds(db);
  const apart = Math.abs(ahead);
  if (apart <= NOTED_SECONDS_APART) return ok('The clock agrees with the database.');
  const found = `The clock of this machine is ${apart.toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database.`;
  const advice =
    'Keep the clocks of all machines together (NTP). The service uses the clock of Postgres, so no work is late, but times in the log are misleading.';
  return apart > MAX_SECONDS_APART ? problem(found, advice) : warning(found, advice);
}

function audit({ unchainedEntries }: ServiceState, runWorkers: boolean): Observation {
  if (unchainedEntries <= MAX_UNCHAINED) return ok('The audit log joins its chain.');
  return problem(
    `Audit entries that have not joined the chain: ${unchainedEntries} or more.`,
    runWorkers ? 'Start the service, which chains them.' : 'RUN_WORKERS is false: start npm run worker.',
  );
}

function backup({ backupAgeSeconds }: ServiceState, mode: Config['mode']): Observation {
  const hours = (backupAgeSeconds ?? Number.POSITIVE_INFINITY) / 3600;
  if (hours <= MAX_BACKUP_HOURS) return ok(`The last backup is ${Math.floor(hours)} h old.`);
  if (mode === 'sandbox') return ok('A sandbox needs no backup.');
  const found = Number.isFinite(hours) ? `The last backup is ${Math.floor(hours)} h old.` : 'No backup is known.';
  return problem(found, undefined, 'db note-backup');
}

function partitions({ partitionsAheadSeconds: ahead }: ServiceState, runWorkers: boolean): Observation {
  if (ahead === undefined) return ok('Events and deliveries are in plain tables.');
  const days = Math.floor(ahead / 86_400);
  if (days >= MIN_PARTITION_DAYS) return ok(`There are partitions for the next ${days} days.`);
  return problem(
    days < 0 ? 'New events and deliveries have no partition yet.' : `There are partitions for ${days} days only.`,
    runWorkers ? undefined : 'RUN_WORKERS is false: start npm run worker, which makes them.',
  );
}

function wal(bytes: number): Observation {
  const mib = Math.round(bytes / MIB);
  if (mib < MAX_WAL_MIB) return ok(`The write-ahead log has ${mib} MiB.`);
  return problem(`The write-ahead log has grown to ${mib} MiB.`);
}
