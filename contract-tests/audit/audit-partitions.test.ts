import { expect } from 'chai';
import { backgroundOf } from '../../bin/service/background-migrations.ts';
import { nameBefore, nameFrom, spanEnd, spanStart } from '../../core/rules/partitions.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { DAY_MS } from '../../core/time.ts';
import { recordAudit, SERVICE } from '../../db/audit/audit.ts';
import { listAuditEntries } from '../../db/audit/audit-list.ts';
import { doBackground } from '../../db/connection/background-migrations.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { tendPartitions } from '../../db/connection/partitions/tend-partitions.ts';
import { backgroundMigrations } from '../../db/migrations/background.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { temporaryFolder, testFixture } from '../../harness/mocha/fixtures.ts';
import { watchPostgres } from '../../harness/plans/watch-postgres.ts';
import { chainAudit, verifyChain } from '../../jobs/upkeep/chain-audit.ts';

databases('postgres');

const TABLE = 'audit_entries';
const MONTHS = 12;
const EACH = 2_000;
/** A few pages for each partition, of which there are 16. */
const MAX_PAGES = 200;
/** A page of the list, and what may be out of order in it. */
const MAX_ROWS = 600;
/** Autovacuum during chaining scatters neighbouring rows: then each row costs a page of the index and one of the table. */
const PAGES_A_ROW = 2;

