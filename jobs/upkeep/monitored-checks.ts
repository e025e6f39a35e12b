import type { Config } from '../../core/settings/config.ts';
import type { Database } from '../../db/connection/database.ts';
import { type Found, ok, problem, warning } from './finding.ts';
import { clockSkewSeconds, type ServiceState, serviceState } from './service-state.ts';

/** As in `docs/monitoring/alerts.yaml`, except that a second already deserves a warning. */
const MAX_SECONDS_APART = 5;
const NOTED_SECONDS_APART = 1;
const MAX_UNCHAINED = 1_000;
const MAX_BACKUP_HOURS = 26;
const MIN_PARTITION_DAYS = 7;

/** Checks what metrics also show, keyed by subject: the clock, the chain of the audit log, the last backup, the partitions. */
export function monitoredChecks(
  db: Database,
  { mode, runWorkers }: Pick<Config, 'mode' | 'runWorkers'>,
  now: Date,
): [check: string, look: () => Promise<Found>][] {
  let asked: Promise<ServiceState> | undefined;
  // Queried once, for all checks based on it.
  const state = () => {
    asked ??= serviceState(db, now);
    return asked;
  };
  return [
    ['clock', () => clock(db)],
    ['audit', async () => audit(await state(), runWorkers)],
    ['backup', async () => backup(await state(), mode)],
    ['partitions', async () => partitions(await state(), runWorkers)],
  ];
}

async function clock(db: Database): Promise<Found> {
  const ahead = await clockSkewSeconds(db);
  const apart = Math.abs(ahead);
  if (apart <= NOTED_SECONDS_APART) return ok('The clock agrees with the database.');
  const found = `The clock of this machine is ${apart.toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database.`;
  const advice =
    'Keep the clocks of all machines together (NTP). The service uses the clock of Postgres, so no work is late, but times in the log are misleading.';
  return apart > MAX_SECONDS_APART ? problem(found, advice) : warning(found, advice);
}

function audit({ unchainedEntries }: { unchainedEntries: number }, runWorkers: boolean): Found {
  if (unchainedEntries <= MAX_UNCHAINED) return ok('The audit log joins its chain.');
  return problem(
    `Audit entries that have not joined the chain: ${unchainedEntries} or more.`,
    runWorkers ? 'Start the service, which chains them.' : 'RUN_WORKERS is false: start npm run worker.',
  );
}

function backup({ backupAgeSeconds }: { backupAgeSeconds: number | undefined }, mode: Config['mode']): Found {
  const hours = (backupAgeSeconds ?? Number.POSITIVE_INFINITY) / 3600;
  if (hours <= MAX_BACKUP_HOURS) return ok(`The last backup is ${Math.floor(hours)} h old.`);
  if (mode === 'sandbox') return ok('A sandbox needs no backup.');
  const found = Number.isFinite(hours) ? `The last backup is ${Math.floor(hours)} h old.` : 'No backup is known.';
  return problem(
    found,
    'Make one every night. If it is made by other means, such as pg_dump, record it afterwards:',
    'db note-backup',
  );
}

function partitions(
  { partitionsAheadSeconds: ahead }: { partitionsAheadSeconds: number | undefined },
  runWorkers: boolean,
): Found {
  if (ahead === undefined) return ok('Events and deliveries are in plain tables.');
  const days = Math.floor(ahead / 86_400);
  if (days >= MIN_PARTITION_DAYS) return ok(`There are partitions for the next ${days} days.`);
  return problem(
    days < 0 ? 'New events and deliveries have no partition yet.' : `There are partitions for ${days} days only.`,
    runWorkers
      ? 'Start the service, which makes them. If it runs, see its log: long transactions may hold the tables.'
      : 'RUN_WORKERS is false: start npm run worker, which makes them.',
  );
}
