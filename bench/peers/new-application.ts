import { randomUUID } from 'node:crypto';
import { newId } from '../../core/ids.ts';
import { comparableEmail, emailSetKey } from '../../core/rules/participants.ts';
import { hashSecret, randomSecret, sealText } from '../../core/secrets/secrets.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import type { components } from '../../generated/openapi.d.ts';

export type RequestedApplication = components['schemas']['ApplicationDraft'];

const INVITATION_DAYS = 30;

const encryption = { current: Buffer.from(process.env['ENCRYPTION_KEY'] ?? '', 'base64') };

export type NewApplication = ReturnType<typeof newApplication>;

/** Every row of a new application: its people, their invitations, the jobs that send them, the audit log. */
export function newApplication(keyId: string, { title, tenants }: RequestedApplication, now: Date) {
  const id = newId();
  const at = now.toISOString();
  const participants = tenants.map(({ email, is_lead }, position) => ({
    id: newId(),
    application_id: id,
    position,
    email,
    comparable_email: comparableEmail(email),
    name: '',
    is_lead: is_lead ? 1 : 0,
    is_guarantor: 0,
    consent_status: 'pending',
  }));
  const correlationId = randomUUID();
  const invites = participants
    .filter(({ is_lead }) => is_lead === 0)
    .map((person) => newInvite(keyId, person.id, correlationId, now));
  return {
    application: { id, api_key_id: keyId, title, active_email_key: keyOf(tenants), created_at: at, updated_at: at },
    participants,
    invites,
    audit: {
      at,
      actor_kind: 'api_key',
      actor: keyId,
      action: 'application.create',
      resource_id: id,
      correlation_id: correlationId,
    },
  };
}

export function keyOf(tenants: RequestedApplication['tenants']): string {
  return emailSetKey(tenants.map(({ email }) => email));
}

function newInvite(keyId: string, participantId: string, correlationId: string, now: Date) {
  const token = randomSecret();
  const at = now.toISOString();
  return {
    id: newId(),
    participant_id: participantId,
    status: 'pending',
    due_at: at,
    correlation_id: correlationId,
    created_at: at,
    token_hash: hashSecret(token),
    sealed_token: sealText(token, encryption),
    expires_at: isoAfter(now, INVITATION_DAYS * DAY_MS),
    api_key_id: keyId,
  };
}
