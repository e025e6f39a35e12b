import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../core/settings/config.ts';
import { VERSION } from '../../core/version.ts';
import type { BackgroundMigrationRow } from './background-migrations.ts';
import { open, withDatabase } from './connect.ts';
import { type Database, dialectOf } from './database.ts';
import { partitionsUntil } from './partitions/partitions.ts';
import { countRows, countUpTo } from './queries/counts.ts';
import { schemaStatus } from './schema-status.ts';

const TABLES = [
  ...(['landlords', 'api_keys', 'workspaces', 'properties', 'tenants', 'applications', 'participants'] as const),
  ...(['documents', 'forensic_runs', 'webhooks', 'events', 'deliveries', 'audit_entries'] as const),
];

type BackgroundFacts = Pick<BackgroundMigrationRow, 'name' | 'rows_done' | 'leased_by' | 'failure'>;

/** A summary of a database for operators. */
export interface DatabaseFacts {
  dialect: 'sqlite' | 'postgres';
  /** Without credentials. */
  location: string;
  schema_version: string | null;
  pending: string[];
  unknown: string[];
  /** The oldest version of the service that runs on this schema. */
  oldest_version: string | null;
  /** The version of this program. */
  service_version: string;
  /** Whether it runs on this schema once nothing is pending. */
  compatible: boolean;
  /** Background migrations that are not done. */
  background: BackgroundFacts[];
  /** Until when every table has partitions; null for plain tables. */
  partitions_until: string | null;
  size_bytes: number;
  /** Row counts of the main tables that exist. */
  rows: Record<string, number>;
  /** The tables whose count is an estimate from the last vacuum. */
  estimated: string[];
}

/** Read-only, for a database of any version. Does not create a missing file. */
export async function databaseFacts(settings: Config['database']): Promise<DatabaseFacts> {
  const isThere = settings.dialect === 'postgres' || existsSync(settings.file);
  // An in-memory database stands in for a missing file.
  const opening = open(isThere ? settings : { dialect: 'sqlite', file: ':memory:' }, { readOnly: true });
  return withDatabase(opening, async (db) => {
    const { version: schema_version, ...status } = await schemaStatus(db);
    const background = await backgroundFacts(db);
    const partitions_until = (await partitionsUntil(db))?.toISOString() ?? null;
    const { dialect } = settings;
    const size_bytes = await sizeOf(db, settings);
    return {
      dialect,
      location: locationOf(settings),
      schema_version,
      ...status,
      service_version: VERSION,
      background,
      partitions_until,
      size_bytes,
      ...(await summariseRows(db)),
    };
  });
}

async function backgroundFacts(db: Database): Promise<BackgroundFacts[]> {
  if (!(await db.schema.hasTable('background_migrations'))) return [];
  return db('background_migrations')
    .where({ state: 'waiting' })
    .orderBy(['created_at', 'name'])
    .select('name', 'rows_done', 'leased_by', 'failure');
}

async function sizeOf(db: Database, settings: Config['database']): Promise<number> {
  if (settings.dialect === 'sqlite')
    return ['', '-wal'].reduce(
      (sum, end) => sum + (statSync(settings.file + end, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  const { rows } = await db.raw<{ rows: { size: number }[] }>('select pg_database_size(current_database()) as size');
  return rows[0]?.size ?? 0;
}

/** Without credentials. */
export function locationOf(settings: Config['database']): string {
  if (settings.dialect === 'sqlite') return settings.file;
  const { host, pathname } = new URL(settings.url);
  return `${host}${pathname}`;
}

/** The size of SQLite's write-ahead log; 0 on Postgres, whose own it is. */
export function walBytes(settings: Config['database']): number {
  if (settings.dialect === 'postgres') return 0;
  return statSync(`${settings.file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** The clock of the Postgres server. */
export async function readDatabaseClock(db: Database): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { at: Date }[] }>('select clock_timestamp() as at');
  return rows[0]?.at;
}

/** Larger Postgres tables are not counted, because that would read every row. */
const MAX_COUNTED = 10_000;

async function summariseRows(db: Database): Promise<Pick<DatabaseFacts, 'rows' | 'estimated'>> {
  if (dialectOf(db) === 'sqlite') return { rows: await countMainRows(db), estimated: [] };
  const facts: Pick<DatabaseFacts, 'rows' | 'estimated'> = { rows: {}, estimated: [] };
  for (const table of TABLES) {
    if (!(await db.schema.hasTable(table))) continue;
    const counted = await countUpTo(db, db(table), MAX_COUNTED);
    facts.rows[table] = counted;
    if (counted < MAX_COUNTED) continue;
    const { rows } = await db.raw<{ rows: { rows: number }[] }>(
      // A partitioned table counts as the sum of its partitions.
      `select sum(reltuples) as rows from pg_class where reltuples > 0 and relkind = 'r'
         and (oid = to_regclass(?) or oid in (select relid from pg_partition_tree(to_regclass(?))))`,
      [table, table],
    );
    facts.rows[table] = Math.max(counted, rows[0]?.rows ?? 0);
    facts.estimated.push(table);
  }
  return facts;
}

export async function countMainRows(db: Database): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const table of TABLES) {
    if (!(await db.schema.hasTable(table))) continue;
    rows[table] = await countRows(db(table));
  }
  return rows;
}
