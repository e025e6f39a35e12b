import { Conflict, NotFound, ValidationError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { comparableEmail } from '../core/participants.ts';
import { findActiveParticipant, lockAnyApplication } from './applications.ts';
import type { Database, Transaction } from './connect.ts';
import type { LandlordRow, PaymentRow, PropertyRow, TenantRow, WorkspaceRow } from './rows.ts';

/** Makes whoever changes what a landlord lets take turns until the transaction ends. @throws NotFound */
export async function lockLandlord(trx: Transaction, id: string): Promise<LandlordRow> {
  const landlord = await trx('landlords').where({ id }).forNoKeyUpdate().first();
  if (!landlord) throw new NotFound('Landlord');
  return landlord;
}

/**
 * A new workspace, or the landlord's workspace of that UUID with its name changed. UUIDs are kept in lower case.
 * @throws Conflict when the UUID is taken by another landlord
 */
export async function addWorkspace(
  trx: Transaction,
  landlordId: string,
  name: string,
  now: Date,
  workspaceId: string = newId(),
): Promise<WorkspaceRow> {
  const workspace_id = workspaceId.toLowerCase();
  const [workspace] = await trx('workspaces')
    .insert({ workspace_id, landlord_id: landlordId, workspace_name: name, created_at: now.toISOString() })
    .onConflict('workspace_id')
    .merge({ workspace_name: name })
    .where('workspaces.landlord_id', landlordId)
    .returning('*');
  if (!workspace) throw new Conflict(`The workspace ${workspace_id} belongs to another landlord.`);
  return workspace;
}

/**
 * A new property, or the landlord's property of that id with the given fields changed and moved to the workspace. What
 * the fields leave out stays as it is.
 * @throws Conflict when the id is taken by another landlord
 */
export async function addProperty(
  trx: Transaction,
  workspace: WorkspaceRow,
  fields: Partial<Omit<PropertyRow, 'id' | 'workspace_internal_id'>>,
): Promise<PropertyRow> {
  const { property_id = newId(), ...rest } = fields;
  const columns = { ...rest, workspace_internal_id: workspace.id };
  const [property] = await trx('properties')
    .insert({ property_id, ...columns })
    .onConflict('property_id')
    .merge(columns)
    .whereIn(
      'properties.workspace_internal_id',
      trx('workspaces').where({ landlord_id: workspace.landlord_id }).select('id'),
    )
    .returning('*');
  if (!property) throw new Conflict(`The property ${property_id} belongs to another landlord.`);
  return property;
}

/**
 * A pending payment of an active participant. Whoever removes the participant at the same time waits.
 * @throws NotFound
 */
export async function recordPayment(
  trx: Transaction,
  input: { applicationId: string; email: string; amount: number; isProtected: boolean },
  now: Date,
): Promise<PaymentRow> {
  await lockAnyApplication(trx, input.applicationId);
  const participant = await findActiveParticipant(trx, input.applicationId, input.email);
  const payment: PaymentRow = {
    id: newId(),
    participant_id: participant.id,
    amount: input.amount,
    is_protected: input.isProtected ? 1 : 0,
    status: 'pending',
    created_at: now.toISOString(),
  };
  await trx('payments').insert(payment);
  return payment;
}

/**
 * Brings a tenant's profile into the state that `core/onboarding` shall compute from now on. A completed profile may go
 * out of date by itself at a later moment; one that goes out of date keeps the moment of its completion.
 * @throws NotFound, ValidationError when that moment is not later than now
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
  const changed = await db('tenants').where({ id: tenantId }).update(columns[state]);
  if (changed === 0) throw new NotFound('Tenant');
}

/** The account that a person means by an id or an e-mail address. */
export function findTenantByIdOrEmail(db: Database, idOrEmail: string): Promise<TenantRow | undefined> {
  const key = comparableEmail(idOrEmail);
  return db('tenants').where({ id: key }).orWhere({ comparable_email: key }).first();
}

/** The landlord's workspaces of a name; names need not differ. */
export function findWorkspacesByName(db: Database, landlordId: string, name: string): Promise<WorkspaceRow[]> {
  return db('workspaces').where({ landlord_id: landlordId, workspace_name: name });
}

/**
 * Forgets a property that no application is about.
 * @returns whether it was there, and was forgotten
 */
export async function deleteProperty(trx: Transaction, id: number): Promise<boolean> {
  const linked = trx('applications').where({ property_internal_id: id }).select('id');
  return (await trx('properties').where({ id }).whereNotExists(linked).delete()) === 1;
}
