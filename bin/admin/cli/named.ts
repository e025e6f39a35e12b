import { onboardingStatus } from '../../../core/rules/onboarding.ts';
import { comparableEmail } from '../../../core/rules/participants.ts';
import { apiKeyState } from '../../../db/access/api-key-states.ts';
import { findListedApiKey, type ListedApiKey } from '../../../db/access/api-keys.ts';
import { findLandlord, type LandlordRow } from '../../../db/access/landlords.ts';
import { listParticipations, type Participation } from '../../../db/applications/application-lists.ts';
import { findTenantByIdOrEmail, type TenantRow } from '../../../db/applications/tenants.ts';
import type { Database } from '../../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { OperatorError } from './faults.ts';
import { commandLine } from './run-command.ts';

/** Returns the found row. @throws OperatorError that names `listing`, the command that lists the existing ones */
export function expectFound<Found>(found: Found | undefined, kind: string, id: string, listing: string): Found {
  if (found !== undefined) return found;
  throw new OperatorError(`no ${kind} has the id "${id}"; list them with ${commandLine(listing)}`);
}

/** @throws OperatorError when there is no such landlord */
export async function namedLandlord(db: Database, id: string): Promise<LandlordRow> {
  return expectFound(await findLandlord(db, id), 'landlord', id, 'landlord list');
}

/** @throws OperatorError when there is no such API key */
export async function namedApiKey(db: Database, clientId: string, now: Date): Promise<ListedApiKey> {
  const apiKey = await findListedApiKey(db, ALL_LANDLORDS, clientId, now);
  if (!apiKey)
    throw new OperatorError(`no API key has the client_id "${clientId}"; list them with ${commandLine('key list')}`);
  return apiKey;
}

/** The fields of an API key in every output. `key_id` is its actor id in the audit log. */
export function apiKeyFields(apiKey: ListedApiKey, now: Date) {
  const status = apiKeyState(apiKey, now);
  return {
    client_id: apiKey.client_id,
    key_id: apiKey.id,
    name: apiKey.name,
    landlord_id: apiKey.landlord_id,
    landlord_name: apiKey.landlord_name,
    status,
    created_at: apiKey.created_at,
    last_used_at: apiKey.last_used_at,
    expires_at: apiKey.expires_at,
    revoked_at: apiKey.revoked_at,
    former_secrets_until: status === 'active' || status === 'expiring' ? apiKey.former_secrets_until : null,
  };
}

/** @throws OperatorError when there is no such tenant */
export async function namedTenant(db: Database, idOrEmail: string): Promise<TenantRow> {
  const tenant = await findTenantByIdOrEmail(db, idOrEmail);
  if (tenant) return tenant;
  const [participation] = await listParticipations(db, ALL_LANDLORDS, comparableEmail(idOrEmail), 1);
  throw new OperatorError(
    participation
      ? `${idOrEmail} has no account yet, but takes part; see ${commandLine(`application show ${participation.application_id}`)}`
      : `no tenant has the id or e-mail "${idOrEmail}"; list them with ${commandLine('tenant list')}`,
  );
}

/** The fields of a tenant in every output. */
export function tenantFields(row: TenantRow, now: Date) {
  const { id, email, name, profile_completed_at, profile_outdated_at, created_at } = row;
  return {
    tenant_id: id,
    email,
    name,
    onboarding_status: onboardingStatus(row, now),
    profile_completed_at,
    profile_outdated_at,
    created_at,
  };
}

/** The fields of an application in which a tenant takes part, in every output. */
export function participationFields(row: Participation) {
  return {
    application_id: row.application_id,
    title: row.title,
    is_lead: row.is_lead === 1,
    is_guarantor: row.is_guarantor === 1,
    consent_status: row.consent_status,
    created_at: row.created_at,
  };
}
