import { SERVICE } from '../../../db/audit/audit.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { insertForensicRun } from '../../../db/documents/forensic-runs.ts';
import { addDelivery } from '../../../harness/service/deliveries.ts';
import { addressOf, type RouteRequest } from '../../../harness/service/every-route.ts';
import { MemberBrowser } from '../../../harness/service/members.ts';
import type { TestService } from '../../../harness/service/service.ts';
import { setStage } from '../../../harness/service/stage.ts';
import { ofTheirKey } from '../../../harness/service/tenant-of-key.ts';
import { deskRoutes } from '../../../http/backoffice/routes.ts';
import { runForensic } from '../../../jobs/documents/run-forensic.ts';
import { requestReport } from '../../../jobs/reports/reports.ts';

/** Whether the desk shows it to signed-in members only. @param path with the name of the office */
export function isBehindSignIn(path: string): boolean {
  return deskRoutes.some((route) => path === `/desk${route.path}`);
}

/**
 * A request to every page and action behind the sign-in of Alice's desk. Each is sent by a member of its own, because some end sessions, and
 * an action by a form without fields, which most actions refuse by showing its page again. @throws when a parameter of a route has no value
 */
export async function deskRequests(test: TestService, webhookId: string): Promise<RouteRequest[]> {
  const examples = await examplesFor(test, webhookId);
  const of = { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] };
  const requests: RouteRequest[] = [];
  for (const { method, path, members } of deskRoutes) {
    const member = await MemberBrowser.signIn(test, members.includes('admin') ? 'admin' : 'agent', of);
    const filled = addressOf({ path }, { examples: { ...examples, '/members/': member.id } });
    const headers = { accept: 'text/html', cookie: member.cookie };
    const page = {
      name: `${method} /desk${path}`,
      owner: 'landlord',
      method,
      path: `/desk${filled}`,
      headers,
    } as const;
    if (method === 'GET') requests.push(page);
    else {
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      requests.push({ ...page, headers: form, body: String(new URLSearchParams({ csrf: await member.csrf() })) });
    }
  }
  return requests;
}

/** By what stands before a parameter of a path, without members, of whom each request takes its own. */
async function examplesFor(test: TestService, webhookId: string): Promise<Record<string, string>> {
  const { runtime } = test.service;
  const { applicationId, tenantId, property_id, workspace_id } = await setStage(test);
  const asked = { scope: ALL_LANDLORDS, actor: SERVICE, viewer: 'The bench' };
  const analysis = await inTransaction(runtime.db, async (trx) =>
    insertForensicRun(trx, await ofTheirKey(trx, tenantId), new Date()),
  );
  await runForensic(runtime, analysis);
  const [document = ''] = await runtime.db('documents').where({ tenant_id: tenantId }).pluck('id');
  return {
    '/applications/': applicationId,
    '/people/': tenantId,
    '/analyses/': analysis,
    '/documents/': document,
    '/reports/': await requestReport(runtime, applicationId, 'en', asked),
    '/workspaces/': workspace_id,
    '/properties/': property_id,
    '/deliveries/': await addDelivery(test, tenantId, { webhook_id: webhookId, last_status_code: 200 }),
    '/webhooks/': webhookId,
    '/keys/': test.alice.clientId,
  };
}