/** SQLite keeps an unpartitioned table. */
describe('the partitioned audit log', () => {
  const folder = testFixture(temporaryFolder);
  const begun = new Date();
  let config: Config;
  let db: Database;
  beforeEach(async () => {
    config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: await freshDatabase(folder.path) });
    db = await connect(config.database);
  });
  afterEach(() => disconnect(db));

  const record = (id: string, now = begun) =>
    db.transaction((trx) => recordAudit(trx, SERVICE, 'webhook.pause', id, now));
  const tend = (now: Date) => tendPartitions(db, { payloads: 30, records: 90 }, now);
  const placed = async (): Promise<[string, string][]> => {
    const { rows } = await db.raw<{ rows: { id: string; name: string }[] }>(
      `select resource_id as id, tableoid::regclass::text as name from ${TABLE} order by sequence`,
    );
    return rows.map(({ id, name }) => [id, name]);
  };
  const refusal = (statement: string) =>
    db.raw(statement).then(
      () => `it was done: ${statement}`,
      (error: Error) => error.message,
    );
  const verdict = async () => {
    await chainAudit({ db });
    return verifyChain({ db });
  };

  /** The schema as the previous version left it, with its triggers; the background migration is registered but has not run. */
  async function unpartition(): Promise<void> {
    const sequence = `${TABLE}_sequence_seq`;
    await db.raw(`create table plain (like ${nameBefore(TABLE)} including all)`);
    await db.raw(`alter sequence ${sequence} owned by plain.sequence`);
    await db.raw(`drop table ${TABLE}`);
    await db.raw(`alter table plain rename to ${TABLE}`);
    await db.raw('select setval(?, 1, false)', [sequence]);
    await db.raw(`create trigger audit_entries_no_change before update on ${TABLE} for each row
      when (old.hash is not null) execute function refuse_audit_change()`);
    await db.raw(`create trigger audit_entries_no_delete before delete or truncate on ${TABLE} for each statement
      execute function refuse_audit_change()`);
    const waiting = { state: 'waiting' as const, created_at: begun.toISOString(), finished_at: null };
    await db('background_migrations').where({ name: 'audit_entries_by_month' }).update(waiting);
  }

  it('leaves entries from before an upgrade in place, and chains later entries to them', async () => {
    await unpartition();
    await record('old');
    await chainAudit({ db });
    await record('not chained');
    const fileOf = async (table: string) =>
      (await db.raw('select pg_relation_filenode(?) as file', [table])).rows[0].file;
    const file = await fileOf(TABLE);
    const later = { ...backgroundOf(config, db), now: () => new Date(begun.getTime() + 2 * DAY_MS) };
    expect(await doBackground(later, backgroundMigrations)).to.equal(true);
    expect(await fileOf(nameBefore(TABLE))).to.equal(file);
    await record('new');
    const [before, current] = [nameBefore(TABLE), nameFrom(TABLE, spanStart('month', later.now()))];
    expect(await placed()).to.deep.equal([
      ['old', before],
      ['not chained', before],
      ['new', current],
    ]);
    const { head, ...rest } = await verdict();
    expect(rest).to.deep.equal({ archived: 0, fault: undefined, waiting: 0, displaced: 0 });
    expect(head.position).to.equal(3);
    expect((await listAuditEntries(db, {}, 2)).map(({ resource_id }) => resource_id)).to.deep.equal([
      'new',
      'not chained',
    ]);
  });

  it('refuses every change, through the parent table and in each partition', async () => {
    await record('kept');
    await chainAudit({ db });
    const next = spanEnd('month', begun);
    await tend(next);
    const partitions = [begun, next, spanEnd('month', spanEnd('month', next))].map((at) =>
      nameFrom(TABLE, spanStart('month', at)),
    );
    for (const table of [TABLE, partitions[0] ?? ''])
      for (const statement of [`update ${table} set actor = 'x'`, `delete from ${table}`])
        expect(await refusal(statement), statement).to.include('append-only');
    for (const table of [TABLE, nameBefore(TABLE), ...partitions])
      expect(await refusal(`truncate ${table}`), table).to.include('append-only');
    expect(await placed()).to.deep.equal([['kept', partitions[0]]]);
  });

  it('uses one partition per month, never an earlier one when the clock steps back, and is exempt from retention', async () => {
    const next = spanEnd('month', begun);
    const nextButOne = spanEnd('month', next);
    await record('this month');
    await tend(next);
    await record('next month', next);
    await tend(begun);
    await tend(begun);
    await record('behind a clock that was wrong');
    await tend(nextButOne);
    await record('the month after', nextButOne);
    const [first, second, third] = [begun, next, nextButOne].map((at) => nameFrom(TABLE, spanStart('month', at)));
    expect(await placed()).to.deep.equal([
      ['this month', first],
      ['next month', second],
      ['behind a clock that was wrong', second],
      ['the month after', third],
    ]);
    await tend(new Date(nextButOne.getTime() + 4_000 * DAY_MS));
    expect(await placed()).to.have.length(4);
    expect((await verdict()).fault).to.equal(undefined);
  });

  it('is chained and listed by reading only a few pages per partition', async () => {
    let now = begun;
    for (let month = 0; month < MONTHS; month++) {
      await tend(now);
      await db.raw(`insert into ${TABLE} (at, actor_kind, actor, action, resource_id)
        select '${now.toISOString()}', 'service', 'service', 'webhook.pause', 'bulk' || i from generate_series(1, ${EACH}) i`);
      // An action as frequent as all others together, and only in old entries.
      if (month === 0)
        await db.raw(`insert into ${TABLE} (at, actor_kind, actor, action, resource_id)
          select '${now.toISOString()}', 'operator', 'ana', 'key.rename', 'old' || i from generate_series(1, ${MONTHS * EACH}) i`);
      await chainAudit({ db });
      now = spanEnd('month', now);
    }
    await db.raw('vacuum analyze audit_entries');
    expect(new Set((await placed()).map(([, name]) => name)).size).to.equal(MONTHS);
    await record('the last', now);
    await disconnect(db);
    const statements = await measured(now);
    expect(statements).to.have.length.above(5);
    for (const { text, found, rows } of statements) {
      expect(rows, text).to.be.at.most(MAX_ROWS);
      expect(found, text).to.be.at.most(MAX_PAGES + PAGES_A_ROW * rows);
    }
  });

  async function measured(now: Date) {
    const watch = await watchPostgres(config.database.dialect === 'postgres' ? config.database.url : '');
    db = await connect(config.database);
    await watch.during('chaining', () => chainAudit({ db }));
    const lists = [
      [{}, 50],
      [{ resource: 'bulk7' }, MONTHS],
      [{ actor: 'service' }, 50],
      [{ actor: 'ana' }, 50],
      [{ action: 'webhook' }, 50],
      [{ action: 'key' }, 50],
      [{ since: now }, 1],
      [{ action: 'key', since: now }, 0],
    ] as const;
    for (const [query, count] of lists) {
      const listed = await watch.during('lists', () => listAuditEntries(db, query, 50));
      expect(listed, JSON.stringify(query)).to.have.length(count);
    }
    const statements = watch.statements();
    watch.end();
    return statements;
  }
});
