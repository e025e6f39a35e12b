import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { correlated, correlationId } from '../../core/correlation.ts';
import { createLog } from '../../core/log.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import { inShortTransaction } from '../../db/connection/short-transaction.ts';
import { dialect, freshDatabase } from '../../harness/database/databases.ts';
import { type OpenQueue, openQueue } from '../../harness/database/queue.ts';
import { spawnProgram } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import type { JobSettings, Sent } from '../../jobs/queue/queue.ts';

const quick: JobSettings = {
  retryLimit: 2,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 60,
  concurrency: 4,
};

/** A job in the tables of a version without prepared statements. */
async function leaveAsBefore(settings: Config['database'], id: string): Promise<void> {
  const data = { id, correlationId: 'before' };
  if (settings.dialect === 'postgres') {
    const boss = new PgBoss({ connectionString: settings.url, schedule: false });
    await boss.start();
    await boss.createQueue('send-invite', { policy: 'short', notify: true, retryLimit: 8, heartbeatSeconds: 15 });
    await boss.insert('send-invite', [{ singletonKey: id, data }]);
    return boss.stop({ graceful: false });
  }
  const db = await connect(settings);
  await db.raw(
    `create table jobs (
       id integer primary key autoincrement, name text not null, work_id text not null, data text not null, run_at text not null,
       attempt integer not null, locked_until text, failed_at text)`,
  );
  await db('jobs').insert({
    name: 'send-invite',
    work_id: id,
    data: JSON.stringify(data),
    run_at: new Date().toISOString(),
    attempt: 0,
  });
  await disconnect(db);
}

