import { NotFound, ValidationError } from '../../core/errors.ts';
import { newTimelessId } from '../../core/ids.ts';
import { comparableEmail } from '../../core/rules/participants.ts';
import type { TenantOfKey } from '../../core/rules/tenant-of-key.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { columnsOf, prepared } from '../connection/prepared.ts';
import { newestFirst } from '../connection/queries/newest-first.ts';
import { type AllLandlords, inScope, isInScope, type Scope } from '../connection/queries/scope.ts';
import { retried } from '../connection/transactions.ts';

export interface TenantRow {
  id: string;
  email: string;
  comparable_email: string;
  name: string;
  profile_completed_at: string | null;
  profile_outdated_at: string | null;
  created_at: string;
  /** When the person last took part in an application that has since been purged; null when there is none. */
  last_took_part_at: string | null;
}

const COLUMNS = columnsOf<TenantRow>({
  ...{ id: true, email: true, comparable_email: true, name: true, created_at: true },
  ...{ profile_completed_at: true, profile_outdated_at: true, last_took_part_at: true },
});

/**
 * Ownership of tenants, the only access rule: an API key may address a tenant while they are an active participant of one of its applications and have not
 * declined there. @throws NotFound
 */
export async function findTenant(db: Database, apiKeyId: string, tenantId: string): Promise<TenantRow> {
  const tenant = await tenantInForce(db, apiKeyId, tenantId);
  if (!tenant) throw new NotFound('Tenant');
  return tenant;
}

function tenantInForce(db: Database, apiKeyId: string, tenantId: string): Promise<TenantRow | undefined> {
  return db('tenants')
    .where('tenants.id', tenantId)
    .whereExists(
      participationsInForce(db)
        .where('applications.api_key_id', apiKeyId)
        .where('participants.comparable_email', db.ref('tenants.comparable_email'))
        .select(db.raw('1')),
    )
    .first();
}

