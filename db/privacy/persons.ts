import type { Knex } from 'knex';
import { NotFound } from '../../core/errors.ts';
import { comparableEmail } from '../../core/rules/participants.ts';
import type { ApplicationRow, ParticipantRow } from '../applications/applications.ts';
import { findTenantByIdOrEmail, type TenantRow } from '../applications/tenants.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { among } from '../connection/queries/many-values.ts';

/** A person known to the service by an account, by participations, or both. */
export interface Person {
  comparableEmail: string;
  account: TenantRow | undefined;
  participations: ParticipantRow[];
}

/** The scope of a person's data: the given API keys, or all keys. */
export interface Scope {
  apiKeyIds?: readonly string[];
}

/** A condition for `where`. */
export function within({ apiKeyIds }: Scope, column = 'api_key_id') {
  return (query: Knex.QueryBuilder): void => {
    if (apiKeyIds) query.whereIn(column, apiKeyIds);
  };
}

/** @throws NotFound when nothing is held about them */
export async function findPerson(db: Database, idOrEmail: string, scope: Scope = {}): Promise<Person> {
  const account = await findTenantByIdOrEmail(db, idOrEmail);
  const key = account?.comparable_email ?? comparableEmail(idOrEmail);
  const participations = await db('participants')
    .where({ comparable_email: key })
    .where((theirs) => {
      const { apiKeyIds } = scope;
      if (apiKeyIds) theirs.whereIn('application_id', db('applications').whereIn('api_key_id', apiKeyIds).select('id'));
    })
    .orderBy('id');
  if (!account && participations.length === 0) throw new NotFound('Person');
  return { comparableEmail: key, account, participations };
}

/** Locks applications first, then the account; a second read sees what was committed before the locks. @throws NotFound */
export async function lockPerson(trx: Transaction, idOrEmail: string, scope: Scope): Promise<Person> {
  const found = await findPerson(trx, idOrEmail, scope);
  const ids = found.participations.map(({ application_id }) => application_id);
  await trx('applications')
    .where(among(trx, 'id', ids))
    .orderBy('id')
    .forUpdate()
    .select('id');
  await trx('tenants').where({ comparable_email: found.comparableEmail }).forUpdate().select('id');
  return findPerson(trx, found.comparableEmail, scope);
}

export function findApplicationsOfPerson(db: Database, { participations }: Person): Promise<ApplicationRow[]> {
  const ids = [...new Set(participations.map(({ application_id }) => application_id))];
  return db('applications')
    .where(among(db, 'id', ids))
    .orderBy('id');
}

/** Third parties that hold personal data of a tenant, which an erasure here cannot reach. */
export interface Holders {
  /** The ids of landlords to whose webhooks an event was sent. */
  landlords: string[];
  providers: string[];
}

export async function findHolders(db: Database, tenantId: string | undefined, scope: Scope): Promise<Holders> {
  if (tenantId === undefined) return { landlords: [], providers: [] };
  const landlords = await db('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .where('events.tenant_id', tenantId)
    .where('deliveries.attempts', '>', 0)
    .where(within(scope, 'webhooks.api_key_id'))
    .distinct('api_keys.landlord_id')
    .orderBy('api_keys.landlord_id');
  const verifiedBy = (table: 'kyc_verifications' | 'eid_flows') =>
    db(table)
      .where({ tenant_id: tenantId })
      .where(within(scope))
      .whereNot({ provider: 'sandbox' })
      .distinct('provider')
      .pluck('provider');
  const providers = [...(await verifiedBy('kyc_verifications')), ...(await verifiedBy('eid_flows'))];
  return { landlords: landlords.map(({ landlord_id }) => landlord_id), providers: [...new Set(providers)].sort() };
}
