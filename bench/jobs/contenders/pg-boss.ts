import { randomUUID } from 'node:crypto';
import { fromKnex, PgBoss } from 'pg-boss';
import { PATIENT } from '../../../core/settings/database-settings.ts';
import { connect } from '../../../db/connection/connect.ts';
import type { Contender, Open } from '../contender.ts';

const QUEUE = 'plain';

/** pg-boss with none of its settings set. */
export const pgBossByDefault: Open = async (connectionString) => {
  const boss = new PgBoss(connectionString);
  await start(boss, false);
  return contender(boss, async (ids) => {
    await boss.insert(QUEUE, ids.map(toJob));
  });
};

/** Its own way to send within a transaction and to wake workers. */
export const pgBossNotifying: Open = async (url) => {
  const db = await connect({ dialect: 'postgres', url, limits: PATIENT });
  const boss = new PgBoss({ connectionString: url, useListenNotify: true });
  await start(boss, true);
  return contender(boss, (ids) =>
    db.transaction(async (trx) => {
      await boss.insert(QUEUE, ids.map(toJob), { db: fromKnex(trx) });
    }),
  );
};

async function start(boss: PgBoss, notify: boolean): Promise<void> {
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(QUEUE, { policy: 'short', notify });
}

function contender(boss: PgBoss, send: Contender['send']): Contender {
  return {
    send,
    work: async (run) => {
      await boss.work<{ id: string }>(QUEUE, async (jobs) => {
        for (const { data } of jobs) run(data.id);
      });
    },
    isIdle: async () => {
      const [waiting] = await boss.findJobs(QUEUE, { queued: true });
      return waiting === undefined;
    },
  };
}

function toJob(id: string) {
  return { id: randomUUID(), singletonKey: id, data: { id } };
}
