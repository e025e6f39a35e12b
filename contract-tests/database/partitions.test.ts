import { expect } from 'chai';
import { backgroundOf } from '../../bin/service/background-migrations.ts';
import { derivedIdAt, firstIdAt, ID_PREFIX, newId, type TimedPrefix } from '../../core/ids.ts';
import {
  nameBefore,
  nameFrom,
  nameLater,
  type PartitionedTable,
  partitionedTables,
  spanEnd,
  spanStart,
} from '../../core/rules/partitions.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { DAY_MS } from '../../core/time.ts';
import { doBackground } from '../../db/connection/background-migrations.ts';
import { connect, disconnect, open } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { migrate } from '../../db/connection/migrate.ts';
import { areEventsApart } from '../../db/connection/partitions/events-apart.ts';
import { listPartitions, partitionsUntil, spansOf } from '../../db/connection/partitions/partitions.ts';
import { tendPartitions } from '../../db/connection/partitions/tend-partitions.ts';
import { backgroundMigrations, EVENTS_APART } from '../../db/migrations/background.ts';
import { purgeEvents, purgePayloads } from '../../db/webhooks/old-events.ts';
import { inBulk, insertBulk } from '../../harness/database/bulk-rows.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { startPostgres } from '../../harness/database/postgres-server.ts';
import { temporaryFolder, testFixture } from '../../harness/mocha/fixtures.ts';

const idAt = (prefix: TimedPrefix, moment: Date) =>
  derivedIdAt(prefix, { id: `cause ${newId()}`, created_at: moment.toISOString() }, 'test');

databases('both');

/** Row-by-row deletion of this many rows would write ten times as much. */
const FORGOTTEN = 20_000;
const MAX_WAL_BYTES = 1_000_000;
const KEPT = { payloads: 30, records: 90 };
const NOW = new Date('2026-11-18T12:00:00.000Z');
const daysLater = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

const tableOf = (name: PartitionedTable['table']): PartitionedTable =>
  partitionedTables.find(({ table }) => table === name) ?? expect.fail(name);
/** Retention drops the partitions of events. */
const eventTables = partitionedTables.filter(({ kept }) => kept !== undefined);
const [DELIVERIES, BODIES] = [tableOf('deliveries'), tableOf('event_bodies')];

describe('partition spans', () => {
  it('are calendar months, and weeks that start on Monday, in UTC', () => {
    const [start, end] = [spanStart, spanEnd].map(
      (of) => (width: 'week' | 'month', moment: string) => of(width, new Date(moment)).toISOString().slice(0, 10),
    );
    expect(start?.('month', '2028-02-29T23:59:59.999Z')).to.equal('2028-02-01');
    expect(end?.('month', '2028-02-29T23:59:59.999Z')).to.equal('2028-03-01');
    expect(end?.('month', '2026-12-31T00:00:00.000Z')).to.equal('2027-01-01');
    for (const day of ['2026-11-16T00:00:00.000Z', '2026-11-22T23:59:59.999Z']) {
      expect(start?.('week', day)).to.equal('2026-11-16');
      expect(end?.('week', day)).to.equal('2026-11-23');
    }
    expect(`${'f'.repeat(8)}-ffff-4fff-bfff-${'f'.repeat(12)}` < ID_PREFIX.event, 'behind ids of before').to.equal(
      true,
    );
    expect(`msg_${'f'.repeat(32)}` < ID_PREFIX.delivery).to.equal(true);
  });
});

