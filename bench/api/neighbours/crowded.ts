/** The service in a process of its own, with two landlords: one keeps much under way, the other one is measured. */

import { startWorkers } from '../../../bin/service/work.ts';
import { correlated } from '../../../core/correlation.ts';
import { newId } from '../../../core/ids.ts';
import { partyOfKey } from '../../../core/party.ts';
import { SERVICE } from '../../../db/audit/audit.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { insertForensicRun } from '../../../db/documents/forensic-runs.ts';
import { addHook, emitTestEvent, type Hook } from '../../../harness/service/deliveries.ts';
import { endBankConsent } from '../../../harness/service/every-kind.ts';
import {
  loadPages,
  operationRequests,
  pageRequest,
  type RouteRequest,
  watchRoutes,
} from '../../../harness/service/every-route.ts';
import { invitationPath } from '../../../harness/service/links.ts';
import { startTestService, type TestService } from '../../../harness/service/service.ts';
import { setStage } from '../../../harness/service/stage.ts';
import { ofTheirKey } from '../../../harness/service/tenant-of-key.ts';
import { requestReport } from '../../../jobs/reports/reports.ts';
import type { JobName } from '../../../jobs/runtime.ts';
import { sampleDocument } from '../../../providers/sandbox/sample-document.ts';
import { namesOf } from '../../../queue/kind.ts';
import { moment, offer } from '../../remote.ts';
import { acceptedBy, copyOf, giveLargeDocument, uploadOf } from './applicants.ts';
import { addBacklog } from './backlog.ts';
import { deskRequests, isBehindSignIn } from './desk-requests.ts';
import { slowFile } from './slow-file.ts';

export type Crowded = typeof functions;

/** What the measured landlord does meanwhile. */
export interface Quiet {
  read: RouteRequest;
  write: RouteRequest;
  page: RouteRequest;
}

export interface Opened {
  url: string;
  /** Each operation and each page, with the loud landlord's credentials. */
  requests: RouteRequest[];
  /** Each kind of work. */
  kinds: JobName[];
  quiet: Quiet;
  /** Uploads of slow files and requests for copies, by the applicants of the loud landlord, and one of each by one of the quiet landlord. */
  uploads: Applied;
  copies: Applied;
}

interface Applied {
  loud: RouteRequest[];
  quiet: RouteRequest;
}

/** The units of work of the loud landlord. */
const UNITS = 300;
const COPIES = 20;
const DEADLINE_MS = 120_000;

interface Scene {
  test: TestService;
  theirs: Hook;
  tenantId: string;
  hanging: Hook;
  stopWork(): Promise<void>;
}
let scene: Scene | undefined;

function opened(): Scene {
  if (!scene) throw new Error('The service is not open.');
  return scene;
}

/**
 * @param files how many slow files the applicants of the loud landlord will upload
 * @param endpoint of the webhook that actions at the desk change
 */
async function open(databaseUrl: string, files: number, endpoint: string): Promise<Opened> {
  const routes = watchRoutes();
  const test = await startTestService({
    // Until the links of mails that wait are known.
    RUN_WORKERS: 'false',
    ...{ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: '10', HTTP_CONNECTIONS: '20000' },
    ...{ DOCUMENT_LIMIT_MIB: '25', FORENSIC_SECONDS: '3' },
    ...{ DAILY_MAILS_PER_KEY: '1000000', DAILY_VERIFICATIONS_PER_KEY: '1000000' },
  });
  await loadPages(test);
  routes.end();
  const pages = routes.all().filter(({ path }) => !path.startsWith('/api/'));
  const hanging = await addHook(test.alice);
  const { id: acted } = (await test.alice.ok('createWebhook', { body: { url: endpoint } })).data;
  const stage = await setStage(test);
  const requests = operationRequests(test, stage, hanging.receiver.url);
  for (const route of pages) if (!isBehindSignIn(route.path)) requests.push(await pageRequest(test, route));
  requests.push(...(await deskRequests(test, acted)));
  const theirs = await addHook(test.charlie);
  const { id: tenantId } = await test.tenant('quiet+kyc-verified@mail.example', { of: test.charlie, documents: 1 });
  hanging.receiver.answer = () => new Promise(() => {});
  const quiet = await quietly(test);
  const applied = await apply(test, files);
  scene = { test, theirs, tenantId, hanging, stopWork: await startWorkers(test.service.runtime) };
  return { url: test.service.url, requests, kinds: namesOf(test.service.runtime.kinds), quiet, ...applied };
}

