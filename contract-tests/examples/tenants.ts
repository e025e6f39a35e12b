import { newId } from '../../core/ids.ts';
import type { Use } from '../../db/access/daily-uses.ts';
import { openTenant, type Scenario, type Scenarios, type Scene } from './scene.ts';

const toTenant =
  (body?: unknown): Scenario =>
  async (scene) => ({ params: { tenantId: await openTenant(scene) }, body });

const absent = { tenantId: 'absent' };

/** A successful verification, completed without a worker. */
async function verify({ test, apiKeyId }: Scene, tenantId: string): Promise<void> {
  const createdAt = new Date().toISOString();
  await test.service.runtime.db('kyc_verifications').insert({
    id: newId(),
    tenant_id: tenantId,
    api_key_id: apiKeyId,
    status: 'verified',
    created_at: createdAt,
    finished_at: createdAt,
  });
}

/** A verified tenant with a document, for whom this many calls have already queued an analysis. */
async function queued(scene: Scene, calls: number): Promise<string> {
  const tenantId = await openTenant(scene, 1);
  await verify(scene, tenantId);
  for (let call = 0; call < calls; call++) await scene.client.ok('runForensic', { params: { tenantId } });
  return tenantId;
}

/** A tenant of an API key that has reached its daily limit. */
async function limited(scene: Scene, kind: Use) {
  const use = { day: new Date().toISOString().slice(0, 10), kind, api_key_id: scene.apiKeyId, used: 1_000_000 };
  await scene.test.service.runtime
    .db('daily_uses')
    .insert(use)
    .onConflict(['day', 'kind', 'api_key_id'])
    .merge(['used']);
  return { params: { tenantId: await openTenant(scene) } };
}

export const tenants: Scenarios = {
  'initiateKyc 200 started': toTenant(),
  'initiateKyc 400 dailyLimit': async (scene) => limited(scene, 'kyc verifications'),
  'initiateKyc 404 notFound': () => ({ params: absent }),
  'initiateEid 200 started': toTenant({ redirect_url: 'https://letting.example/eid/finished?case=8121' }),
  'initiateEid 400 notPublic': toTenant({ redirect_url: 'https://10.0.0.5/eid' }),
  'initiateEid 400 missing': toTenant({}),
  'initiateEid 400 notAnAddress': toTenant({ redirect_url: 'letting' }),
  'initiateEid 400 notHttp': toTenant({ redirect_url: 'mailto:eid@letting.example' }),
  'initiateEid 400 withCredentials': toTenant({ redirect_url: 'https://user:secret@letting.example/eid' }),
  'initiateEid 400 wrongType': toTenant({ redirect_url: 42 }),
  'initiateEid 400 unknownField': toTenant({ redirect_url: 'https://letting.example/eid', callback: 'x' }),
  'initiateEid 400 dailyLimit': async (scene) => ({
    ...(await limited(scene, 'eid flows')),
    body: { redirect_url: 'https://letting.example/eid' },
  }),
  'initiateEid 404 notFound': () => ({ params: absent, body: { redirect_url: 'https://letting.example/eid' } }),
  'runForensic 200 queued': async (scene) => ({ params: { tenantId: await queued(scene, 0) } }),
  'runForensic 200 pending': async (scene) => ({ params: { tenantId: await queued(scene, 1) } }),
  'runForensic 200 processing': async (scene) => {
    const tenantId = await queued(scene, 1);
    const { db } = scene.test.service.runtime;
    await db('forensic_runs').where({ tenant_id: tenantId }).update({ status: 'processing' });
    return { params: { tenantId } };
  },
  'runForensic 200 noDocuments': toTenant(),
  'runForensic 200 kycPending': async (scene) => ({ params: { tenantId: await openTenant(scene, 1) } }),
  'runForensic 404 notFound': () => ({ params: absent }),
};
