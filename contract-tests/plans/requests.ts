import type { OperationId } from '../../handlers/handler.ts';
import type { Input } from '../../harness/service/client.ts';
import { ours } from './filled.ts';

/** A successful request for each operation, different each time. A new operation does not compile without one. */
export const requests: { [Op in OperationId]: (time: number, hookUrl: string) => Input<Op> } = {
  generateToken: () => ({}),
  createApplication: (time) => ({
    body: {
      title: `Flat ${time}`,
      tenants: ['lead', 'second', 'third'].map((name) => ({
        email: `${name}-${time}@mail.example`,
        is_lead: name === 'lead',
      })),
    },
  }),
  getApplication: (time) => ({ params: { applicationId: application(time).applicationId } }),
  updateParticipant: (time) => ({
    params: { applicationId: application(time).applicationId, email: application(time).emails[1] },
    body: { name: 'Marta Ruiz' },
  }),
  removeParticipant: (time) => ({
    params: { applicationId: application(time).applicationId, email: application(time).emails[1] },
  }),
  initiateKyc: (time) => ({ params: { tenantId: application(time).tenantIds[0] } }),
  initiateEid: (time) => ({
    params: { tenantId: application(time).tenantIds[0] },
    body: { redirect_url: 'https://letting.example/' },
  }),
  runForensic: (time) => ({ params: { tenantId: application(time).tenantIds[0] } }),
  listWorkspaces: () => ({}),
  getProperty: () => ({ params: { property_id: ours.propertyId }, query: { workspace_id: ours.workspaceId } }),
  createWebhook: (_time, url) => ({ body: { url } }),
};

/** A new one that belongs to the caller. */
export function application(time: number): (typeof ours.applications)[number] {
  const found = ours.applications[time * 37];
  if (!found) throw new Error('There are not that many applications.');
  return found;
}