describe('partitioned events and deliveries', () => {
  const folder = testFixture(temporaryFolder);
  let config: Config;
  let db: Database;
  beforeEach(async () => {
    config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: await freshDatabase(folder.path) });
  });
  afterEach(async () => {
    if (db) await disconnect(db);
  });

  /** A landlord's webhook, and a tenant. */
  async function addParents(): Promise<void> {
    const created_at = NOW.toISOString();
    await db('landlords').insert({ id: 'landlord', name: 'L', created_at });
    const key = { id: 'key', client_id: 'key', client_secret_hash: '', landlord_id: 'landlord', name: 'K', created_at };
    await db('api_keys').insert(key);
    const hook = { id: 'hook', api_key_id: 'key', url: 'https://hook.example', status: 'active' as const, created_at };
    await db('webhooks').insert(hook);
    await db('tenants').insert({
      id: 'tenant',
      email: 't@mail.example',
      comparable_email: 't@mail.example',
      name: 'T',
      created_at,
    });
  }

  /** @returns the id of its delivery */
  async function addEvent(
    at: Date,
    { isOld = false, status = 'delivered' as 'delivered' | 'pending' } = {},
  ): Promise<string> {
    const [event, delivery] = isOld
      ? [`event ${at.toISOString()}`, `delivery ${at.toISOString()}`]
      : [idAt(ID_PREFIX.event, at), idAt(ID_PREFIX.delivery, at)];
    const created_at = at.toISOString();
    const body = isOld ? 'in the record' : null;
    await db('events').insert({
      id: event,
      tenant_id: 'tenant',
      api_key_id: 'key',
      event: 'EID_SUCCESS',
      body,
      created_at,
    });
    if (!isOld) await db('event_bodies').insert({ id: event, body: 'apart' });
    const row = {
      id: delivery,
      event_id: event,
      webhook_id: 'hook',
      status,
      attempts: 1,
      schedule_from: 0,
      created_at,
    };
    await db('deliveries').insert({ ...row, due_at: status === 'pending' ? created_at : null });
    await db('delivery_attempts').insert({
      delivery_id: delivery,
      number: 1,
      started_at: created_at,
      duration_ms: 1,
      status_code: 200,
      error: null,
      response_excerpt: null,
    });
    return delivery;
  }

  const ids = (table: PartitionedTable['table']): Promise<string[]> =>
    db(table).orderBy(tableOf(table).key).pluck(tableOf(table).key);
  const retain = async (now: Date) => {
    await purgePayloads(db, { before: new Date(now.getTime() - KEPT.payloads * DAY_MS), days: KEPT.payloads }, now);
    await purgeEvents(db, { before: new Date(now.getTime() - KEPT.records * DAY_MS), days: KEPT.records });
    return tendPartitions(db, KEPT, now);
  };
  const begin = async () => {
    db = await connect(config.database);
    await addParents();
  };

  if (dialect === 'sqlite')
    it('are plain tables: expired rows are deleted to the hour', async () => {
      await begin();
      const [old, young] = [await addEvent(daysLater(-91)), await addEvent(daysLater(-89))];
      expect(await retain(NOW)).to.deep.equal({ made: [], dropped: [] });
      expect(await ids('deliveries'))
        .to.deep.equal([young])
        .and.not.include(old);
      expect(await ids('event_bodies')).to.be.empty;
      expect(await partitionsUntil(db)).to.equal(undefined);
    });

  if (dialect !== 'postgres') return;

  const namesOf = async (one: PartitionedTable) => (await listPartitions(db, one)).map(({ name }) => name);
  /** The state of a delivery. */
  const partitionOf = async (id: string): Promise<string> => {
    const { rows } = await db.raw('select tableoid::regclass::text as name from deliveries where id = ?', [id]);
    return rows[0]?.name;
  };
  /** Partitions from the current month on, regardless of when the test runs. */
  const beginAt = async () => {
    await begin();
    return new Date();
  };

  it('get partitions ahead of time, each once, however many processes create them', async () => {
    const begun = await beginAt();
    const now = spanEnd('month', begun);
    const other = await open(config.database);
    const made = await Promise.all([db, other].map((one) => tendPartitions(one, KEPT, now)));
    await disconnect(other);
    const names = made.flatMap((one) => one.made);
    expect(names).to.have.length(new Set(names).size).above(0);
    const months = [0, 1, 2, 3].map((span) => {
      let start = spanStart('month', begun);
      for (let at = 0; at < span; at++) start = spanEnd('month', start);
      return nameFrom('deliveries', start);
    });
    expect(await namesOf(DELIVERIES)).to.deep.equal([nameBefore('deliveries'), ...months, nameLater('deliveries')]);
    expect(await partitionsUntil(db)).to.be.above(new Date(now.getTime() + 7 * DAY_MS));
    let more: string[] = [];
    do more = (await tendPartitions(db, { payloads: 999, records: 999 }, now)).made;
    while (more.length > 0);
    expect(await tendPartitions(db, { payloads: 999, records: 999 }, now)).to.deep.equal({ made: [], dropped: [] });
  });

  it('find a place whatever the clock says, and their own partition once it exists', async () => {
    const now = await beginAt();
    const month = spanEnd('month', spanEnd('month', now));
    const far = new Date(spanEnd('month', month).getTime() + DAY_MS);
    const [early, late] = [await addEvent(new Date(0)), await addEvent(far)];
    expect(await partitionOf(early)).to.equal(nameBefore('deliveries'));
    expect(await partitionOf(late)).to.equal(nameLater('deliveries'));
    await tendPartitions(db, KEPT, month);
    expect(await partitionOf(late)).to.equal(nameFrom('deliveries', spanStart('month', far)));
    // Dropped partitions leave no gap.
    await tendPartitions(db, KEPT, new Date(now.getTime() + 300 * DAY_MS));
    await addEvent(now);
    await tendPartitions(db, KEPT, new Date(now.getTime() + 340 * DAY_MS));
    await addEvent(now);
    // The far month's delivery was dropped with its partition meanwhile.
    expect(await ids('deliveries')).to.have.length(3);
  });

  it('are dropped with their partition once all of it has expired: never early, at most one span late, and not while one is open', async () => {
    const now = await beginAt();
    const end = spanEnd('month', now);
    const pastEnd = (days: number) => new Date(end.getTime() + days * DAY_MS);
    const told = await addEvent(now);
    const open = await addEvent(now, { status: 'pending' });
    const next = await addEvent(pastEnd(1));
    await tendPartitions(db, KEPT, pastEnd(KEPT.records - 1));
    expect(await ids('deliveries')).to.have.members([told, open, next]);
    await tendPartitions(db, KEPT, pastEnd(KEPT.records));
    expect(await ids('deliveries'), 'one is open').to.have.members([told, open, next]);
    expect(await ids('events')).to.have.length(3);
    await db('deliveries').where({ id: open }).update({ status: 'failed', due_at: null });
    const { dropped } = await tendPartitions(db, KEPT, pastEnd(KEPT.records));
    expect(dropped).to.include.members(
      ['deliveries', 'delivery_attempts', 'events'].map((table) => nameFrom(table, spanStart('month', now))),
    );
    expect(await ids('deliveries')).to.deep.equal([next]);
    expect(await ids('delivery_attempts')).to.deep.equal([next]);
    expect(await ids('events')).to.have.length(1);
  });

  it('lose their payload by the week, and pending deliveries end to the hour', async () => {
    const now = await beginAt();
    const waiting = await addEvent(now, { status: 'pending' });
    const later = new Date(now.getTime() + (KEPT.payloads + 1) * DAY_MS);
    await retain(later);
    expect(await db('deliveries').where({ id: waiting }).first()).to.include({ status: 'failed', due_at: null });
    await retain(new Date(now.getTime() + (KEPT.payloads + 8) * DAY_MS));
    expect(await ids('event_bodies')).to.be.empty;
    expect(await ids('events')).to.have.length(1);
  });

  it('are dropped with less than a megabyte of write-ahead log, however many there are', async () => {
    // The WAL belongs to the whole server: on a shared one, concurrent tests write to it, and autovacuum on any.
    const server = await startPostgres({ flags: ['autovacuum=off'] });
    try {
      config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: new URL('/postgres', server.url).href });
      await forgetMany();
      await disconnect(db);
    } finally {
      await server.stop();
    }
  });

  async function forgetMany(): Promise<void> {
    const now = await beginAt();
    const id = (prefix: TimedPrefix) => `'${firstIdAt(prefix, now)}' || lpad(to_hex(i), 8, '0')`;
    const created_at = `'${now.toISOString()}'`;
    const [event_id, delivery_id] = [id(ID_PREFIX.event), id(ID_PREFIX.delivery)];
    const webhook = { webhook_id: `'hook'`, status: `'delivered'`, attempts: '1' };
    await inBulk(db, async (trx) => {
      const event = { id: event_id, tenant_id: `'tenant'`, event: `'EID_SUCCESS'`, created_at };
      await insertBulk(trx, 'events', FORGOTTEN, event);
      await insertBulk(trx, 'event_bodies', FORGOTTEN, { id: event_id, body: `repeat(md5(i::text), 25)` });
      await insertBulk(trx, 'deliveries', FORGOTTEN, { id: delivery_id, event_id, ...webhook, created_at });
      const attempt = { delivery_id, number: '1', started_at: created_at, duration_ms: '1' };
      await insertBulk(trx, 'delivery_attempts', FORGOTTEN, attempt);
    });
    // Rows of weeks ago have been vacuumed. With page checksums, the default from Postgres 18 on, the first reader of a row logs its page.
    for (const { table } of eventTables) await db.raw('vacuum ??', [table]);
    await db.raw('checkpoint');
    const written = async () =>
      (await db.raw('select pg_wal_lsn_diff(pg_current_wal_lsn(), ?) as bytes', ['0/0'])).rows[0].bytes;
    const late = new Date(spanEnd('month', now).getTime() + KEPT.records * DAY_MS);
    // The partitions for the time until then are created early enough.
    for (let made = 1; made > 0; )
      ({ length: made } = (await tendPartitions(db, { payloads: 999, records: 999 }, late)).made);
    const before = await written();
    await retain(late);
    const bytes = (await written()) - before;
    for (const { table } of eventTables) expect(await ids(table), table).to.be.empty;
    expect(bytes).to.be.below(MAX_WAL_BYTES);
  }

  it('are dropped completely after a process was killed between detaching and dropping', async () => {
    const now = await beginAt();
    await tendPartitions(db, KEPT, now);
    const [week, nextWeek] = spansOf(await listPartitions(db, BODIES)).map(({ name }) => name);
    await db.raw(`alter table event_bodies detach partition ${week} concurrently`);
    const { dropped } = await tendPartitions(db, KEPT, now);
    expect(dropped).to.deep.equal([week]);
    expect(await db.schema.hasTable(week ?? '')).to.equal(false);
    // The leftovers of a session that ends while it waits for a reader.
    await db.raw('update pg_inherits set inhdetachpending = true where inhrelid = ?::regclass', [nextWeek ?? '']);
    await tendPartitions(db, KEPT, now);
    expect(await db.schema.hasTable(nextWeek ?? '')).to.equal(false);
  });

  it('are deleted row by row when kept for less than two spans', async () => {
    const now = await beginAt();
    await addEvent(new Date(now.getTime() - 3 * DAY_MS));
    const young = await addEvent(now);
    await purgeEvents(db, { before: new Date(now.getTime() - 2 * DAY_MS), days: 2 });
    expect(await ids('deliveries')).to.deep.equal([young]);
  });

  it('from before an upgrade stay readable, are not copied, and are deleted row by row once expired', async () => {
    db = await open(config.database);
    await migrate(db);
    await addParents();
    await unpartition();
    const old = await addEvent(daysLater(-100), { isOld: true });
    const kept = await addEvent(daysLater(-10), { isOld: true });
    const fileOf = async (table: string) =>
      (await db.raw('select pg_relation_filenode(?) as file', [table])).rows[0].file;
    const file = await fileOf('deliveries');
    const by = (now: Date) => ({ ...backgroundOf(config, db), now: () => now });
    expect(await areEventsApart(db)).to.equal(false);
    expect(await doBackground(by(new Date()), backgroundMigrations), 'on the day of the upgrade').to.equal(false);
    expect(await namesOf(DELIVERIES)).to.be.empty;
    const reader = await db.transaction();
    await reader('deliveries').first('id');
    // Requests take precedence, so the migration retries each time.
    const done = doBackground(by(new Date(Date.now() + 2 * DAY_MS)), backgroundMigrations);
    expect(await Promise.race([done, reader('events').first('id')])).to.not.equal(true);
    await reader.rollback();
    expect(await done).to.equal(true);
    expect(await fileOf(nameBefore('deliveries'))).to.equal(file);
    expect(await ids('deliveries')).to.have.members([old, kept]);
    const fresh = await addEvent(new Date());
    await purgeEvents(db, { before: daysLater(-KEPT.records), days: KEPT.records });
    expect(await ids('deliveries')).to.have.members([kept, fresh]);
  });

  /** The state in which the migrations leave a non-empty database: the background work is registered and has not run. */
  async function unpartition(): Promise<void> {
    for (const { table } of eventTables) {
      await db.raw(`create table plain (like ${nameBefore(table)} including all)`);
      await db.raw(`drop table ${table} cascade`);
      await db.raw(`alter table plain rename to ${table}`);
    }
    await db.raw('alter table deliveries add foreign key (event_id) references events (id)');
    await db.raw('alter table delivery_attempts add foreign key (delivery_id) references deliveries (id)');
    await db.raw('alter table events add foreign key (tenant_id) references tenants (id)');
    const created_at = new Date().toISOString();
    await db('background_migrations')
      .where({ name: EVENTS_APART })
      .update({ state: 'waiting', created_at, finished_at: null });
  }

  it('never refer to dropped rows: the ids of an event and its deliveries share a span', () => {
    const moment = new Date('2026-11-30T23:59:59.999Z');
    for (const prefix of Object.values(ID_PREFIX)) {
      expect(idAt(prefix, moment) > firstIdAt(prefix, moment)).to.equal(true);
      expect(idAt(prefix, moment) < firstIdAt(prefix, new Date(moment.getTime() + 1))).to.equal(true);
    }
    expect(`${'f'.repeat(8)}-ffff-4fff-bfff-${'f'.repeat(12)}` < ID_PREFIX.event, 'behind ids of before').to.equal(
      true,
    );
    expect(`msg_${'f'.repeat(32)}` < ID_PREFIX.delivery).to.equal(true);
  });
});
