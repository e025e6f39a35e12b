import { NotFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { comparableEmail } from '../core/participants.ts';
import { inForce } from './api-key-states.ts';
import type { Database, Transaction } from './connect.ts';
import type { DocumentRow, TenantRow, WebhookRow } from './rows.ts';

/**
 * A tenant may be addressed by an API key while they are an active participant of one of its applications.
 * @throws NotFound
 */
export async function findTenant(db: Database, apiKeyId: string, tenantId: string): Promise<TenantRow> {
  const tenant = await db('tenants')
    .where('tenants.id', tenantId)
    .whereExists(
      activeParticipations(db)
        .where('applications.api_key_id', apiKeyId)
        .where('participants.comparable_email', db.ref('tenants.comparable_email')),
    )
    .first();
  if (!tenant) throw new NotFound('Tenant');
  return tenant;
}

/**
 * The webhooks that hear of a tenant: those of every API key in force that can address the tenant. None of them is deleted until
 * the transaction ends.
 */
export function findWebhooksOfTenant(db: Database, tenantId: string, now: Date): Promise<WebhookRow[]> {
  const keys = activeParticipations(db)
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where('tenants.id', tenantId)
    .clearSelect()
    .select('applications.api_key_id');
  return db('webhooks')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .where(inForce(now))
    .whereIn('webhooks.api_key_id', keys)
    .forKeyShare('webhooks')
    .select('webhooks.*');
}

function activeParticipations(db: Database) {
  return db('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .whereNull('participants.removed_at')
    .select(db.raw('1'));
}

/** @throws NotFound */
export async function getTenant(db: Database, tenantId: string): Promise<TenantRow> {
  const tenant = await db('tenants').where({ id: tenantId }).first();
  if (!tenant) throw new NotFound('Tenant');
  return tenant;
}

/**
 * Whoever decides something from a tenant's runs and documents makes others wait until the transaction ends.
 * @throws NotFound when the tenant was erased meanwhile
 */
export async function lockTenant(trx: Transaction, tenantId: string): Promise<void> {
  const tenant = await trx('tenants').where({ id: tenantId }).forNoKeyUpdate().first('id');
  if (!tenant) throw new NotFound('Tenant');
}

/** The account of an e-mail address; the existing one if there is one already. */
export async function addTenant(
  trx: Transaction,
  person: { email: string; name: string },
  now: Date,
): Promise<{ tenant: TenantRow; created: boolean }> {
  const tenant: TenantRow = {
    id: newId(),
    email: person.email,
    comparable_email: comparableEmail(person.email),
    name: person.name,
    profile_completed_at: null,
    profile_outdated_at: null,
    last_took_part_at: null,
    created_at: now.toISOString(),
  };
  const inserted = await trx('tenants').insert(tenant).onConflict('comparable_email').ignore().returning('id');
  if (inserted.length === 1) return { tenant, created: true };
  const existing = await trx('tenants').where({ comparable_email: tenant.comparable_email }).first();
  if (!existing) throw new Error('The tenant vanished while it was added.');
  return { tenant: existing, created: false };
}

export function findDocuments(db: Database, tenantId: string): Promise<DocumentRow[]> {
  return db('documents').where({ tenant_id: tenantId }).orderBy('created_at').orderBy('id');
}
