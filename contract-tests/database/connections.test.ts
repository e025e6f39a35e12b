import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import { Client } from 'pg';
import { correlated } from '../../core/correlation.ts';
import { Overloaded } from '../../core/errors.ts';
import { partyOfKey } from '../../core/party.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { prepared } from '../../db/connection/prepared.ts';
import { inShortTransaction, type ShortTransaction } from '../../db/connection/short-transaction.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { PATIENCE } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';

databases('both');

const IDLE_MS = 300;
const SLOW_MS = 1_000;
/** Counts how often the event loop has gone round. */
function countRounds() {
  let rounds = 0;
  const goRound = () => {
    rounds++;
    going = setImmediate(goRound);
  };
  let going = setImmediate(goRound);
  return { rounds: () => rounds, stop: () => clearImmediate(going) };
}

type Work = (trx: Transaction | ShortTransaction) => Promise<void>;

/** Driver and Knex behaviour that `db/connection` relies on: an upgrade that changes it fails here. */
describe('connections', () => {
  let folder: string;
  let database: Config['database'];
  let db: Database;
  const things = prepared<{ name: string }>('select name from things order by name');
  const insert = prepared('insert into things (name) values (?)');
  const names = async () => (await things(db)).map(({ name }) => name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-connections-'));
    const DATABASE_URL = await freshDatabase(folder);
    database = readConfig({ ...PATIENCE, DATA_DIR: folder, DATABASE_URL }).database;
    db = await connect(database);
    await db.schema.createTable('things', (table) => table.text('name').primary());
  });
  beforeEach(() => db('things').delete());
  after(async () => {
    await disconnect(db);
    await rm(folder, { recursive: true, force: true });
  });

  it('read while another one’s transaction is open, and see exactly what was committed', async () => {
    await db.transaction(async (trx) => {
      await insert(trx, 'a');
      expect(await things(trx)).to.deep.equal([{ name: 'a' }]);
      expect(await names()).to.deep.equal([]);
    });
    expect(await names()).to.deep.equal(['a']);
  });

  it('see a column added after a statement was prepared', async () => {
    const all = prepared('select * from things');
    await insert(db, 'a');
    if (dialect === 'sqlite') expect(await db.transaction((trx) => all(trx))).to.deep.equal([{ name: 'a' }]);
    await db.schema.alterTable('things', (table) => table.integer('size'));
    expect(await db.transaction((trx) => all(trx))).to.deep.equal([{ name: 'a', size: null }]);
    await db.schema.alterTable('things', (table) => table.dropColumn('size'));
  });

  it('are closed by disconnect, and refuse queries during or after it', async () => {
    const CLOSED = 'The database connections are closed.';
    const other = await connect(database);
    await things(other);
    const outcome = (work: Promise<unknown>) =>
      work.then(
        () => 'answered',
        (error: Error) => error.message,
      );
    const refused = async () => {
      const inTransaction = inShortTransaction(other, (trx) => things(trx));
      const outcomes = [things(other), insert(other, 'a'), inTransaction].map(outcome);
      expect(await Promise.all(outcomes)).to.deep.equal([CLOSED, CLOSED, CLOSED]);
    };
    const closing = disconnect(other);
    await refused();
    await closing;
    await refused();
    expect(await outcome(other.raw('select 1'))).to.not.equal('answered');
    await disconnect(other);
    expect(await names()).to.deep.equal([]);
  });

  if (dialect === 'postgres')
    it('begin one statement of a party, and one of each other, before the event loop goes round', async () => {
      // As many connections as a party may have: a statement that waits for one to be released begins whenever that happens.
      const STATEMENTS = 4;
      const rounds = new Map<string, number[]>([
        ['loud', []],
        ['quiet', []],
      ]);
      const loop = countRounds();
      const note = ({ bindings }: { bindings: readonly unknown[] }) =>
        rounds.get(String(bindings[0]))?.push(loop.rounds());
      const ask = (name: string) =>
        correlated(
          { id: 'id', party: partyOfKey(name) },
          async () => await db('things').where({ name }).select('name'),
        );
      // Held until all are open: a statement that waits for one to be opened begins whenever that happens.
      const opened = Promise.withResolvers<void>();
      let open = 0;
      const hold = () =>
        db.transaction(async (trx) => {
          await trx('things').select('name');
          if (++open > STATEMENTS) opened.resolve();
          await opened.promise;
        });
      await Promise.all(Array.from({ length: STATEMENTS + 1 }, hold));
      db.on('query', note);
      await Promise.all([...Array.from({ length: STATEMENTS }, () => ask('loud')), ask('quiet')]).finally(() => {
        db.removeListener('query', note);
        loop.stop();
      });
      expect(new Set(rounds.get('loud')).size, 'rounds that began a statement of one party').to.equal(STATEMENTS);
      expect(rounds.get('quiet'), 'of another party').to.deep.equal(rounds.get('loud')?.slice(0, 1));
    });

  if (dialect === 'postgres')
    it('continue with one answer of a party before the event loop goes round, however many have arrived', async () => {
      // As many connections as a party may have.
      const STATEMENTS = 3;
      const blocked = `select count(*) as count from pg_locks where not granted and locktype = 'relation'
        and database = (select oid from pg_database where datname = current_database())`;
      const rounds: number[] = [];
      const loop = countRounds();
      const ask = () =>
        correlated({ id: 'id', party: partyOfKey('loud') }, async () => {
          await db('things').select('name');
          rounds.push(loop.rounds());
        });
      if (database.dialect !== 'postgres') throw new Error('not Postgres');
      const holder = new Client(database.url);
      await holder.connect();
      await holder.query('begin; lock table things in access exclusive mode');
      const asked = Array.from({ length: STATEMENTS }, ask);
      await until('all wait for the lock', async () => (await db.raw(blocked)).rows[0].count === STATEMENTS);
      const ended = holder.query('commit');
      // All answers arrive meanwhile.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      await Promise.all([...asked, ended]);
      loop.stop();
      await holder.end();
      expect(new Set(rounds).size, 'rounds in which one continued').to.equal(STATEMENTS);
    });

  if (dialect === 'sqlite')
    it('run one statement before the event loop goes round, those of a party after one of each other', async () => {
      const began: { name: string; round: number }[] = [];
      const loop = countRounds();
      const note = ({ bindings }: { bindings: readonly unknown[] }) =>
        void began.push({ name: String(bindings[0]), round: loop.rounds() });
      const ask = (name: string) =>
        correlated(
          { id: 'id', party: partyOfKey(name) },
          async () => await db('things').where({ name }).select('name'),
        );
      db.on('query', note);
      await Promise.all([...Array.from({ length: 4 }, () => ask('loud')), ask('quiet')]).finally(() => {
        db.removeListener('query', note);
        loop.stop();
      });
      expect(began.map(({ name }) => name)).to.deep.equal(['loud', 'quiet', 'loud', 'loud', 'loud']);
      expect(new Set(began.map((one) => one.round)).size, 'rounds').to.equal(began.length);
    });

  if (dialect === 'sqlite')
    it("begin Knex's transactions with a write lock", async () => {
      if (database.dialect !== 'sqlite') throw new Error('not SQLite');
      const other = new Sqlite(database.file, { timeout: 0 });
      await db.transaction(async (trx) => {
        await trx('things').select('name');
        expect(() => other.exec('begin immediate')).to.throw('database is locked');
      });
      other.exec('begin immediate');
      other.close();
    });
  else {
    const COUNT = `select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = 'tenant-screening'`;

    it('number at most ten for all callers together', async () => {
      const asked = Array.from({ length: 60 }, (_, index) =>
        index % 2 ? db.raw('select pg_sleep(0.05)') : insert(db, `thing ${index}`),
      );
      await Promise.all([...asked, ...Array.from({ length: 60 }, () => names())]);
      expect((await db.raw(COUNT)).rows[0].count).to.be.within(2, 10);
    });

    it('answer a read while many of another party, each begun in a round of its own, wait for a lock', async () => {
      const one = prepared<{ one: number }>('select 1 as one');
      const of = <Result>(name: string, read: () => Promise<Result>) =>
        correlated({ id: name, party: partyOfKey(name) }, read);
      const waiting: Promise<unknown>[] = [];
      await db.transaction(async (trx) => {
        await trx.raw('lock table things in access exclusive mode');
        for (let reads = 0; reads < 20; reads++) {
          waiting.push(of('loud', names));
          await nextRound();
        }
        expect(await of('quiet', () => one(db))).to.deep.equal([{ one: 1 }]);
      });
      await Promise.all(waiting);
    });

    it('refuse the reads of a party that wait behind slow ones, instead of letting each be as slow', async () => {
      if (database.dialect !== 'postgres') throw new Error('not Postgres');
      const hasty = await connect({ ...database, limits: { ...database.limits, poolSize: 9, queryMs: SLOW_MS } });
      const outcomes = await db.transaction(async (trx) => {
        await trx.raw('lock table things in access exclusive mode');
        const reads = Array.from({ length: 20 }, () =>
          correlated({ id: 'loud', party: partyOfKey('loud') }, () => things(hasty)).then(
            () => 'answered',
            (error) => (error instanceof Overloaded ? 'refused' : 'too slow'),
          ),
        );
        return Promise.all(reads);
      });
      await disconnect(hasty);
      // A third of nine connections is for reads, and one of these for others.
      expect(outcomes.toSorted()).to.deep.equal([...Array(18).fill('refused'), ...Array(2).fill('too slow')]);
    });

    it('repeat a transaction that Postgres ended while this process had no CPU, unless COMMIT was reached', async () => {
      if (database.dialect !== 'postgres') throw new Error('not Postgres');
      const hasty = await connect({ ...database, limits: { ...database.limits, idleMs: IDLE_MS } });
      const stall = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * IDLE_MS);
      for (const [name, transact] of Object.entries({
        'by Knex': (work: Work) => inTransaction(hasty, work),
        short: (work: Work) => inShortTransaction(hasty, work),
      })) {
        let attempts = 0;
        await transact(async (trx) => {
          await things(trx);
          if (attempts++ === 0) stall();
          await insert(trx, name);
        });
        expect(attempts, name).to.equal(2);
      }
      let lastAttempts = 0;
      await inShortTransaction(hasty, async (trx) => {
        await things(trx);
        if (lastAttempts++ === 0) stall();
        trx.last(insert(trx, 'last'));
      });
      expect(lastAttempts, 'with COMMIT right behind').to.equal(2);
      await disconnect(hasty);
      expect(await names()).to.deep.equal(['by Knex', 'last', 'short']);
    });

    it('are replaced when Postgres ends them', async () => {
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'tenant-screening' and pid <> pg_backend_pid()`;
      await Promise.all([db.raw('select pg_sleep(0.05)'), db.raw('select pg_sleep(0.05)')]);
      await db.raw(end);
      await insert(db, 'a');
      expect(await names()).to.deep.equal(['a']);
    });
  }
});
