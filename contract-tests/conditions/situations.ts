import { chmod, mkdir, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConditionId } from '../../core/conditions/table.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { OutcomeKind } from '../../db/work/recent-outcomes.ts';
import { dialect } from '../../harness/database/dialect.ts';
import { addApplicant, addDelivery } from '../../harness/service/deliveries.ts';
import type { TestService } from '../../harness/service/service.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { acceptHead } from '../../jobs/upkeep/audit-witnesses.ts';
import { chainAudit } from '../../jobs/upkeep/chain-audit.ts';
import { pause, resume } from '../../jobs/webhooks/webhook-care.ts';

/** Who can name a condition. */
export type Channel = 'doctor' | 'console' | 'gauge' | 'alert';

/** How to bring a condition about, and how to end it. */
export interface Situation {
  begin(test: TestService): Promise<unknown>;
  end(test: TestService): Promise<unknown>;
  /** Where it cannot be seen, and why. */
  not?: Partial<Record<Channel, string>>;
}

const LONG_AGO = '2026-01-01T00:00:00.000Z';
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNCHAINED = 1_200;
const WAL_BYTES = 300 * 2 ** 20;
/** The size of the log before. */
let former = 0;

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const ahead = (ms: number) => ago(-ms);
const ONLY_A_WARNING = { alert: 'only a warning' };
/** Its own metric says it sooner. */
const OF_METRIC = { alert: 'follows a counter of the process' };

async function renamed({ service }: TestService, from: string, to: string): Promise<void> {
  await service.runtime.db.schema.renameTable(from, to);
}

async function ended({ service }: TestService, kind: OutcomeKind): Promise<void> {
  await service.runtime.db('recent_outcomes').where({ kind }).delete();
}

/** Several jobs fail, as their worker says it. */
const failing = (job: JobName, kind: OutcomeKind): Situation => ({
  begin: async ({ service }) => {
    for (let count = 0; count < 6; count++) service.runtime.work.emit('failed', job, newId(), new Error('It failed.'));
  },
  end: (test) => ended(test, kind),
});

const process = (row: { beat_at: string; descriptors?: number; loop_delay_ms?: number; pool_waiting?: number }) => ({
  id: newId(),
  place: `workers on a machine ${newId()}`,
  address: null,
  started_at: LONG_AGO,
  ended_at: null,
  loop_delay_ms: 0,
  pool_waiting: 0,
  descriptors: 1,
  max_descriptors: 100,
  ...row,
});

/** Heartbeats of further processes. */
const processes = (...rows: Parameters<typeof process>): Situation => ({
  begin: ({ service }) => service.runtime.db('processes').insert(rows.map(process)),
  end: ({ service }) => service.runtime.db('processes').where({ started_at: LONG_AGO }).delete(),
});

const beating = { beat_at: ahead(DAY_MS) };

const aTenant = async (test: TestService) => {
  const email = `${newId()}@mail.example`;
  const id = await addApplicant(test, test.alice, email);
  const participant = await test.service.runtime.db('participants').where({ email }).first();
  return { id, participantId: participant?.id ?? '' };
};

const aWebhook = async ({ alice }: TestService) =>
  (await alice.ok('createWebhook', { body: { url: 'https://letting.example/' } })).data.id;

const aDelivery = (columns: Partial<Parameters<typeof addDelivery>[2]>): Situation => ({
  begin: async (test) => addDelivery(test, (await aTenant(test)).id, { webhook_id: await aWebhook(test), ...columns }),
  end: ({ service }) => service.runtime.db('deliveries').delete(),
});

