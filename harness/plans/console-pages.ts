import type { Someone } from './operator-commands.ts';

const STATES = ['pending', 'held', 'delivered', 'failed'];

/** One of everything that has a page of its own. */
export interface Shown {
  applicationId: string;
  deliveryId: string;
  /** An analysis whose result can be opened. */
  runId: string;
  /** A document of the same person. */
  documentId: string;
  /** A finished report. */
  reportId: string;
  /** A participant who asked to be erased. */
  participantId: string;
  /** An audit entry. */
  sequence: string;
}

/** The pages that operators view in the console, below `/console`: every list with each of its filters, and one of everything. */
export function consolePages(
  { clientId, actorId, landlordId, tenantId, webhookId }: Someone,
  { applicationId, deliveryId, runId, documentId, reportId, participantId, sequence }: Shown,
): string[] {
  const before = `before=${new Date(Date.now() - 7 * 86_400_000).toISOString()}_x`;
  const deliveries = ['', `webhook=${webhookId}`, `landlord=${landlordId}`, 'event=EID_SUCCESS', before];
  return [
    '/',
    '/events',
    ...[
      '',
      before,
      `landlord=${landlordId}`,
      `landlord=${landlordId}&${before}`,
      `client_id=${clientId}`,
      'email=person1@bulk.example',
      'state=removed',
      'missing=documents',
      'missing=kyc',
      'outcome=tampered',
    ].map((query) => `/applications?${query}`),
    `/applications/${applicationId}`,
    `/applications/${applicationId}/income`,
    `/applications/${applicationId}/reports`,
    `/reports/${reportId}`,
    `/reports/${reportId}/page`,
    `/reports/${reportId}/picture`,
    ...['', before, `who=${tenantId}`, 'who=nobody@bulk.example'].map((query) => `/people?${query}`),
    `/people/${tenantId}`,
    `/people/${tenantId}/identity`,
    ...deliveries.flatMap((query) =>
      ['', ...STATES.map((state) => `status=${state}&`)].map((state) => `/deliveries?${state}${query}`),
    ),
    `/deliveries/${deliveryId}`,
    `/deliveries/${deliveryId}/body`,
    `/documents/${documentId}`,
    `/documents/${documentId}/picture`,
    `/analyses/${runId}`,
    `/analyses/${runId}?document=2`,
    `/analyses/${runId}/picture`,
    ...['', 'status=active', 'status=failing', 'status=paused', `client_id=${clientId}`].map(
      (query) => `/webhooks?${query}`,
    ),
    `/webhooks/${webhookId}`,
    ...['', before].map((query) => `/landlords?${query}`),
    `/landlords/${landlordId}`,
    `/landlords/${landlordId}/properties`,
    `/landlords/${landlordId}/logo`,
    `/keys/${clientId}`,
    '/privacy',
    `/privacy/requests/${participantId}`,
    ...[
      '',
      `before=${sequence}`,
      `actor=${actorId}`,
      `actor=${actorId}&before=${sequence}`,
      'action=webhook',
      `resource=${tenantId}`,
      'since=2026-01-31',
    ].map((query) => `/audit?${query}`),
    `/audit/${sequence}`,
    `/privacy/person?who=${tenantId}`,
    `/privacy/person?who=person1@bulk.example&landlord=${landlordId}`,
    '/account',
    '/account/add-passkey',
  ];
}
