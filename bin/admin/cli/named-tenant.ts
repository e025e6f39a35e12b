import { onboardingStatus } from '../../../core/rules/onboarding.ts';
import { comparableEmail } from '../../../core/rules/participants.ts';
import { listParticipations, type Participation } from '../../../db/applications/application-lists.ts';
import type { TenantRow } from '../../../db/applications/tenants.ts';
import { findTenantByIdOrEmail } from '../../../db/applications/tenants.ts';
import type { Database } from '../../../db/connection/connect.ts';
import { OperatorError } from './faults.ts';
import { typed } from './run-command.ts';

/** @throws OperatorError when there is no such tenant */
export async function namedTenant(db: Database, idOrEmail: string): Promise<TenantRow> {
  const tenant = await findTenantByIdOrEmail(db, idOrEmail);
  if (tenant) return tenant;
  const [participation] = await listParticipations(db, comparableEmail(idOrEmail));
  throw new OperatorError(
    participation
      ? `${idOrEmail} has no account yet, but takes part; see ${typed(`application show ${participation.application_id}`)}`
      : `no tenant has the id or e-mail "${idOrEmail}"; list them with ${typed('tenant list')}`,
  );
}

/** What every output says of a tenant. */
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

/** What every output says of an application in which a tenant takes part. */
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
