import type { ConditionId } from '../../core/conditions/table.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { deleteWebhook } from '../../db/webhooks/webhooks.ts';
import type { OutcomeKind } from '../../db/work/recent-outcomes.ts';
import { addApplicant } from '../../harness/service/deliveries.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { pause, resume } from '../../jobs/webhooks/webhook-care.ts';
import { causedByProcesses } from './caused-processes.ts';
import { causedInStorage } from './caused-storage.ts';
import { causedWork } from './caused-work.ts';
import { ahead, DAY_MS, hourPasses, LONG_AGO, OF_METRIC, ONLY_A_WARNING, type Situation } from './situation.ts';
import type { World } from './world.ts';

async function renamed({ service }: World, from: string, to: string): Promise<void> {
  await service.runtime.db.schema.renameTable(from, to);
}

/** Several jobs fail, as their worker says it. */
const failing = (job: JobName, kind: OutcomeKind): Situation => ({
  begin: async ({ service }) => {
    for (let count = 0; count < 6; count++) service.runtime.work.emit('failed', job, newId(), new Error('It failed.'));
  },
  end: (test) => hourPasses(test, kind),
});

/** A heartbeat of a further process. */
const waiting = {
  begin: ({ service }: World) =>
    service.runtime.db('processes').insert({
      id: newId(),
      place: `workers on a machine ${newId()}`,
      address: null,
      started_at: LONG_AGO,
      beat_at: ahead(DAY_MS),
      ended_at: null,
      loop_delay_ms: 0,
      pool_waiting: 9,
      descriptors: 1,
      max_descriptors: 100,
    }),
  end: ({ service }: World) => service.runtime.db('processes').where({ started_at: LONG_AGO }).delete(),
};

const aTenant = async (test: World) => {
  const email = `${newId()}@mail.example`;
  const id = await addApplicant(test, test.alice, email);
  const participant = await test.service.runtime.db('participants').where({ email }).first();
  return { id, participantId: participant?.id ?? '' };
};

const aWebhook = async ({ alice }: World) =>
  (await alice.ok('createWebhook', { body: { url: 'https://letting.example/' } })).data.id;

export const situations: Partial<Record<ConditionId, Situation>> = {
  ready: {
    byRows: 'it takes a later version of the service',
    begin: ({ service }) =>
      service.runtime.db('knex_migrations').insert({ name: '9999-newer', batch: 99, migration_time: new Date() }),
    end: ({ service }) => service.runtime.db('knex_migrations').where({ name: '9999-newer' }).delete(),
  },
  database: {
    byRows: 'the console keeps its sessions in the database, so the schema is made unreadable instead',
    begin: (test) => renamed(test, 'knex_migrations', 'away'),
    end: (test) => renamed(test, 'away', 'knex_migrations'),
  },
  ...causedWork,
  ...causedByProcesses,
  ...causedInStorage,
  pool: {
    ...waiting,
    not: OF_METRIC,
    byRows: 'what holds all connections keeps those who look from an answer',
  },
  requests: {
    begin: async (test) => {
      await renamed(test, 'workspaces', 'away');
      for (let count = 0; count < 6; count++) await test.alice.call('listWorkspaces');
    },
    end: async (test) => {
      await renamed(test, 'away', 'workspaces');
      await hourPasses(test, 'requests');
    },
    not: OF_METRIC,
  },
  webhooks: {
    begin: async (test) => pause(test.service.runtime, await aWebhook(test), 'to try'),
    end: async ({ service }) => {
      const paused = await service.runtime.db('webhooks').whereNotNull('paused_at').pluck('id');
      for (const id of paused) {
        await resume(service.runtime, id, { kind: 'operator', id: 'the test' });
        await inTransaction(service.runtime.db, (trx) => deleteWebhook(trx, id));
      }
    },
  },
  'failing-analyses': {
    ...failing('run-forensic', 'analyses'),
    byRows: 'its worker says it: no document makes the analysis itself fail',
  },
  'failing-banks': { ...failing('fetch-bank', 'banks'), byRows: 'the service of the program asks no bank' },
  erasures: {
    byRows: 'a month passes before the answer is due',
    begin: async (test) => {
      const { participantId } = await aTenant(test);
      const key = await test.service.runtime.db('api_keys').where({ client_id: test.alice.clientId }).first();
      const open = { closed_at: null, outcome: null, reason: null };
      const row = {
        participant_id: participantId,
        api_key_id: key?.id ?? '',
        requested_at: LONG_AGO,
        due_at: LONG_AGO,
      };
      await test.service.runtime.db('erasure_requests').insert({ ...row, ...open });
    },
    end: ({ service }) => service.runtime.db('erasure_requests').delete(),
  },
  'upload-pieces': {
    byRows: 'a day passes',
    begin: async ({ service }) => {
      const ids = { id: newId(), upload_id: newId(), participant_id: newId(), api_key_id: newId() };
      const piece = { ...ids, sha256: null, size_bytes: 1, created_at: LONG_AGO, finishing_at: null };
      await inTransaction(service.runtime.db, (trx) => trx('upload_pieces').insert(piece));
    },
    end: ({ service }) => service.runtime.db('upload_pieces').delete(),
  },
  'expiring-keys': {
    byRows: 'a key is made for longer than a week',
    begin: ({ service, bob }) =>
      service.runtime
        .db('api_keys')
        .where({ client_id: bob.clientId })
        .update({ expires_at: ahead(2 * DAY_MS) }),
    end: ({ service }) => service.runtime.db('api_keys').update({ expires_at: null }),
    not: ONLY_A_WARNING,
  },
};