function participationsInForce(db: Database) {
  return db('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .whereNull('participants.removed_at')
    .whereNot('participants.consent_status', 'rejected');
}

/** The API keys that may address a tenant, with the application by which each may. */
export function listKeysOfTenant(
  db: Database,
  tenantId: string,
): Promise<{ id: string; client_id: string; application_id: string }[]> {
  return participationsInForce(db)
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .join('api_keys', 'api_keys.id', 'applications.api_key_id')
    .where('tenants.id', tenantId)
    .orderBy(['applications.created_at', 'applications.id'])
    .select({ id: 'api_keys.id', client_id: 'api_keys.client_id', application_id: 'applications.id' });
}

const tenantById = prepared<TenantRow>(`select ${COLUMNS} from tenants where id = ?`);

/** @throws NotFound */
export async function getTenant(db: Database, tenantId: string): Promise<TenantRow> {
  const [tenant] = await tenantById(db, tenantId);
  if (!tenant) throw new NotFound('Tenant');
  return tenant;
}

/** Serializes decisions about a tenant's runs and documents. @throws NotFound when the tenant was erased */
export async function lockTenant(trx: Transaction, tenantId: string): Promise<void> {
  const tenant = await trx('tenants').where({ id: tenantId }).forNoKeyUpdate().first('id');
  if (!tenant) throw new NotFound('Tenant');
}

/**
 * Locks a tenant that the key may address. Declining and removal take the same lock before they end running checks, so none starts
 * afterwards. @throws NotFound
 */
export async function lockTenantOfKey(trx: Transaction, { tenant_id, api_key_id }: TenantOfKey): Promise<void> {
  await lockTenant(trx, tenant_id);
  await findTenant(trx, api_key_id, tenant_id);
}

/**
 * Locks the tenant of a participant who has declined or was removed. @returns undefined without an account, or while the application's key
 * may still address them
 */
export async function lockTenantBeyondKey(trx: Transaction, participantId: string): Promise<TenantOfKey | undefined> {
  const of = await trx('participants')
    .join('applications', 'applications.id', 'participants.application_id')
    .join('tenants', 'tenants.comparable_email', 'participants.comparable_email')
    .where('participants.id', participantId)
    .first({ tenant_id: 'tenants.id', api_key_id: 'applications.api_key_id' });
  if (!of) return undefined;
  await lockTenant(trx, of.tenant_id);
  const keys = await listKeysOfTenant(trx, of.tenant_id);
  return keys.some(({ id }) => id === of.api_key_id) ? undefined : of;
}

/** Adds the account of an e-mail address, or returns the existing one. */
export async function addTenant(
  trx: Transaction,
  person: { email: string; name: string },
  now: Date,
  id: string = newTimelessId(),
): Promise<{ tenant: TenantRow; created: boolean }> {
  const tenant: TenantRow = {
    id,
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

export async function setTenantName(trx: Transaction, id: string, name: string): Promise<void> {
  await trx('tenants').where({ id }).update({ name });
}

/**
 * Sets the columns from which `core/rules/onboarding` computes the given state. A completed profile may become outdated later; an outdated
 * one keeps its completion time.
 * @throws NotFound, ValidationError when that time is not in the future
 */
export async function setProfile(
  db: Database,
  tenantId: string,
  state: 'COMPLETED' | 'PENDING' | 'OUTDATED',
  now: Date,
  outdatedFrom?: Date,
): Promise<void> {
  if (outdatedFrom && (state !== 'COMPLETED' || outdatedFrom <= now))
    throw new ValidationError([{ field: 'outdated_from', message: 'must be a later moment of a COMPLETED profile.' }]);
  const moment = now.toISOString();
  const completed = db.raw<string>('coalesce(profile_completed_at, ?)', [moment]);
  const columns = {
    COMPLETED: { profile_completed_at: moment, profile_outdated_at: outdatedFrom?.toISOString() ?? null },
    PENDING: { profile_completed_at: null, profile_outdated_at: null },
    OUTDATED: { profile_completed_at: completed, profile_outdated_at: moment },
  };
  const changed = await retried(db, () => db('tenants').where({ id: tenantId }).update(columns[state]));
  if (changed === 0) throw new NotFound('Tenant');
}

const tenantByEither = prepared<TenantRow>(`select ${COLUMNS} from tenants where id = ? or comparable_email = ?`);

/** The account with an id or an e-mail address. */
export async function findTenantByIdOrEmail(db: Database, idOrEmail: string): Promise<TenantRow | undefined> {
  const key = comparableEmail(idOrEmail);
  const [tenant] = await tenantByEither(db, key, key);
  return tenant;
}

/** The same within a scope: for one landlord's keys, by the rule of `findTenant`. */
export async function findListedTenant(db: Database, scope: Scope, idOrEmail: string): Promise<TenantRow | undefined> {
  const tenant = await findTenantByIdOrEmail(db, idOrEmail);
  if (!tenant || scope.of === 'all landlords') return tenant;
  const mayAddress = participationsInForce(db)
    .where(inScope(scope, 'applications.api_key_id'))
    .where('participants.comparable_email', tenant.comparable_email);
  return (await mayAddress.first('participants.id')) ? tenant : undefined;
}

/**
 * The account behind a result of an API key, within a scope: for a landlord's keys, while that key may address the person. @returns undefined
 * also for a result without a key
 */
export async function findTenantOfResult(
  db: Database,
  scope: Scope,
  { tenant_id, api_key_id }: Pick<TenantOfKey, 'tenant_id'> & { api_key_id: string | null },
): Promise<TenantRow | undefined> {
  if (scope.of === 'all landlords') return db('tenants').where({ id: tenant_id }).first();
  if (api_key_id === null || !isInScope(scope, api_key_id)) return undefined;
  return tenantInForce(db, api_key_id, tenant_id);
}

/** Newest first. */
export function listTenants(
  db: Database,
  _scope: AllLandlords,
  limit: number,
  before?: { createdAt: string; id: string },
): Promise<TenantRow[]> {
  const behind = before ? db.raw('(created_at, id) < (?, ?)', [before.createdAt, before.id]) : db.raw('true');
  return db('tenants').where(behind).orderBy(newestFirst()).limit(limit);
}
