import { spawnSync } from 'node:child_process';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import type { ConditionId } from '../../core/conditions/table.ts';
import { nameLater, partitionedTables } from '../../core/rules/partitions.ts';
import { recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Database } from '../../db/connection/database.ts';
import { listPartitions, spansOf } from '../../db/connection/partitions/partitions.ts';
import { tendPartitions } from '../../db/connection/partitions/tend-partitions.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { dialect } from '../../harness/database/dialect.ts';
import { Admin } from '../../harness/service/admin.ts';
import { sealHead } from '../../jobs/upkeep/audit-witnesses.ts';
import { chainAudit } from '../../jobs/upkeep/chain-audit.ts';
import type { Situation } from './situation.ts';
import type { World } from './world.ts';

const UNCHAINED = 1_200;
/** More than the log may grow to. */
const WRITES = 300;
const MIB = 2 ** 20;

async function record({ service }: World, count: number): Promise<void> {
  await inTransaction(service.runtime.db, async (trx) => {
    for (let entry = 0; entry < count; entry++) await recordAudit(trx, SERVICE, 'webhook.pause', 'one', new Date());
  });
}

/** A small file system, for as long as a situation lasts. */
export async function smallDisk(folder: string, options: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The disk cannot be mounted, which takes root on Linux: ${stderr}`);
  return async () => void spawnSync('umount', ['--lazy', folder]);
}

let reader: Sqlite.Database | undefined;

/** A program that keeps a read transaction open, as a backup does, while the service writes. */
async function growLog(test: World): Promise<void> {
  const { db } = test.service.runtime;
  await db.schema.createTable('filler', (table) => table.binary('bytes'));
  reader = new Sqlite(join(test.folder, 'service.db'), { readonly: true });
  reader.exec('begin');
  reader.prepare('select count(*) from landlords').get();
  const bytes = Buffer.alloc(MIB, 1);
  for (let count = 0; count < WRITES; count++) {
    await db.table('filler').insert({ bytes });
    await db.table('filler').delete();
  }
}

async function giveLogBack(test: World): Promise<void> {
  reader?.close();
  const { db } = test.service.runtime;
  await db.schema.dropTable('filler');
  await db.raw('pragma wal_checkpoint(truncate)');
}

const ofSqlite: Partial<Record<ConditionId, Situation>> = {
  wal: { begin: growLog, end: giveLogBack },
  files: {
    begin: ({ folder }) => chmod(join(folder, 'service.db'), 0o644),
    end: ({ folder }) => chmod(join(folder, 'service.db'), 0o600),
  },
};

/** As when no worker has made partitions for weeks: every partition after the current week is missing. */
async function endPartitions(db: Database): Promise<void> {
  const one = partitionedTables.find(({ width }) => width === 'week') ?? expect.fail('no table of weeks');
  const now = new Date();
  const spans = spansOf(await listPartitions(db, one)).filter(({ from }) => from > now);
  const later = nameLater(one.table);
  const [first] = spans;
  const { rows } = await db.raw<{ rows: { bounds: string }[] }>(
    'select pg_get_expr(relpartbound, oid) as bounds from pg_class where oid = to_regclass(?)',
    [first?.name ?? ''],
  );
  const [, from] = /FROM \((.*?)\) TO/.exec(rows[0]?.bounds ?? '') ?? expect.fail('no bounds');
  await inTransaction(db, async (trx) => {
    await trx.raw(`alter table ${one.table} detach partition ${later}`);
    for (const { name } of spans) await trx.raw(`drop table ${name}`);
    await trx.raw(`alter table ${one.table} attach partition ${later} for values from (${from}) to (maxvalue)`);
  });
}

const ofPostgres: Partial<Record<ConditionId, Situation>> = {
  files: {
    begin: ({ folder }) => chmod(folder, 0o755),
    end: ({ folder }) => chmod(folder, 0o700),
  },
  partitions: {
    begin: ({ service }) => endPartitions(service.runtime.db),
    // The remedy of the condition itself: workers do so.
    end: ({ service }) => tendPartitions(service.runtime.db, { payloads: 999, records: 999 }, new Date()),
  },
};

export const causedInStorage: Partial<Record<ConditionId, Situation>> = {
  ...(dialect === 'sqlite' ? ofSqlite : ofPostgres),
  audit: {
    begin: (test) => record(test, UNCHAINED),
    end: async ({ service }) => {
      for (let count = 0; count < UNCHAINED; count += 100) await chainAudit(service.runtime);
    },
  },
  'audit-head': {
    // The end of the log is cut off, as by the owner of the database.
    begin: async (test) => {
      const { runtime } = test.service;
      await record(test, 3);
      await chainAudit(runtime);
      await sealHead(runtime);
      const on = dialect === 'postgres' ? ' on audit_entries' : '';
      for (const name of ['audit_entries_no_change', 'audit_entries_no_delete'])
        await runtime.db.raw(`drop trigger if exists ${name}${on}`);
      const last = await runtime.db('audit_entries').whereNotNull('position').orderBy('position', 'desc').first();
      await runtime
        .db('audit_entries')
        .where({ position: last?.position ?? null })
        .delete();
    },
    // The remedy of the condition itself.
    end: (test) => new Admin(test).text('audit', 'keep-head', '--yes'),
  },
  documents: {
    begin: async ({ folder }) => {
      await mkdir(join(folder, 'documents'), { recursive: true });
      await rename(join(folder, 'documents'), join(folder, 'documents-away'));
      await writeFile(join(folder, 'documents'), '');
    },
    end: async ({ folder }) => {
      await rm(join(folder, 'documents'));
      await rename(join(folder, 'documents-away'), join(folder, 'documents'));
    },
  },
};