async function apply(test: TestService, files: number): Promise<Pick<Opened, 'uploads' | 'copies'>> {
  const applicants = (count: number, what: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => acceptedBy(test, test.alice, `${what}-${index}`)));
  const [uploading, copying] = [await applicants(files, 'upload'), await applicants(COPIES, 'copy')];
  const [uploader, reader] = [
    await acceptedBy(test, test.charlie, 'uploader'),
    await acceptedBy(test, test.charlie, 'reader'),
  ];
  await giveLargeDocument(test, [...copying, reader]);
  const slow = slowFile();
  const quick = sampleDocument(['Payslip of a person with patience']).toString('latin1');
  return {
    uploads: { loud: uploading.map((one) => uploadOf(one, slow)), quiet: uploadOf(uploader, quick) },
    copies: { loud: copying.map(copyOf), quiet: copyOf(reader) },
  };
}

async function quietly(test: TestService): Promise<Quiet> {
  const email = 'guest@quiet.example';
  const tenants = [
    { email: 'lead@quiet.example', is_lead: true },
    { email, is_lead: false },
  ];
  const { data } = await test.charlie.ok('createApplication', { body: { title: 'Quiet', tenants } });
  const headers = { authorization: `Bearer ${test.charlie.token}`, 'content-type': 'application/json' };
  const of = { owner: 'key', headers } as const;
  const title = JSON.stringify({ name: 'Changed' });
  const id = data.application_id;
  return {
    read: { ...of, name: 'read', method: 'GET', path: `/api/v1/applications/${id}` },
    write: {
      ...{ ...of, name: 'write', method: 'PATCH', body: title },
      path: `/api/v1/applications/${id}/participants/${encodeURIComponent(email)}`,
    },
    page: { ...of, name: 'page', method: 'GET', path: await invitationPath(test, id, email), headers: {} },
  };
}

