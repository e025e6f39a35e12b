import { type Observation, ok, problem, warning } from '../../core/conditions/observation.ts';
import { CONTRACT_ADVICE, readContract, UnusableContract } from '../../core/contract.ts';
import type { Config } from '../../core/settings/config.ts';
import { oneLine } from '../../core/text.ts';
import { disconnect, examineRoutes } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { locationOf } from '../../db/connection/database-facts.ts';
import { connectToReplica } from '../../db/connection/postgres/replica.ts';
import { schemaStatus } from '../../db/connection/schema-status.ts';
import type { Looking, Observers, Sight } from '../../jobs/conditions/look.ts';
import { ofAudit } from '../../jobs/conditions/of-audit.ts';
import { ofCertificates } from '../../jobs/conditions/of-certificates.ts';
import { encoding, ofDatabase } from '../../jobs/conditions/of-database.ts';
import { ofLandlords } from '../../jobs/conditions/of-landlords.ts';
import { ofMachine } from '../../jobs/conditions/of-machine.ts';
import { ofOutcomes } from '../../jobs/conditions/of-outcomes.ts';
import { ofProcesses } from '../../jobs/conditions/of-processes.ts';
import { ofAddress, ofProviders } from '../../jobs/conditions/of-providers.ts';
import { ofWork } from '../../jobs/conditions/of-work.ts';
import { tls } from '../../jobs/conditions/tls.ts';
import { stateRead } from '../../jobs/upkeep/service-state.ts';
import type { Providers } from '../../providers/providers.ts';
import { explainExternalError } from './explain-external-error.ts';
import { isOpenToAll, openToOthers } from './private-files.ts';
import { settingsFile } from './settings-file.ts';

/** Who looks: the service at itself, or a command beside it. */
export interface Onlooker {
  config: Config;
  providers: Pick<Providers, 'auditHead' | 'documents' | 'scanner' | 'mail' | 'kyc' | 'eid' | 'bank'>;
  /** Where callers reach the service. */
  url: () => Promise<string>;
  process: Pick<Observers, 'process' | 'ready'>;
  database: Sight['database'];
  /** The database, once it is open. */
  opened: () => Database | undefined;
  /** Once `database` has found it well. */
  db: () => Database;
  /** Resolves to undefined when the database is not well. */
  answering: () => Promise<Database | undefined>;
  now: Date;
}

/** All observers, as this onlooker has them. */
export function sightOf({ config, providers, url, process, database, opened, db, answering, now }: Onlooker): Sight {
  return {
    outside: {
      settings: async () => validSettings(config),
      contract: async () => contract(),
      files: async () => privateFiles(config),
      tls: async () => tls(config),
      pooler: () => pooler(config),
      standby: () => standby(config),
      ...ofMachine(config),
      ...process,
      ...ofProviders(providers, config, answering(), now),
      ...ofAddress(url),
      ...ofCertificates(url, config, answering()),
    },
    database,
    encoding: () => encoding(opened()),
    inside: () => inside(db(), { config, providers, now }),
  };
}

function inside(db: Database, { config, providers, now }: Pick<Onlooker, 'config' | 'providers' | 'now'>) {
  // Read once, for all conditions based on it.
  const state = stateRead(db, now);
  return {
    ...ofDatabase(db, config, now, state),
    ...ofAudit({ db, keys: config.keys, now: () => now, providers }),
    ...ofProcesses(db, now),
    ...ofOutcomes(db, now),
    ...ofWork(db, config, now, state),
    ...ofLandlords(db, config, now),
  };
}

export const looking: Looking = { explain: reasonOf };

/** As a complete sentence. */
export function reasonOf(error: unknown): string {
  const reason = explainExternalError(error) ?? oneLine(error instanceof Error ? error.message : String(error));
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`.replace(/[^.]$/, '$&.');
}

/** Without valid settings, there is no onlooker. */
export function validSettings({ mode }: Pick<Config, 'mode'>): Observation {
  return ok(`They are valid. The mode is ${mode === 'live' ? 'live' : 'sandbox, where providers may be simulated'}.`);
}

export async function schemaOf(db: Database, { database, migrate }: Config): Promise<Observation> {
  const { version, pending, unknown, compatible } = await schemaStatus(db);
  const where = `${database.dialect === 'sqlite' ? 'SQLite' : 'Postgres'}, ${locationOf(database)}`;
  if (!compatible)
    return problem(`${where}: a newer version of the service changed its schema.`, 'Run that version, or a newer one.');
  if (version === null) return warning(`${where}: it is empty.`, 'The first start creates its tables.');
  if (pending.length > 0)
    return warning(
      `${where}: its schema lacks ${pending.length} migrations of this version.`,
      migrate ? 'The next start brings it up to date. Or:' : 'Make a backup, and then:',
      'db migrate',
    );
  const newer = unknown.length > 0 ? ', of a newer version on which this one runs' : '';
  return ok(`${where}, schema ${version}${newer}.`);
}

function contract(): Observation {
  try {
    readContract();
    return ok('The document that is served is the one that requests are checked against.');
  } catch (error) {
    if (error instanceof UnusableContract) return problem(error.fault, CONTRACT_ADVICE);
    throw error;
  }
}

const MAX_PATHS = 3;

function privateFiles(config: Pick<Config, 'dataDir' | 'database'>): Observation {
  const settings = settingsFile();
  const ofSettings = settings !== undefined && isOpenToAll(settings) ? [settings] : [];
  const open = [...new Set([...ofSettings, ...openToOthers(config)])];
  if (open.length === 0) return ok('Only their owner can access the files of the service.');
  const more = open.length > MAX_PATHS ? `, and ${open.length - MAX_PATHS} more` : '';
  return problem(
    `Other accounts of this machine can access ${open.slice(0, MAX_PATHS).join(', ')}${more}.`,
    'Run chmod -R go= <file or folder>. A start of the service does so for the files it owns, except the settings.',
  );
}

/** Checks whether requests and jobs get through a pooler, which the other checks bypass. */
async function pooler({ database }: Pick<Config, 'database'>): Promise<Observation> {
  if (database.dialect === 'sqlite' || !database.sessionUrl) return ok('There is no pooler.');
  await examineRoutes(database);
  return ok('The pooler of DATABASE_URL passes everything on that requests and jobs need.');
}

async function standby({ database }: Pick<Config, 'database'>): Promise<Observation> {
  if (database.dialect === 'sqlite' || !database.replicaUrl) return ok('There is no standby.');
  const { db, lastChange } = await connectToReplica(database, database.replicaUrl);
  await disconnect(db);
  return ok(`The standby’s last change is from ${lastChange?.toISOString() ?? 'before its start'}.`);
}
