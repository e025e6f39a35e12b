import type { Someone } from './operator-commands.ts';

const PEOPLE = ['pending', 'accepted', 'declined', 'removed'];
const STEPS = ['answer', 'profile', 'documents', 'kyc', 'eid', 'analysis'];
const STATES = ['pending', 'held', 'delivered', 'failed'];

/** The pages that a landlord's members view at the desk, below `/desk`: every list with each of its filters, and one of everything. */
export function deskPages(
  { clientId, tenantId, webhookId }: Pick<Someone, 'clientId' | 'tenantId' | 'webhookId'>,
  {
    applicationId,
    reportId,
    propertyId,
    documentId,
    runId,
    deliveryId,
    memberId,
  }: Record<'applicationId' | 'reportId' | 'propertyId' | 'documentId' | 'runId' | 'deliveryId' | 'memberId', string>,
): string[] {
  const before = `before=${new Date(Date.now() - 7 * 86_400_000).toISOString()}_x`;
  const deliveries = ['', `webhook=${webhookId}`, 'event=EID_SUCCESS', before];
  return [
    '/',
    ...[
      '',
      before,
      `client_id=${clientId}`,
      'email=person1@bulk.example',
      'from=2026-01-31',
      'until=2026-06-30',
      `property=${propertyId}`,
      ...PEOPLE.map((state) => `state=${state}`),
      ...STEPS.map((step) => `missing=${step}`),
      'outcome=tampered',
      'missing=documents&outcome=no_finding',
    ].map((query) => `/applications?${query}`),
    '/applications/new',
    '/applications/import',
    '/properties/import',
    '/events',
    `/applications/${applicationId}`,
    `/applications/${applicationId}/income`,
    `/applications/${applicationId}/reports`,
    `/reports/${reportId}`,
    `/reports/${reportId}/page`,
    `/reports/${reportId}/picture`,
    `/people/${tenantId}`,
    `/people/${tenantId}/identity`,
    `/documents/${documentId}`,
    `/documents/${documentId}/picture`,
    `/analyses/${runId}`,
    `/analyses/${runId}/picture`,
    `/properties/${propertyId}`,
    ...deliveries.flatMap((query) =>
      ['', ...STATES.map((state) => `status=${state}&`)].map((state) => `/deliveries?${state}${query}`),
    ),
    `/deliveries/${deliveryId}`,
    `/deliveries/${deliveryId}/body`,
    ...['', 'status=active', 'status=failing', 'status=paused', `client_id=${clientId}`].map(
      (query) => `/webhooks?${query}`,
    ),
    '/webhooks/new',
    `/webhooks/${webhookId}`,
    '/keys',
    `/keys/${clientId}`,
    ...['', `after=${tenantId}`].map((query) => `/properties?${query}`),
    '/properties/new',
    '/settings',
    '/settings/logo',
    '/members',
    `/members/${memberId}`,
    '/account',
    '/account/add-passkey',
  ];
}
