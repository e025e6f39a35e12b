import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { correlated, correlationId } from '../../core/correlation.ts';
import { SERVICE } from '../../core/party.ts';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { prepared } from '../../db/connection/prepared.ts';
import { inShortTransaction, type ShortTransaction } from '../../db/connection/short-transaction.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('both');

const TOO_LATE = 'A statement comes after the end of its transaction.';

describe('prepared statements in a transaction', () => {
  let folder: string;
  let db: Database;
  const insert = prepared('insert into things (name) values (?)');
  const kept = () => db('things').orderBy('name').pluck('name');
  const fault = async () => {
    throw new Error('no luck');
  };
  const outcome = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message);
  const run = (work: (trx: ShortTransaction) => Promise<unknown>) => outcome(inShortTransaction(db, work));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-short-'));
    const env = { DATA_DIR: folder, DATABASE_URL: await freshDatabase(folder) };
    db = await connect(readConfig(env).database);
    await db.schema.createTable('things', (table) => table.text('name').primary());
  });
  beforeEach(() => db('things').delete());
  after(async () => {
    await disconnect(db);
    await rm(folder, { recursive: true, force: true });
  });

  it('keep everything that was sent, awaited or not', async () => {
    const work = async (trx: ShortTransaction) => {
      await insert(trx, 'a');
      insert(trx, 'b');
    };
    expect(await run(work)).to.equal('undefined');
    expect(await kept()).to.deep.equal(['a', 'b']);
  });

  it('keep nothing when a statement fails, awaited or not', async () => {
    const twice = async (trx: ShortTransaction) => {
      await insert(trx, 'a');
      await insert(trx, 'a').catch(() => {});
    };
    expect(await run(twice)).to.match(/unique/i);
    const unwatched = async (trx: ShortTransaction) => {
      insert(trx, 'a');
      insert(trx, 'a');
    };
    expect(await run(unwatched)).to.match(/unique/i);
    expect(await kept()).to.deep.equal([]);
  });

  it('keep nothing when the last registered answer fails, in the database or before', async () => {
    const refused = async (trx: ShortTransaction) => trx.last(insert(trx, 'a'), insert(trx, 'a'));
    expect(await run(refused)).to.match(/unique/i);
    const failed = async (trx: ShortTransaction) => trx.last(insert(trx, 'a'), fault());
    expect(await run(failed)).to.equal('no luck');
    expect(await kept()).to.deep.equal([]);
  });

  it('roll back only the failing ones of several concurrent transactions', async () => {
    const both = (name: string) => (trx: ShortTransaction) => Promise.all([insert(trx, name), insert(trx, `${name}2`)]);
    const failsLate = async (trx: ShortTransaction) => {
      await insert(trx, 'c');
      await fault();
    };
    const outcomes = await Promise.all([run(both('a')), run(both('a')), run(failsLate), run(both('b'))]);
    expect(outcomes.map((one) => /unique|no luck/i.exec(one)?.[0].toLowerCase())).to.deep.equal([
      undefined,
      'unique',
      'no luck',
      undefined,
    ]);
    expect(await kept()).to.deep.equal(['a', 'a2', 'b', 'b2']);
  });

  it('report no success to concurrent transactions before all of it is committed', async () => {
    const kind = async (name: string) => {
      await run((trx) => insert(trx, name));
      return (await kept()).includes(name);
    };
    expect(await Promise.all(['a', 'b', 'c'].map(kind))).to.deep.equal([true, true, true]);
  });

  it('run each concurrent transaction in the context of its own request', async () => {
    const seen = (id: string) =>
      correlated({ id, party: SERVICE }, () => inShortTransaction(db, async () => correlationId()));
    expect(await Promise.all(['a', 'b', 'c'].map(seen))).to.deep.equal(['a', 'b', 'c']);
  });

  it('refuse a statement after the end of a failed transaction', async () => {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    let late: Promise<unknown> = Promise.resolve();
    const work = async (trx: ShortTransaction) => {
      late = outcome(over.then(() => insert(trx, 'late')));
      await insert(trx, 'first');
      await fault();
    };
    expect(await run(work)).to.equal('no luck');
    end();
    expect(await late).to.equal(TOO_LATE);
    expect(await kept()).to.deep.equal([]);
  });

  it('refuse a statement after the end of a Knex transaction', async () => {
    let former: Transaction | undefined;
    await db.transaction(async (trx) => {
      former = trx;
      await insert(trx, 'a');
    });
    if (!former) throw new Error('no transaction');
    expect(await outcome(insert(former, 'late'))).to.equal(TOO_LATE);
    expect(await kept()).to.deep.equal(['a']);
  });
});