export const situations: Partial<Record<ConditionId, Situation>> = {
  ready: {
    begin: ({ service }) =>
      service.runtime.db('knex_migrations').insert({ name: '9999-newer', batch: 99, migration_time: new Date() }),
    end: ({ service }) => service.runtime.db('knex_migrations').where({ name: '9999-newer' }).delete(),
  },
  database: {
    begin: (test) => renamed(test, 'knex_migrations', 'away'),
    end: (test) => renamed(test, 'away', 'knex_migrations'),
  },
  ...(dialect === 'sqlite'
    ? {
        wal: {
          // SQLite ignores what follows its last frame.
          begin: async ({ folder }: TestService) => {
            const log = join(folder, 'service.db-wal');
            former = (await stat(log)).size;
            await truncate(log, WAL_BYTES);
          },
          end: ({ folder }: TestService) => truncate(join(folder, 'service.db-wal'), former),
        },
        files: {
          begin: ({ folder }: TestService) => chmod(join(folder, 'service.db'), 0o644),
          end: ({ folder }: TestService) => chmod(join(folder, 'service.db'), 0o600),
        },
      }
    : {
        partitions: {
          begin: async (test: TestService) => test.setNow(new Date(Date.now() + 40 * DAY_MS)),
          end: async (test: TestService) => test.setNow(new Date()),
          not: { doctor: 'its clock is right' },
        },
      }),
  audit: {
    begin: async ({ service }) => {
      const entry = { at: ago(0), actor_kind: 'service', actor: 'service', resource_id: 'a' } as const;
      const entries = Array.from({ length: UNCHAINED }, () => ({ ...entry, action: 'webhook.pause' }));
      for (let at = 0; at < UNCHAINED; at += 100)
        await service.runtime.db('audit_entries').insert(entries.slice(at, at + 100));
    },
    end: async ({ service }) => {
      for (let count = 0; count < UNCHAINED; count += 100) await chainAudit(service.runtime);
    },
  },
  'audit-head': {
    begin: ({ service }) => service.runtime.providers.auditHead.write('without a seal'),
    end: ({ service }) => acceptHead(service.runtime),
  },
  heartbeats: processes({ beat_at: ago(MINUTE_MS) }),
  restarts: {
    ...processes({ beat_at: ago(MINUTE_MS) }),
    begin: ({ service }) =>
      service.runtime.db('processes').insert([1, 2, 3].map((count) => process({ beat_at: ago(count * MINUTE_MS) }))),
  },
  descriptors: processes({ ...beating, descriptors: 95 }),
  'event-loop': { ...processes({ ...beating, loop_delay_ms: 900 }), not: OF_METRIC },
  pool: { ...processes({ ...beating, pool_waiting: 9 }), not: OF_METRIC },
  leases: {
    begin: async ({ service }) => {
      for (let count = 0; count < 3; count++) service.runtime.work.emit('lease expired', 'send-invite', newId());
    },
    end: (test) => ended(test, 'leases'),
    not: OF_METRIC,
  },
  jobs: { ...failing('complete-eid', 'eid'), not: OF_METRIC },
  requests: {
    begin: async (test) => {
      await renamed(test, 'workspaces', 'away');
      for (let count = 0; count < 6; count++) await test.alice.call('listWorkspaces');
    },
    end: async (test) => {
      await renamed(test, 'away', 'workspaces');
      await ended(test, 'requests');
    },
    not: OF_METRIC,
  },
  workers: aDelivery({ status: 'pending', due_at: LONG_AGO }),
  deliveries: { ...aDelivery({ status: 'failed', finished_at: ago(MINUTE_MS) }), not: ONLY_A_WARNING },
  'set-aside': {
    begin: async (test) => {
      const id = await addDelivery(test, (await aTenant(test)).id, {
        webhook_id: await aWebhook(test),
        status: 'pending',
        due_at: null,
      });
      await test.service.runtime.db('set_aside_work').insert({ id, kind: 'deliveries', set_aside_at: ago(0) });
    },
    end: async ({ service }) => {
      await service.runtime.db('set_aside_work').delete();
      await service.runtime.db('deliveries').delete();
    },
  },
  invites: {
    begin: async (test) => {
      const tenants = ['lead', 'guest'].map((name) => ({ email: `${name}@invites.example`, is_lead: name === 'lead' }));
      await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
      const failure = 'the mail server refuses mail of this service (554)';
      await test.service.runtime
        .db('invites')
        .update({ status: 'pending', due_at: ahead(DAY_MS), failures: 1, failure });
    },
    end: ({ service }) =>
      service.runtime.db('invites').update({ status: 'sent', due_at: null, failures: 0, failure: null }),
  },
  'sign-ins': {
    begin: async (test) => {
      const tenantId = (await aTenant(test)).id;
      await test.alice.ok('initiateEid', { params: { tenantId }, body: { redirect_url: 'https://a.example' } });
      const failure = 'The provider answered with invalid_scope.';
      await test.service.runtime.db('eid_flows').update({ due_at: ahead(DAY_MS), failure });
    },
    end: ({ service }) => service.runtime.db('eid_flows').update({ due_at: null, failure: null }),
  },
  webhooks: {
    begin: async (test) => pause(test.service.runtime, await aWebhook(test), 'to try'),
    end: async ({ service }) => {
      const paused = await service.runtime.db('webhooks').whereNotNull('paused_at').pluck('id');
      for (const id of paused) await resume(service.runtime, id, { kind: 'operator', id: 'the test' });
    },
  },
  'failing-webhooks': {
    begin: async (test) => {
      const id = await aWebhook(test);
      await test.service.runtime
        .db('webhooks')
        .where({ id })
        .update({ failing_since: ago(25 * MINUTE_MS) });
    },
    end: ({ service }) => service.runtime.db('webhooks').update({ failing_since: null }),
  },
  'failing-deliveries': {
    begin: async ({ service }) => {
      for (let count = 0; count < 36; count++) service.runtime.work.emit('delivery attempted', 'timeout');
    },
    end: (test) => ended(test, 'deliveries'),
  },
  'failing-mails': failing('send-invite', 'mails'),
  'failing-analyses': failing('run-forensic', 'analyses'),
  'failing-kyc': failing('complete-kyc', 'kyc'),
  'failing-eid': failing('complete-eid', 'eid'),
  'failing-banks': failing('fetch-bank', 'banks'),
  limits: {
    begin: async ({ service, alice }) => {
      const key = await service.runtime.db('api_keys').where({ client_id: alice.clientId }).first();
      const row = { kind: 'mails', api_key_id: key?.id ?? '', used: 9, reached_at: ago(0) } as const;
      await service.runtime.db('daily_uses').insert({ day: ago(0).slice(0, 10), ...row });
    },
    end: ({ service }) => service.runtime.db('daily_uses').delete(),
    not: ONLY_A_WARNING,
  },
  erasures: {
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
    begin: async ({ service }) => {
      const ids = { id: newId(), upload_id: newId(), participant_id: newId(), api_key_id: newId() };
      const piece = { ...ids, sha256: null, size_bytes: 1, created_at: LONG_AGO, finishing_at: null };
      await inTransaction(service.runtime.db, (trx) => trx('upload_pieces').insert(piece));
    },
    end: ({ service }) => service.runtime.db('upload_pieces').delete(),
  },
  'expiring-keys': {
    begin: ({ service, bob }) =>
      service.runtime
        .db('api_keys')
        .where({ client_id: bob.clientId })
        .update({ expires_at: ahead(2 * DAY_MS) }),
    end: ({ service }) => service.runtime.db('api_keys').update({ expires_at: null }),
    not: ONLY_A_WARNING,
  },
  documents: {
    begin: async ({ folder }) => {
      await mkdir(join(folder, 'documents'), { recursive: true });
      await rename(join(folder, 'documents'), join(folder, 'documents-away'));
      await writeFile(join(folder, 'documents'), '');
    },
    end: async ({ folder }) => {
      await rm(join(folder, 'documents'));
      await rename(join(folder, 'documents-away'), join(folder, 'documents'));
    },
  },
};