describe(`the queue on ${dialect}`, () => {
  let folder: string;
  let databaseUrl: string;
  let database: Config['database'];
  const opened: OpenQueue[] = [];

  const open = async (settings: Partial<JobSettings> = {}): Promise<OpenQueue> => {
    const queue = await openQueue(database, createLog('silent'), { 'send-invite': { ...quick, ...settings } });
    opened.push(queue);
    return queue;
  };
  const send = ({ db, queue }: OpenQueue, id: string, startAfter?: Date) =>
    db.transaction((trx) => queue.send(trx, 'send-invite', startAfter ? { id, startAfter } : id));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-queue-'));
    databaseUrl = await freshDatabase(folder);
    database = readConfig({ DATA_DIR: folder, DATABASE_URL: databaseUrl }).database;
  });
  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('runs what a committed transaction sent, once, under the correlation id of its sender', async () => {
    const queue = await open();
    const seen: unknown[] = [];
    await queue.queue.start({ 'send-invite': async (id) => void seen.push([id, correlationId()]) });
    await correlated('request-1', () => send(queue, 'a'));
    await until('the job ran', () => seen.length > 0);
    await send(queue, 'b');
    await until('the next job ran', () => seen.length > 1);
    expect(seen[0]).to.deep.equal(['a', 'request-1']);
    expect(seen).to.have.length(2);
  });

  it('leaves nothing of a transaction that was rolled back', async () => {
    const queue = await open();
    const seen: string[] = [];
    await queue.queue.start({ 'send-invite': async (id) => void seen.push(id) });
    const rollback = queue.db.transaction(async (trx) => {
      await queue.queue.send(trx, 'send-invite', 'never');
      throw new Error('changed my mind');
    });
    await rollback.catch(() => {});
    await send(queue, 'after');
    await until('the later job ran', () => seen.includes('after'));
    expect(seen).to.deep.equal(['after']);
  });

  it('runs a burst of fifty', async () => {
    const queue = await open();
    const seen = new Set<string>();
    await queue.queue.start({ 'send-invite': async (id) => void seen.add(id) });
    await queue.db.transaction(async (trx) => {
      for (let index = 0; index < 50; index++) await queue.queue.send(trx, 'send-invite', String(index));
    });
    await until('all fifty ran', () => seen.size === 50);
  });

  it('does not start a delayed job before its time', async () => {
    const queue = await open();
    const ran: number[] = [];
    await queue.queue.start({ 'send-invite': async () => void ran.push(Date.now()) });
    const startAfter = new Date(Date.now() + 1500);
    await send(queue, 'later', startAfter);
    const [at = 0] = await until('the delayed job ran', () => ran.length > 0 && ran);
    expect(at).to.be.at.least(startAfter.getTime());
  });

  it('brings a waiting job forward when it is sent for now, runs it once, and leaves it alone when it is sent for later', async () => {
    const queue = await open();
    const seen: string[] = [];
    const inAnHour = new Date(Date.now() + 3_600_000);
    for (const id of ['planned', 'needed']) await send(queue, id, inAnHour);
    await send(queue, 'planned', new Date());
    await queue.queue.start({ 'send-invite': async (id) => void seen.push(id) });
    await send(queue, 'needed');
    await until('the needed one ran', () => seen.includes('needed'));
    await send(queue, 'fence');
    await until('the fence ran', () => seen.includes('fence'));
    expect(seen).to.deep.equal(['needed', 'fence']);
  });

  it('brings all forward that are sent again for now together, runs each once, and adds those that did not wait', async () => {
    const queue = await open();
    const ids = Array.from({ length: 300 }, (_, index) => String(index));
    const startAfter = new Date(Date.now() + 3_600_000);
    const sendAll = (jobs: Sent[]) => queue.db.transaction((trx) => queue.queue.send(trx, 'send-invite', jobs));
    await sendAll(ids.slice(0, 250).map((id) => ({ id, startAfter, bulk: true })));
    await sendAll(ids);
    const seen: string[] = [];
    await queue.queue.start({ 'send-invite': async (id) => void seen.push(id) });
    await until('all ran', () => new Set(seen).size === ids.length);
    expect(seen).to.have.length(ids.length);
  });

  it('runs what was sent in bulk after what was sent later by itself', async () => {
    const queue = await open({ concurrency: 1 });
    const [many, others] = [
      ['1', '2', '3', '4'],
      ['a', 'b', 'c', 'd'],
    ];
    await queue.db.transaction((trx) => {
      return queue.queue.send(
        trx,
        'send-invite',
        many.map((id) => ({ id, bulk: true })),
      );
    });
    for (const id of others) await send(queue, id);
    const seen: string[] = [];
    await queue.queue.start({ 'send-invite': async (id) => void seen.push(id) });
    await until('all ran', () => seen.length === 8);
    // Jobs of one fetch start together.
    expect([seen.slice(0, 4).toSorted(), seen.slice(4).toSorted()]).to.deep.equal([others, many]);
  });

  it('runs a job again that was sent while it ran', async () => {
    const queue = await open();
    let runs = 0;
    await queue.queue.start({
      'send-invite': async () => {
        runs++;
        if (runs === 1) await send(queue, 'same');
      },
    });
    await send(queue, 'same');
    await until('it ran again', () => runs === 2);
  });

  it('tries a failing job again after growing waits and then gives it up', async () => {
    const queue = await open();
    const tries: number[] = [];
    const seen: string[] = [];
    await queue.queue.start({
      'send-invite': async (id) => {
        seen.push(id);
        if (id !== 'doomed') return;
        tries.push(Date.now());
        throw new Error('no luck');
      },
    });
    await send(queue, 'doomed');
    const [first = 0, second = 0, third = 0] = await until(
      'it was tried three times',
      () => tries.length === 3 && tries,
    );
    expect(second - first).to.be.at.least(1000);
    expect(third - second).to.be.at.least(2000);
    // A fourth try would come within another eight seconds.
    await send(queue, 'later', new Date(Date.now() + 9000));
    await until('the later job ran', () => seen.includes('later'));
    expect(tries).to.have.length(3);
    // Only this job was given up; further jobs still run.
    await send(queue, 'doomed');
    await until('it was tried again', () => tries.length > 3);
  });

  it('never gives one job to two processes at once', async () => {
    const [one, two] = [await open(), await open()];
    const seen: string[] = [];
    const workers = { 'send-invite': async (id: string) => void seen.push(id) };
    await one.queue.start(workers);
    await two.queue.start(workers);
    for (let index = 0; index < 40; index++) await send(one, String(index));
    await until('all ran', () => new Set(seen).size === 40);
    await Promise.all(opened.splice(0).map((queue) => queue.close()));
    expect(seen).to.have.length(40);
  });

  it('adds a job once that is sent twice at once, also in a transaction of prepared statements, and none of one that failed', async () => {
    const queue = await open();
    const seen: string[] = [];
    const sendShort = (ids: string[], fault?: Error) =>
      inShortTransaction(queue.db, async (trx) => {
        await queue.queue.send(trx, 'send-invite', ids);
        if (fault) throw fault;
      });
    await sendShort(['never'], new Error('changed my mind')).catch(() => {});
    await queue.db.transaction((trx) => queue.queue.send(trx, 'send-invite', ['a', 'b', 'a']));
    await sendShort(['b', 'c', 'c']);
    await queue.queue.start({ 'send-invite': async (id) => void seen.push(id) });
    await sendShort(['d']);
    await until('all ran', () => seen.includes('d'));
    expect(seen.toSorted()).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('lets no slow job keep others from starting', async () => {
    const queue = await open({ concurrency: 2 });
    const seen: string[] = [];
    let end = () => {};
    const slow = new Promise<void>((resolve) => (end = resolve));
    await queue.queue.start({
      'send-invite': async (id) => {
        seen.push(id);
        if (id === 'slow') await slow;
      },
    });
    await queue.db.transaction((trx) => queue.queue.send(trx, 'send-invite', ['slow', '1', '2', '3', '4']));
    await until('the others ran', () => seen.length === 5);
    end();
  });

  it('runs what an earlier version left waiting', async () => {
    await leaveAsBefore(database, 'left');
    const queue = await open();
    const seen: string[] = [];
    await queue.queue.start({ 'send-invite': async (id) => void seen.push(id) });
    await until('it ran', () => seen.includes('left'));
    await send(queue, 'new');
    await until('the new one ran', () => seen.includes('new'));
    expect(seen).to.deep.equal(['left', 'new']);
  });

  // On SQLite they look for themselves.
  if (dialect === 'postgres')
    it('tells other processes of committed jobs that it cannot start itself', async () => {
      const queue = await open();
      const heard: (string | undefined)[] = [];
      const listener = new pg.Client(databaseUrl);
      await listener.connect();
      try {
        listener.on('notification', ({ payload }) => heard.push(payload));
        await listener.query('listen tenant_screening_jobs');
        await send(queue, 'a');
        await until('others were told', () => heard.includes('send-invite'));
      } finally {
        await listener.end();
      }
    });

  it('waits for the running jobs when it stops', async () => {
    const queue = await open();
    const moments: string[] = [];
    await queue.queue.start({
      'send-invite': async () => {
        moments.push('began');
        await new Promise((resolve) => setTimeout(resolve, 300));
        moments.push('ended');
      },
    });
    await send(queue, 'slow');
    await until('it began', () => moments.length > 0);
    await queue.queue.stop();
    expect(moments).to.deep.equal(['began', 'ended']);
  });

  it('runs a job again whose process was killed', async () => {
    const queue = await open();
    await send(queue, 'orphan');
    const child = spawnProgram('../database/hanging-worker.ts', { DATABASE_URL: databaseUrl, DATA_DIR: folder });
    if (!child.stdout) throw new Error('no output');
    for await (const line of createInterface({ input: child.stdout })) if (line === 'took orphan') break;
    child.kill('SIGKILL');
    const seen: string[] = [];
    await queue.queue.start({ 'send-invite': async (id) => void seen.push(id) });
    await until('the orphan ran again', () => seen.includes('orphan'));
  });
});
