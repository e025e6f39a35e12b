import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createLog } from '../../core/log.ts';
import { readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { preparedDatabase } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { lead } from '../../queue/leader.ts';

databases('both');

describe('the leader', () => {
  let folder: string;
  let db: Database;
  let stops: (() => Promise<void>)[];
  const done: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-leader-'));
    db = await connect(readConfig({ DATA_DIR: folder, DATABASE_URL: await preparedDatabase(folder) }).database);
    stops = [];
    done.splice(0);
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
    await disconnect(db);
    await rm(folder, { recursive: true, force: true });
  });

  const record = (name: string) => {
    done.push(name);
    signal();
  };
  /** A process with one duty, which records who performs it. */
  const start = (name: string) => {
    const duty = { name: 'note', everyMs: 10, work: async () => record(name) };
    const stop = lead({ db, now: () => new Date(), log: createLog('silent') }, [duty], name);
    stops.push(stop);
    return stop;
  };
  const doneBy = (name: string, more: number) => {
    const before = done.filter((one) => one === name).length;
    return eventually(`${name} did it`, () => done.filter((one) => one === name).length >= before + more);
  };

  it('is a single process, which performs the duties repeatedly', async () => {
    start('one');
    await doneBy('one', 1);
    start('two');
    await doneBy('one', 200);
    expect(new Set(done)).to.deep.equal(new Set(['one']));
  });

  it('is replaced as soon as it stops', async () => {
    const stop = start('one');
    await doneBy('one', 1);
    start('two');
    await stop();
    await doneBy('two', 1);
  });

  it('is replaced once its lease has expired after it died', async () => {
    const leased_until = new Date(Date.now() + 2_000).toISOString();
    await db('leaders').insert({ duty: 'periodic', leased_by: 'dead', leased_until });
    start('two');
    await doneBy('two', 1);
    expect(new Date().toISOString() >= leased_until).to.equal(true);
  });

  it('survives a failing duty', async () => {
    let failures = 0;
    const work = async () => {
      failures++;
      signal();
      throw new Error('no luck');
    };
    stops.push(lead({ db, now: () => new Date(), log: createLog('silent') }, [{ name: 'fail', everyMs: 10, work }]));
    await eventually('it failed again', () => failures > 2);
  });
});
