import { expect } from 'chai';
import type { ConditionId } from '../../core/conditions/table.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { deleteWebhook } from '../../db/webhooks/webhooks.ts';
import type { OutcomeKind } from '../../db/work/recent-outcomes.ts';
import { Admin } from '../../harness/service/admin.ts';
import { addApplicant } from '../../harness/service/deliveries.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { sealPlain } from '../../jobs/upkeep/seal-plain.ts';
import { pause, resume } from '../../jobs/webhooks/webhook-care.ts';
import { causedByProcesses } from './caused-processes.ts';
import { causedInStorage } from './caused-storage.ts';
import { causedWork } from './caused-work.ts';
import { ago, ahead, DAY_MS, hourPasses, LONG_AGO, OF_METRIC, ONLY_A_WARNING, type Situation } from './situation.ts';
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

/** The link in a person's invitation. */
async function aLink(test: World): Promise<string> {
  const guest = `${newId()}@mail.example`;
  const tenants = [`lead-of-${guest}`, guest].map((email) => ({ email, is_lead: email !== guest }));
  const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
  return invitationPath(test, application_id, guest);
}

/** With the service's clock at a moment. */
async function at(test: World, moment: string, act: () => Promise<{ status: number }>): Promise<void> {
  test.setNow(new Date(moment));
  const { status } = await act().finally(() => test.setNow(undefined));
  expect(status, 'the answer to the person').to.be.within(200, 303);
}

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
  erasures: {
    // More than the month in which an answer is due.
    begin: async (test) => {
      const page = `${await aLink(test)}/data`;
      await at(test, ago(40 * DAY_MS), () => submit(test, `${page}/erasure`, {}));
    },
    end: ({ service }) => service.runtime.db('erasure_requests').delete(),
  },
  'upload-pieces': {
    // A person sent a piece, and left.
    begin: async (test) => {
      const link = await aLink(test);
      await submit(test, link, { answer: 'accept' });
      const piece = { method: 'POST', body: new Uint8Array(100) };
      await at(test, ago(2 * DAY_MS), () => fetch(`${test.service.url}${link}/documents/pieces`, piece));
    },
    // The remedy of the condition itself.
    end: ({ service }) => retain(service.runtime),
  },
  sealed: {
    byRows: 'an earlier version of the service stored it',
    begin: async (test) => {
      const tenant = await addApplicant(test, test.alice, `${newId()}@mail.example`);
      const due = { status: 'verified' as const, due_at: null, failures: 0, sealed_memory: null };
      const moments = { created_at: LONG_AGO, finished_at: LONG_AGO, expires_at: LONG_AGO };
      const row = { ...due, ...moments, id: newId(), tenant_id: tenant, provider: 'sandbox', result: '{"earlier":1}' };
      await test.service.runtime.db('kyc_verifications').insert(row);
    },
    // The remedy of the condition itself: workers do so.
    end: ({ service }) => sealPlain(service.runtime),
    not: ONLY_A_WARNING,
  },
  'expiring-keys': {
    begin: (test) => new Admin(test).text('key', 'expire', test.bob.clientId, '--at', '2d'),
    end: (test) => new Admin(test).text('key', 'expire', test.bob.clientId, '--never'),
    not: ONLY_A_WARNING,
  },
};