/** @returns after how many milliseconds the event arrived */
async function arrival(cause: (scene: Scene) => Promise<unknown>, hook = opened().theirs): Promise<number> {
  const { received } = hook.receiver;
  const before = received.length;
  const beganAt = moment();
  await cause(opened());
  while (received.length === before) {
    if (moment() - beganAt > DEADLINE_MS) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return moment() - beganAt;
}

/** What the loud landlord has waiting, by kind. */
const causes: Record<JobName, (scene: Scene, number: number) => Promise<unknown>> = {
  'deliver-webhook': ({ test }) => emitAbout(test),
  'send-invite': ({ test }, number) => {
    const tenants = [0, 1].map((place) => ({ email: `mail-${number}-${place}@mail.example`, is_lead: place === 0 }));
    return test.alice.ok('createApplication', { body: { title: `Mail ${number}`, tenants } });
  },
  'complete-kyc': async ({ test }, number) =>
    test.alice.ok('initiateKyc', { params: { tenantId: await tenantOf(test, `kyc-${number}+kyc-verified`) } }),
  'complete-eid': async ({ test }, number) => {
    const params = { tenantId: await tenantOf(test, `eid-${number}+eid-verified`) };
    return test.alice.ok('initiateEid', { params, body: { redirect_url: 'https://letting.example/back' } });
  },
  'fetch-bank': async ({ test }, number) => {
    const { db } = test.service.runtime;
    const id = await tenantOf(test, `bank-${number}`);
    await endBankConsent(test, await inTransaction(db, (trx) => ofTheirKey(trx, id)));
  },
  'make-report': async ({ test }, number) => {
    const { runtime } = test.service;
    const tenants = [{ email: `report-${number}@mail.example`, is_lead: true }];
    const { data } = await test.alice.ok('createApplication', { body: { title: `Report ${number}`, tenants } });
    const request = { scope: ALL_LANDLORDS, actor: SERVICE, viewer: 'The bench' };
    await requestReport(runtime, data.application_id, 'en', request);
  },
  'run-forensic': async ({ test }, number) => analyse(test, await tenantOf(test, `run-${number}`, 1)),
};

function analyse({ service }: TestService, tenantId: string): Promise<void> {
  const { db, queue } = service.runtime;
  return inTransaction(db, async (trx) =>
    queue.send(trx, 'run-forensic', [await insertForensicRun(trx, await ofTheirKey(trx, tenantId), new Date())]),
  );
}
let analysed = 0;
let made = 0;

async function tenantOf(test: TestService, name: string, documents = 0): Promise<string> {
  return (await test.tenant(`${name}@loud.example`, { of: test.alice, documents })).id;
}

let emitting: Promise<string> | undefined;
/** As a worker emits it: for the API key of the loud landlord. */
async function emitAbout(test: TestService): Promise<void> {
  emitting ??= tenantOf(test, 'events');
  const id = await emitting;
  const { api_key_id } = await inTransaction(test.service.runtime.db, (trx) => ofTheirKey(trx, id));
  await correlated({ id: newId(), party: partyOfKey(api_key_id) }, () => emitTestEvent(test, id));
}

const functions = {
  open,
  /** From the cause of an event to its arrival at the quiet landlord's endpoint. */
  deliver: () => arrival(({ test, tenantId }) => emitTestEvent(test, tenantId)),
  /** From the request for an analysis of a new document to its event. */
  analyse: async () => {
    const { test } = opened();
    const email = `quiet-${++analysed}@mail.example`;
    const { id } = await test.tenant(email, { of: test.charlie, documents: 1 });
    return arrival(() => analyse(test, id));
  },
  /** From the cause of an event to its arrival at a new endpoint of the quiet landlord. */
  deliverToNew: async (): Promise<number> => {
    const { test, tenantId } = opened();
    const hook = await addHook(test.charlie);
    return arrival(() => emitTestEvent(test, tenantId), hook).finally(() => hook.stop());
  },
  /** From a refused attempt at the quiet landlord's endpoint to the next one. */
  retry: async (): Promise<number> => {
    const { test, theirs, tenantId } = opened();
    theirs.receiver.answer = () => 500;
    await arrival(() => emitTestEvent(test, tenantId));
    theirs.receiver.answer = () => 200;
    return arrival(async () => {});
  },
  /** Makes units of work of the loud landlord due. */
  cause: async (kind: JobName, units = UNITS): Promise<void> => {
    for (let number = 0; number < units; number++) await causes[kind](opened(), number + made);
    made += units;
  },
  /** Gives up the analyses that wait: the event of each would go to every webhook of the backlog. */
  endAnalyses: async (): Promise<void> => {
    const { db } = opened().test.service.runtime;
    await db('forensic_runs').where({ status: 'pending' }).update({ status: 'failed', due_at: null, leased_by: null });
  },
  /** Makes many deliveries of the loud landlord due, to endpoints that never answer. */
  backlog: async (count: number): Promise<void> => {
    const { test, hanging } = opened();
    await emitAbout(test);
    await addBacklog(test.service.runtime.db, hanging.id, count);
  },
  close: async (): Promise<void> => {
    const { test, theirs, hanging, stopWork } = opened();
    await Promise.all([theirs.stop(), hanging.stop(), stopWork()]);
    await test.stop();
  },
};
offer(functions);
