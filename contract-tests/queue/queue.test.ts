import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { correlated } from '../../core/correlation.ts';
import { createLog } from '../../core/log.ts';
import { partyOfKey, SERVICE } from '../../core/party.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { inShortTransaction } from '../../db/connection/short-transaction.ts';
import { freshDatabase } from '../../harness/database/databases.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { type OpenQueue, openQueue, plainWorker, queuedIds } from '../../harness/database/queue.ts';
import { PATIENCE } from '../../harness/process/process.ts';
import { eventually, signal } from '../../harness/process/signals.ts';
import { until } from '../../harness/process/until.ts';

databases('both');

/** The queue of an earlier version, with a job in it. */
async function leaveAsBefore(connectionString: string): Promise<void> {
  const boss = new PgBoss({ connectionString, schedule: false });
  await boss.start();
  await boss.createQueue('send-invite', { policy: 'short', retryLimit: 8, heartbeatSeconds: 15 });
  await boss.insert('send-invite', [{ singletonKey: 'left', data: { id: 'left' } }]);
  await boss.stop({ graceful: false });
}

describe('the queue', () => {
  let folder: string;
  let databaseUrl: string;
  let database: Config['database'];
  const opened: OpenQueue[] = [];

  const open = async (): Promise<OpenQueue> => {
    const queue = await openQueue(database, createLog('silent'));
    opened.push(queue);
    return queue;
  };
  const send = ({ db, queue }: OpenQueue, ids: string[], party = SERVICE) =>
    correlated({ id: 'sending', party }, () => db.transaction((trx) => queue.send(trx, 'send-invite', ids)));
  /** Delivers ids to a worker. @returns the delivered ids, in order */
  const start = async ({ queue }: OpenQueue, run: (id: string) => unknown = () => {}, concurrency = 4) => {
    const seen: string[] = [];
    const worker = plainWorker((id) => {
      seen.push(id);
      return run(id);
    }, concurrency);
    await queue.start([['send-invite', worker]]);
    return seen;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screening-queue-'));
    databaseUrl = await freshDatabase(folder);
    database = readConfig({ ...PATIENCE, DATA_DIR: folder, DATABASE_URL: databaseUrl }).database;
  });
  afterEach(async () => {
    for (const queue of opened.splice(0)) await queue.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('brings what a committed transaction sent, once', async () => {
    const queue = await open();
    const seen = await start(queue);
    await send(queue, ['a']);
    await eventually('the first was brought', () => seen.length > 0);
    await send(queue, ['b']);
    await eventually('the next was brought', () => seen.length > 1);
    expect(seen).to.deep.equal(['a', 'b']);
  });

  it('keeps nothing that a worker has claimed', async () => {
    const queue = await open();
    const seen = await start(queue);
    await send(queue, ['a', 'b']);
    await eventually('both were brought', () => seen.length === 2);
    await until('the queue is empty', async () => (await queuedIds(queue.db, 'send-invite')).length === 0);
  });

  it('brings nothing from a transaction that was rolled back', async () => {
    const queue = await open();
    const seen = await start(queue);
    const rollback = queue.db.transaction(async (trx) => {
      await queue.queue.send(trx, 'send-invite', ['never']);
      throw new Error('changed my mind');
    });
    await rollback.catch(() => {});
    await send(queue, ['after']);
    await eventually('the later one was brought', () => seen.includes('after'));
    expect(seen).to.deep.equal(['after']);
  });

  it('brings a burst of fifty', async () => {
    const queue = await open();
    const seen = await start(queue);
    await queue.db.transaction(async (trx) => {
      for (let index = 0; index < 50; index++) await queue.queue.send(trx, 'send-invite', [String(index)]);
    });
    await eventually('all fifty were brought', () => new Set(seen).size === 50);
  });

  it('holds a row once, however often it is sent before it is brought', async () => {
    const queue = await open();
    const ids = Array.from({ length: 300 }, (_, index) => String(index));
    await send(queue, ids.slice(0, 250));
    await send(queue, ids);
    const seen = await start(queue);
    await eventually('all were brought', () => new Set(seen).size === ids.length);
    expect(seen).to.have.length(ids.length);
  });

  it('leaves the many rows that one API key sends at once to the promoter, and brings those that others send', async () => {
    const queue = await open();
    const ids = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);
    const [many, others] = [ids('many', 1_500), ids('other', 4)];
    await send(queue, many, partyOfKey('loud'));
    for (const id of others) await send(queue, [id], partyOfKey('quiet'));
    expect((await queuedIds(queue.db, 'send-invite')).toSorted()).to.deep.equal(
      [...many.slice(0, 100), ...others].toSorted(),
    );
  });

  it('brings a row again that was sent while a worker had it', async () => {
    const queue = await open();
    const seen: string[] = await start(queue, () => (seen.length === 1 ? send(queue, ['same']) : undefined));
    await send(queue, ['same']);
    await eventually('it was brought again', () => seen.length === 2);
  });

  it('never brings one row to two processes', async () => {
    const [one, two] = [await open(), await open()];
    const [seen, others] = [await start(one), await start(two)];
    for (let index = 0; index < 40; index++) await send(one, [String(index)]);
    await eventually('all were brought', () => new Set([...seen, ...others]).size === 40);
    await Promise.all(opened.splice(0).map((queue) => queue.close()));
    expect([...seen, ...others]).to.have.length(40);
  });

  it('adds a row once when it is sent twice concurrently, also in a prepared transaction, and none from a failed one', async () => {
    const queue = await open();
    const sendShort = (ids: string[], fault?: Error) =>
      inShortTransaction(queue.db, async (trx) => {
        await queue.queue.send(trx, 'send-invite', ids);
        if (fault) throw fault;
      });
    await sendShort(['never'], new Error('changed my mind')).catch(() => {});
    await send(queue, ['a', 'b', 'a']);
    await sendShort(['b', 'c', 'c']);
    const seen = await start(queue);
    await sendShort(['d']);
    await eventually('all were brought', () => seen.includes('d'));
    expect(seen.toSorted()).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('brings other rows while one takes long', async () => {
    const queue = await open();
    const { promise, resolve } = Promise.withResolvers<void>();
    const seen = await start(queue, (id) => (id === 'slow' ? promise : undefined), 2);
    await send(queue, ['slow', '1', '2', '3', '4']);
    await eventually('the others were brought', () => seen.length === 5);
    resolve();
  });

  it('brings no more than the worker has room for, and the rest as soon as there is room', async () => {
    const queue = await open();
    const ends: (() => void)[] = [];
    const seen = await start(queue, () => new Promise<void>((resolve) => ends.push(resolve)), 2);
    await send(queue, ['1', '2', '3', '4', '5']);
    for (let done = 0; done < 5; done++) {
      await eventually('there is one to end', () => ends.length > done);
      expect(seen).to.have.length.at.most(done + 2);
      ends[done]?.();
    }
  });

  // On SQLite, workers poll.
  if (dialect === 'postgres') {
    it('replaces the queue of an earlier version, whose rows the promoter finds', async () => {
      await leaveAsBefore(databaseUrl);
      const queue = await open();
      const seen = await start(queue);
      await send(queue, ['new']);
      await eventually('the new one was brought', () => seen.includes('new'));
      expect(seen).to.deep.equal(['new']);
    });

    it('wakes other processes when this one has no room for committed rows', async () => {
      const queue = await open();
      const heard: (string | undefined)[] = [];
      const listener = new pg.Client(databaseUrl);
      await listener.connect();
      try {
        listener.on('notification', ({ payload }) => {
          heard.push(payload);
          signal();
        });
        await listener.query('listen tenant_screening_jobs');
        await send(queue, ['a']);
        await eventually('others were woken', () => heard.includes('send-invite'));
      } finally {
        await listener.end();
      }
    });
  }
});
