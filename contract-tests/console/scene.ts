import { Readable } from 'node:stream';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertForensicRun } from '../../db/documents/forensic-runs.ts';
import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { recordReportView } from '../../db/reports/reports.ts';
import { addDelivery, addHook, type Hook } from '../../harness/service/deliveries.ts';
import { finishedReport } from '../../harness/service/finished-report.ts';
import type { TestService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { runForensic } from '../../jobs/documents/run-forensic.ts';
import { askToBeErased } from '../../jobs/privacy/own-data.ts';
import { pause } from '../../jobs/webhooks/webhook-care.ts';
import { payslip } from '../../packages/forensics/tests/fixtures/payslip.ts';
import { pdfOf } from '../../packages/forensics/tests/fixtures/pdf.ts';
import { raisedPayslip } from '../documents/raised-payslip.ts';
import { longReport } from '../reports/long-report.ts';

/** Data for every page. */
export interface Scene {
  /** Values of path parameters, by the segment before them; a route without one fails its tests. */
  examples: Record<string, string>;
  hook: Hook;
  /** The id of a webhook. */
  paused: string;
  stop(): Promise<void>;
}

const REFUSED = {
  status_code: 503,
  error: 'answered 503',
  response_excerpt: '{"error":"maintenance","until":"18:00"}',
};

/** The state of a service with several problems that need an operator. */
export async function setScene(test: TestService): Promise<Scene> {
  const hook = await addHook(test.alice, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const paused = (await test.alice.ok('createWebhook', { body: { url: 'https://letting.example/hooks/screening' } }))
    .data;
  const email = 'marta.ruiz@mail.example';
  const { id: tenant } = await test.tenant(email, { name: 'Marta Ruiz', documents: 1 });
  const people = [
    { email, is_lead: true },
    { email: 'jonas.weber@mail.example', is_lead: false },
  ];
  const body = { title: 'Flat on Calle de Alcalá 42, third floor', tenants: people };
  const { application_id } = (await test.alice.ok('createApplication', { body })).data;
  await test.alice.ok('initiateKyc', { params: { tenantId: tenant } });
  const analysis = await analysed(test, tenant);
  const [document = ''] = await test.service.runtime
    .db('documents')
    .where({ tenant_id: tenant, name: 'payslip-2024-05.pdf' })
    .pluck('id');
  const { workspace_id, property_id } = await inTransaction(test.service.runtime.db, async (trx) => {
    const workspace = await addWorkspace(trx, test.landlords.ours, 'Madrid centre', new Date());
    const property = await addProperty(trx, workspace, { property_reference: 'MAD-1', street: 'Calle Mayor' });
    return { ...workspace, ...property };
  });
  const event = 'FORENSIC_ANALYSIS_DATA';
  const tries = [{ ...REFUSED, duration_ms: 15_000 }, { status_code: null, error: 'no answer within 15 s' }, REFUSED];
  const failed = { webhook_id: hook.id, status: 'failed', due_at: null, last_error: 'answered 503', event } as const;
  const delivery = await addDelivery(test, tenant, { ...failed, attempts: 3, last_status_code: 503, tries });
  for (let number = 0; number < 30; number++)
    await addDelivery(test, tenant, { webhook_id: hook.id, last_status_code: 200, tries: [{ status_code: 200 }] });
  await addDelivery(test, tenant, { webhook_id: paused.id, status: 'pending', due_at: null, event });
  await pause(test.service.runtime, paused.id, 'answered 410 (gone)');
  const { db } = test.service.runtime;
  const asking = await db('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .where({ application_id, email: 'jonas.weber@mail.example' })
    .first('participants.id', 'api_key_id');
  const [participantId, apiKeyId] = [asking?.id ?? '', asking?.api_key_id ?? ''];
  await askToBeErased(test.service.runtime, { participantId, apiKeyId, email: 'jonas.weber@mail.example' });
  await db.batchInsert('daily_counts', countsOfAYear(new Date()), 100);
  const examples = {
    '/privacy/requests/': participantId,
    '/audit/': String((await db('audit_entries').max({ last: 'sequence' }))[0]?.last),
    '/applications/': application_id,
    '/people/': tenant,
    '/analyses/': analysis,
    '/reports/': await addReport(test, application_id),
    '/documents/': document,
    '/workspaces/': workspace_id,
    '/properties/': property_id,
    '/deliveries/': delivery,
    '/webhooks/': hook.id,
    '/landlords/': test.landlords.ours,
    '/keys/': test.alice.clientId,
  };
  return { examples, hook, paused: paused.id, stop: () => hook.stop() };
}

/** A tampered payslip next to a genuine one. */
const PAYSLIPS = [
  { name: 'payslip-2024-05.pdf', bytes: raisedPayslip('Marta Ruiz') },
  {
    name: 'payslip-again.pdf',
    bytes: pdfOf([payslip({ gross: '3.250,00', net: '2.280,40', name: 'Marta Ruiz' })]),
  },
];

/** Analyses the tenant's documents. @returns the id of the analysis */
export async function analysed(
  { service: { runtime } }: Pick<TestService, 'service'>,
  tenantId: string,
  files: readonly { name: string; bytes: Uint8Array }[] = PAYSLIPS,
): Promise<string> {
  const { db, queue, now } = runtime;
  const given = files.map(({ name, bytes }) => ({ name, content: Readable.from([Buffer.from(bytes)]) }));
  await storingDocuments(runtime, given, async (trx, stored) =>
    addDocuments(trx, queue, await ofTheirKey(trx, tenantId), stored, 'applicant', now()),
  );
  const id = await inTransaction(db, async (trx) => insertForensicRun(trx, await ofTheirKey(trx, tenantId), now()));
  await runForensic(runtime, id);
  return id;
}

/** Activity that is higher on working days, and growing. */
function countsOfAYear(now: Date) {
  const days = Array.from({ length: 14 }, (_, ago) => {
    const date = new Date(now.getTime() - ago * 86_400_000);
    return { period: date.toISOString().slice(0, 10), size: date.getUTCDay() % 6 === 0 ? 600 : 2_000 };
  });
  const months = Array.from({ length: 12 }, (_, ago) => {
    const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
    return { period: date.toISOString().slice(0, 7), size: 46_000 - 2_000 * ago };
  });
  const shares = [
    ['requests 2xx', 9],
    ['requests 4xx', 1],
    ['delivery attempts', 3],
    ['failed delivery attempts', 0.3],
    ['requests 5xx', 0.2],
    ['documents analysed', 0.4],
  ] as const;
  return [...days, ...months].flatMap(({ period, size }) =>
    shares.map(([name, share]) => ({ period, name, count: Math.round(size * share) })),
  );
}

/** A finished report, and a copy of it that was shared and looked at. @returns the id of the report */
async function addReport({ service: { runtime } }: Pick<TestService, 'service'>, applicationId: string) {
  const { people, ...content } = await longReport();
  const few = people.slice(0, 2).map((person) => ({ ...person, documents: person.documents.slice(0, 1) }));
  const { id, copyId } = await finishedReport(runtime, applicationId, { ...content, people: few });
  await recordReportView(runtime.db, { report_id: copyId, what: 'page' }, runtime.now());
  return id;
}
