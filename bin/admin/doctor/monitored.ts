import { isIP } from 'node:net';
import type { Config } from '../../../core/settings/config.ts';
import type { Database } from '../../../db/connection/connect.ts';
import { clockSkewSeconds, serviceState } from '../../../jobs/upkeep/service-state.ts';
import { commandLine } from '../cli/run-command.ts';
import { examine, type Finding, type Found, ok, problem, warning } from './finding.ts';

/** As in `docs/monitoring/alerts.yaml`, except that a second is worth a warning. */
const MOST_SECONDS_APART = 5;
const NOTED_SECONDS_APART = 1;
const MOST_UNCHAINED = 1_000;
const MOST_BACKUP_HOURS = 26;

/** What metrics tell, too: the clock, the chain of the audit log, the last backup. */
export async function examineMonitored(
  db: Database,
  { mode, runWorkers }: Pick<Config, 'mode' | 'runWorkers'>,
  now: Date,
): Promise<Finding[]> {
  const again = 'Run the doctor again.';
  return [
    await examine('clock', 'Keep the clocks of all machines together (NTP).', () => clock(db)),
    await examine('audit', again, async () => audit(await serviceState(db, now), runWorkers)),
    await examine('backup', again, async () => backup(await serviceState(db, now), mode)),
  ];
}

async function clock(db: Database): Promise<Found> {
  const ahead = await clockSkewSeconds(db);
  const apart = Math.abs(ahead);
  if (apart <= NOTED_SECONDS_APART) return ok('The clock agrees with the database.');
  const found = `The clock of this machine is ${apart.toFixed(1)} s ${ahead > 0 ? 'ahead of' : 'behind'} the database.`;
  const advice =
    'Keep the clocks of all machines together (NTP). The service uses the clock of Postgres, so nothing comes late; log lines are misleading.';
  return apart > MOST_SECONDS_APART ? problem(found, advice) : warning(found, advice);
}

function audit({ unchainedEntries }: { unchainedEntries: number }, runWorkers: boolean): Found {
  if (unchainedEntries <= MOST_UNCHAINED) return ok('The audit log joins its chain.');
  return problem(
    `Audit entries that have not joined the chain: ${unchainedEntries} or more.`,
    runWorkers ? 'Start the service, which chains them.' : 'RUN_WORKERS is false: start npm run worker.',
  );
}

function backup({ backupAgeSeconds }: { backupAgeSeconds: number | undefined }, mode: Config['mode']): Found {
  const hours = (backupAgeSeconds ?? Number.POSITIVE_INFINITY) / 3600;
  if (hours <= MOST_BACKUP_HOURS) return ok(`The last backup is ${Math.floor(hours)} h old.`);
  if (mode === 'sandbox') return ok('A sandbox needs no backup.');
  const found = Number.isFinite(hours) ? `The last backup is ${Math.floor(hours)} h old.` : 'No backup is known.';
  return problem(
    found,
    `Make one each night. Where it is made by other means, such as pg_dump, note it then: ${commandLine('db note-backup')}`,
  );
}

const TLS_MODES: Record<string, 'none' | 'unverified'> = { disable: 'none', 'no-verify': 'unverified' };

/** How the driver reads the address: every `sslmode` but these two means TLS with a verified certificate. */
export function tlsOf(url: string, env = process.env): 'verified' | 'unverified' | 'none' {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  if (mode !== null) return TLS_MODES[mode] ?? 'verified';
  const ssl = searchParams.get('ssl');
  if (ssl === '0' || ssl === 'false') return 'none';
  if (ssl !== null) return 'verified';
  const fromEnv = env['PGSSLMODE'];
  return fromEnv === undefined ? 'none' : (TLS_MODES[fromEnv] ?? 'verified');
}

export function tls({ database, mode }: Pick<Config, 'database' | 'mode'>): Found {
  if (database.dialect === 'sqlite') return ok('SQLite is a file of this machine.');
  const { hostname, searchParams } = new URL(database.url);
  const host = searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, '');
  const isLocal =
    host === '' || host === 'localhost' || host.startsWith('/') || (isIP(host) > 0 && /^(127\.|::1$)/.test(host));
  const state = tlsOf(database.url);
  if (isLocal) return ok('The database is on this machine.');
  if (state === 'verified') return ok('The connection to the database is encrypted, and its certificate verified.');
  const found =
    state === 'none'
      ? `The connection to ${host} is not encrypted.`
      : `The certificate of ${host} is not verified, so that another could take its place.`;
  const advice = 'Add ?sslmode=verify-full to DATABASE_URL, and &sslrootcert=<file> for a CA of your own.';
  return mode === 'live' ? warning(found, advice) : ok(found);
}
