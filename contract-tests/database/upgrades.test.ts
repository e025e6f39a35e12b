import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { backgroundOf } from '../../bin/service/background-migrations.ts';
import { readConfig } from '../../core/settings/config.ts';
import { VERSION } from '../../core/version.ts';
import { doBackground, listBackground } from '../../db/connection/background-migrations.ts';
import { disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { LockedTable, migrate, UnfinishedWork } from '../../db/connection/migrate.ts';
import { schemaStatus } from '../../db/connection/schema-status.ts';
import type { BackgroundMigration } from '../../db/migrations/background.ts';
import { allMigrations, type NamedMigration } from '../../db/migrations/index.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';

databases('both');

const ADDED: NamedMigration = {
  name: '9998-added',
  oldestVersion: VERSION,
  up: async (db) => {
    await db.raw('alter table landlords add column later text');
  },
};
const BROKEN: NamedMigration = {
  name: '9999-broken',
  oldestVersion: VERSION,
  up: async (db) => {
    await db.raw('alter table landlords add column half text');
    throw new Error('killed in the middle');
  },
};

describe('migrations beside a running service', () => {
  let folder: { path: string; remove(): Promise<void> };
  let config: ReturnType<typeof readConfig>;
  let db: Database;
  beforeEach(async () => {
    const made = await temporaryFolder();
    folder = { path: made.path, remove: made.stop };
    config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: await preparedDatabase(folder.path) });
    db = await open(config.database);
    await migrate(db);
  });
  afterEach(async () => {
    await disconnect(db);
    await folder.remove();
  });
  const hasColumn = (column: string) => db.schema.hasColumn('landlords', column);

  it('are all or nothing: when one is killed, the earlier ones stay applied, and the next attempt resumes there', async () => {
    const failed = await migrate(db, { migrations: [...allMigrations, ADDED, BROKEN] }).catch((error) => error.message);
    expect(failed).to.include('killed in the middle');
    expect(await hasColumn('later')).to.equal(true);
    expect(await hasColumn('half')).to.equal(false);
    const mended = {
      ...BROKEN,
      up: (trx: Knex) => trx.schema.alterTable('landlords', (table) => void table.text('half')),
    };
    expect(await migrate(db, { migrations: [...allMigrations, ADDED, mended] })).to.deep.equal([BROKEN.name]);
    expect(await hasColumn('half')).to.equal(true);
  });

  it('are applied once when two processes migrate concurrently', async () => {
    const other = await open(config.database);
    const applied = await Promise.all(
      [db, other].map((one) => migrate(one, { migrations: [...allMigrations, ADDED] })),
    );
    await disconnect(other);
    expect(applied.flat()).to.deep.equal([ADDED.name]);
  });

  it('record which versions run on them, and this version runs on those that support it', async () => {
    await migrate(db, { migrations: [...allMigrations, ADDED] });
    expect(await schemaStatus(db)).to.deep.include({
      unknown: [ADDED.name],
      oldest_version: VERSION,
      compatible: true,
    });
    await db('migration_compatibility').where({ name: ADDED.name }).update({ oldest_version: '1.10.0' });
    expect(await schemaStatus(db)).to.deep.include({ oldest_version: '1.10.0', compatible: false });
  });

  if (dialect === 'postgres')
    it('yield to requests while a reader holds the table: they give up after a second and retry', async () => {
      const reader = await open(config.database);
      const held = await reader.transaction();
      await held('landlords').first('id');
      let isHeld = true;
      let [lockedOut, reads] = [0, 0];
      const migrating = migrate(db, {
        migrations: [...allMigrations, ADDED],
        pauseMs: 1,
        onLocked: () => {
          if (++lockedOut < 2 || reads === 0) return;
          isHeld = false;
          void held.rollback();
        },
      });
      const limited = {
        ...config.database,
        limits: { poolSize: 2, connectMs: 60_000, turnMs: 60_000, queryMs: 60_000, lockMs: 0, idleMs: 0 },
      };
      const caller = await open(limited);
      const waits = async () => {
        const { rows } = await reader.raw(
          "select 1 from pg_locks where not granted and relation = 'landlords'::regclass",
        );
        return rows.length > 0;
      };
      await until('the migration waits for the table', waits);
      // Queues behind the migration, which gives up long before the reader ends: that ends only after a read.
      while (isHeld) {
        await caller('landlords').first('id');
        reads++;
      }
      expect(await migrating).to.deep.equal([ADDED.name]);
      await disconnect(caller);
      await disconnect(reader);
    });

  if (dialect === 'postgres')
    it('fail with the reason when the table stays locked, and leave nothing behind', async () => {
      const reader = await open(config.database);
      const held = await reader.transaction();
      await held('landlords').first('id');
      const error = await migrate(db, { migrations: [...allMigrations, ADDED], patienceMs: 0 }).catch(
        (thrown) => thrown,
      );
      expect(error).to.be.instanceOf(LockedTable);
      expect(error.message).to.include(ADDED.name).and.include('pg_stat_activity');
      await held.rollback();
      await disconnect(reader);
      expect(await hasColumn('later')).to.equal(false);
    });

  describe('leave long-running work to workers', () => {
    const numbers = Array.from({ length: 25 }, (_, index) => `landlord-${String(index).padStart(2, '0')}`);
    let batches: string[];
    const backFill: BackgroundMigration = {
      name: 'names-of-landlords',
      batch: async (trx, position) => {
        const ids: string[] = await trx('landlords')
          .where('id', '>', position ?? '')
          .orderBy('id')
          .limit(10)
          .pluck('id');
        const last = ids.at(-1);
        if (last === undefined) return undefined;
        await trx('landlords')
          .whereIn('id', ids)
          .update({ name: trx.raw("name || '!'") });
        batches.push(last);
        return { position: last, rows: ids.length };
      },
    };
    const index: BackgroundMigration = {
      name: 'landlords-by-name',
      index: { name: 'landlords_by_name', on: 'landlords (name)' },
    };
    const later: NamedMigration = { ...ADDED, after: backFill.name };
    const by = (holder: string, stopping?: AbortSignal) => ({
      ...backgroundOf(config, db),
      ...{ holder, stopping, now: () => new Date() },
    });
    beforeEach(async () => {
      batches = [];
      const created_at = new Date().toISOString();
      await db('landlords').insert(numbers.map((id) => ({ id, name: 'L', created_at })));
      await migrate(db, { background: [backFill, index] });
    });
    const row = async (name: string) => (await listBackground(db)).find((one) => one.name === name);

    it('resume behind the last batch of an interrupted back-fill, and change each row once', async () => {
      const stopping = new AbortController();
      const stopped: BackgroundMigration = {
        ...backFill,
        batch: async (...given) => {
          stopping.abort();
          return backFill.batch(...given);
        },
      };
      expect(await doBackground(by('first', stopping.signal), [stopped])).to.equal(false);
      expect(await row(backFill.name)).to.include({ state: 'waiting', rows_done: 10, position: 'landlord-09' });
      expect(await doBackground(by('second'), [backFill])).to.equal(true);
      expect(batches).to.deep.equal(['landlord-09', 'landlord-19', 'landlord-24']);
      expect(await db('landlords').distinct('name').pluck('name')).to.deep.equal(['L!']);
      expect(await row(backFill.name)).to.include({ state: 'done', rows_done: 25, leased_by: null });
    });

    it('run background work in one process at a time; another takes over when a killed one’s lease expires, and the killed one changes nothing more', async () => {
      const until = (ms: number) => new Date(Date.now() + ms).toISOString();
      await db('background_migrations')
        .where({ name: backFill.name })
        .update({ leased_by: 'killed', leased_until: until(60_000) });
      expect(await doBackground(by('second'), [backFill])).to.equal(false);
      await db('background_migrations')
        .where({ name: backFill.name })
        .update({ leased_until: until(-1) });
      const thief: BackgroundMigration = {
        ...backFill,
        batch: async (trx, position) => {
          const done = await backFill.batch(trx, position);
          await trx('background_migrations').where({ name: backFill.name }).update({ leased_by: 'thief' });
          return done;
        },
      };
      const lost = await doBackground(by('second'), [thief]).catch((error) => error.message);
      expect(lost).to.include('taken the lease over');
      expect(batches).to.deep.equal(['landlord-09']);
    });

    it('record for operators why background work failed', async () => {
      const failing: BackgroundMigration = {
        ...backFill,
        batch: () => Promise.reject(new Error('no room on the disk')),
      };
      await doBackground(by('first'), [failing]).catch(() => {});
      expect(await row(backFill.name)).to.include({ state: 'waiting', failure: 'no room on the disk' });
    });

    it('stop before a migration that needs the result of unfinished work', async () => {
      const migrations = [...allMigrations, later];
      const error = await migrate(db, { migrations }).catch((thrown) => thrown);
      expect(error).to.be.instanceOf(UnfinishedWork);
      expect(error.message).to.include('db migrate --background');
      await doBackground(by('first'), [backFill]);
      expect(await migrate(db, { migrations })).to.deep.equal([later.name]);
    });

    it('build an index beside writes, and again after an interruption', async () => {
      if (dialect === 'postgres') {
        // The remains of a failed build.
        await db.raw('create index landlords_by_name on landlords (name)');
        await db.raw("update pg_index set indisvalid = false where indexrelid = 'landlords_by_name'::regclass");
      }
      expect(await doBackground(by('first'), [index])).to.equal(true);
      if (dialect === 'postgres') {
        const { rows } = await db.raw(
          "select indisvalid from pg_index where indexrelid = 'landlords_by_name'::regclass",
        );
        expect(rows).to.deep.equal([{ indisvalid: true }]);
      }
      expect(await row(index.name)).to.include({ state: 'done' });
    });

    if (dialect === 'postgres')
      it('build an index on each partition beside writes, and on the whole table as soon as no writer is in the way', async () => {
        const onPartitions: BackgroundMigration = {
          name: 'events-by-tenant-and-kind',
          index: { name: 'events_by_tenant_and_kind', on: 'events (tenant_id, event)' },
        };
        await migrate(db, { background: [backFill, index, onPartitions] });
        const { rows: partitions } = await db.raw<{ rows: { name: string }[] }>(
          "select relid::regclass::text as name from pg_partition_tree('events') where isleaf",
        );
        expect(partitions).to.have.length.above(2);
        // The remains of a build that failed before the table was partitioned.
        await db.raw('create index events_by_tenant_and_kind on events_before (tenant_id, event)');
        await db.raw("update pg_index set indisvalid = false where indexrelid = 'events_by_tenant_and_kind'::regclass");
        const writer = await db.transaction();
        await writer.raw('lock table only events in row exclusive mode');
        const beside = doBackground(by('first'), [onPartitions]);
        await until('the build waits for the writer', async () => {
          const { rows } = await db.raw("select 1 from pg_locks where not granted and relation = 'events'::regclass");
          return rows.length > 0;
        });
        await writer.rollback();
        expect(await beside).to.equal(true);
        const { rows } = await db.raw<{ rows: { valid: boolean; attached: number }[] }>(
          `select indisvalid as valid, (select count(*)::int from pg_inherits where inhparent = indexrelid) as attached
             from pg_index where indexrelid = 'events_by_tenant_and_kind'::regclass`,
        );
        expect(rows).to.deep.equal([{ valid: true, attached: partitions.length }]);
      });
  });
});

describe('the version of the service', () => {
  it('matches package.json', async () => {
    expect(JSON.parse(await readFile('package.json', 'utf8')).version).to.equal(VERSION);
  });
});
