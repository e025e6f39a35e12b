import type { ConditionId } from '../../core/conditions/table.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { deleteWebhook } from '../../db/webhooks/webhooks.ts';
import type { WorkTable } from '../../db/work/work.ts';
import { startWorkerProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { addApplicant, addHook, emitTestEvent, type Hook } from '../../harness/service/deliveries.ts';
import { workOn } from '../../harness/service/work.ts';
import type { JobName } from '../../jobs/runtime.ts';
import { promote } from '../../queue/promoter.ts';
import { ago, hourPasses, LONG_AGO, MINUTE_MS, OF_METRIC, ONLY_A_WARNING, type Situation } from './situation.ts';
import { DAILY_VERIFICATIONS, type World } from './world.ts';

/** More than the failures that make a problem. */
const ATTEMPTS = 6;
/** A pass makes at least one: an endpoint that fails gets no more at once. */
const PASSES = 2 * ATTEMPTS;
const MAX_PASSES = 40;
const REFUSAL = '554 5.7.1 Mail from this sender is refused';
const LEASES = 3;
const MAX_EXPIRIES = 5;

/** Works on rows, as a worker does when they are due: the back-off between two attempts is skipped. */
async function attempt({ service }: World, job: JobName, table: WorkTable, ids: readonly string[]): Promise<void> {
  const { runtime } = service;
  await runtime.db(table).whereIn('id', ids).whereNotNull('due_at').update({ due_at: LONG_AGO, leased_by: null });
  await workOn(runtime, job, ...ids);
}

async function openIn({ service }: World, table: WorkTable): Promise<string[]> {
  return service.runtime.db(table).whereNotNull('due_at').pluck('id');
}

/** Works on all that is open: one pass gives back what no lane has room for. */
function finish(test: World, job: JobName, table: WorkTable): Promise<unknown> {
  return until(`nothing is open in ${table}`, async () => {
    const open = await openIn(test, table);
    if (open.length > 0) await attempt(test, job, table, open);
    return (await openIn(test, table)).length === 0;
  });
}

/** Invitations of an application, sent to a mail server that refuses every mail. */
const refusedMails: Situation = {
  begin: async (test) => {
    // The mails of earlier situations no longer count.
    await hourPasses(test, 'mails');
    test.mail.says.set('message', REFUSAL);
    for (const name of ['one', 'two']) {
      const guests = ['a', 'b', 'c', 'd'].map((guest) => ({
        email: `${guest}-${newId()}@mail.example`,
        is_lead: false,
      }));
      const tenants = [{ email: `${name}-${newId()}@mail.example`, is_lead: true }, ...guests];
      await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
    }
    for (let count = 0; count < ATTEMPTS; count++)
      await attempt(test, 'send-invite', 'invites', await openIn(test, 'invites'));
  },
  // The remedy of the condition itself.
  end: async (test) => {
    test.mail.says.clear();
    await new Admin(test, test.settings).text('invite', 'retry', '--failing');
    await hourPasses(test, 'mails');
    await finish(test, 'send-invite', 'invites');
  },
};

const hooks = new Map<World, Hook>();

/** Events for an endpoint that answers 500, delivered by the service with its clock at a moment. */
async function failDeliveries(test: World, moment: Date | undefined, passes: number): Promise<void> {
  const hook = await addHook(test.alice);
  hook.receiver.answer = () => 500;
  hooks.set(test, hook);
  const tenant = await addApplicant(test, test.alice, `${newId()}@mail.example`);
  if (moment) test.setNow(moment);
  for (let count = 0; count < ATTEMPTS; count++) await emitTestEvent(test, tenant);
  for (let count = 0; count < passes; count++) {
    const open = await openIn(test, 'deliveries');
    if (open.length === 0) break;
    await attempt(test, 'deliver-webhook', 'deliveries', open);
  }
  test.setNow(undefined);
}

/** The endpoint is mended, what waits for it arrives, and it is given up: later events would go to it, too. */
async function mendEndpoint(test: World): Promise<void> {
  const hook = hooks.get(test);
  if (hook) hook.receiver.answer = () => 200;
  await finish(test, 'deliver-webhook', 'deliveries');
  await hourPasses(test, 'deliveries');
  // A day passes.
  const { db } = test.service.runtime;
  await db('deliveries').where({ status: 'failed' }).update({ finished_at: LONG_AGO });
  if (hook) await inTransaction(db, (trx) => deleteWebhook(trx, hook.id));
  await hook?.stop();
}

/** A worker that delivers, and is killed before it records that it did. */
export async function killWorkers(test: World, count: number): Promise<void> {
  const { db } = test.service.runtime;
  const hook = await addHook(test.alice);
  hooks.set(test, hook);
  const tenant = await addApplicant(test, test.alice, `${newId()}@mail.example`);
  for (let lease = 0; lease < LEASES; lease++) await emitTestEvent(test, tenant);
  for (let killed = 0; killed < count; killed++) {
    const before = hook.receiver.received.length;
    const worker = await startWorkerProcess(
      { ...new Admin(test).env, ...test.settings },
      '../../harness/process/hanging-worker.ts',
    );
    await until('the worker has begun', () => hook.receiver.received.length > before);
    await worker.kill();
    // Minutes pass, in which nothing extends the leases of the dead; then the pause of suspect work ends.
    for (const over of ['lease', 'pause']) {
      const waiting = db('deliveries').whereNotNull('due_at');
      await (over === 'pause' ? waiting.whereNull('leased_by') : waiting).update({ due_at: LONG_AGO });
      await promote(test.service.runtime);
    }
  }
}

const hindered = new Map<World, Awaited<ReturnType<World['eid']['person']>>>();

const eidFlow = async (test: World) => {
  const person = await test.eid.person();
  await person.authorize();
  const flow = await test.eid.flow(person.tenantId);
  return flow?.id ?? '';
};

export const causedWork: Partial<Record<ConditionId, Situation>> = {
  invites: refusedMails,
  'failing-mails': refusedMails,
  mail: refusedMails,
  jobs: { ...refusedMails, not: OF_METRIC },
  kyc: {
    begin: async ({ stripe }) => {
      stripe.simulatedFailure = () => 'silence';
    },
    end: async ({ stripe }) => {
      stripe.simulatedFailure = () => undefined;
    },
  },
  eid: {
    begin: async ({ oidc }) => oidc.faults.set('discovery', 'hang'),
    end: async ({ oidc }) => oidc.faults.clear(),
  },
  bank: {
    begin: async ({ bank }) => {
      bank.refusal = (_, path) => (path === '/application' ? { status: 403, error: 'FORBIDDEN' } : undefined);
    },
    end: async ({ bank }) => {
      bank.refusal = () => undefined;
    },
  },
  'failing-banks': {
    begin: async (test) => {
      test.bank.add({ name: 'Marta Ruiz' }, [], '1420.50');
      const person = await BankPerson.of(test, `${newId()}@mail.example`);
      const { headers } = await person.agree('Alfa Bank');
      await person.comeBack(Object.fromEntries(test.bank.consent(String(headers['location']))));
      const { id } = await person.latest();
      test.bank.refusal = () => ({ status: 500 });
      for (let count = 0; count < ATTEMPTS; count++) await attempt(test, 'fetch-bank', 'bank_connections', [id]);
    },
    end: async (test) => {
      test.bank.refusal = () => undefined;
      await attempt(test, 'fetch-bank', 'bank_connections', await openIn(test, 'bank_connections'));
      await hourPasses(test, 'banks');
    },
  },
  'failing-kyc': {
    begin: async (test) => {
      const tenantId = await test.eid.applicant(`${newId()}@mail.example`);
      await test.alice.ok('initiateKyc', { params: { tenantId } });
      const rows = await test.service.runtime.db('kyc_verifications').where({ tenant_id: tenantId }).pluck('id');
      await test.service.runtime.db('kyc_verifications').whereIn('id', rows).update({ due_at: LONG_AGO });
      test.stripe.simulatedFailure = () => 'failure';
      for (let count = 0; count < ATTEMPTS; count++) await attempt(test, 'complete-kyc', 'kyc_verifications', rows);
    },
    end: async (test) => {
      test.stripe.simulatedFailure = () => undefined;
      await hourPasses(test, 'kyc');
    },
  },
  'failing-eid': {
    begin: async (test) => {
      const id = await eidFlow(test);
      test.oidc.faults.set('attachments', 'unavailable').set('userinfo', 'unavailable');
      for (let count = 0; count < ATTEMPTS; count++) await attempt(test, 'complete-eid', 'eid_flows', [id]);
    },
    end: async (test) => {
      test.oidc.faults.clear();
      await finish(test, 'complete-eid', 'eid_flows');
      await hourPasses(test, 'eid');
    },
  },
  'sign-ins': {
    begin: async (test) => {
      const person = await test.eid.person();
      hindered.set(test, person);
      // As of a client that is registered without this scope.
      await person.authorize({ no: 'invalid_scope' });
    },
    end: (test) => hindered.get(test)?.authorize() ?? Promise.resolve(),
  },
  'failing-deliveries': {
    begin: async (test) => {
      await hourPasses(test, 'deliveries');
      await failDeliveries(test, undefined, PASSES);
    },
    end: mendEndpoint,
  },
  'failing-webhooks': {
    begin: (test) => failDeliveries(test, new Date(Date.now() - 25 * MINUTE_MS), PASSES),
    end: mendEndpoint,
  },
  deliveries: {
    begin: (test) => failDeliveries(test, undefined, MAX_PASSES),
    end: mendEndpoint,
    not: ONLY_A_WARNING,
  },
  workers: {
    begin: async (test) => {
      const hook = await addHook(test.alice);
      hooks.set(test, hook);
      const tenant = await addApplicant(test, test.alice, `${newId()}@mail.example`);
      await emitTestEvent(test, tenant);
      // No worker runs, and two minutes pass.
      await test.service.runtime
        .db('deliveries')
        .whereNotNull('due_at')
        .update({ due_at: ago(2 * MINUTE_MS), leased_by: null });
    },
    end: mendEndpoint,
  },
  leases: {
    begin: (test) => killWorkers(test, 1),
    end: async (test) => {
      await mendEndpoint(test);
      await hourPasses(test, 'leases');
    },
    not: OF_METRIC,
  },
  'set-aside': {
    begin: (test) => killWorkers(test, MAX_EXPIRIES),
    // The remedy of the condition itself.
    end: async (test) => {
      const admin = new Admin(test);
      for (const { id } of await admin.json<{ id: string }[]>('work', 'set-aside'))
        await admin.json('work', 'release', id);
      await mendEndpoint(test);
      await hourPasses(test, 'leases');
    },
  },
  scanner: { begin: ({ scanner }) => scanner.stop(), end: ({ scanner }) => scanner.listen() },
  limits: {
    begin: async ({ charlie, tenant }) => {
      for (let count = 0; count <= DAILY_VERIFICATIONS; count++) {
        const { id } = await tenant(`${newId()}@mail.example`, { of: charlie });
        await charlie.call('initiateKyc', { params: { tenantId: id } });
      }
    },
    end: ({ service }) => service.runtime.db('daily_uses').delete(),
    not: ONLY_A_WARNING,
  },
};
