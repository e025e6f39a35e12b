import { newId } from '../core/ids.ts';
import { findActiveParticipant } from './applications.ts';
import type { Database, Transaction } from './connect.ts';
import type { PaymentRow, PropertyRow, WorkspaceRow } from './rows.ts';

export async function addWorkspace(
  trx: Transaction,
  landlordId: string,
  name: string,
  now: Date,
): Promise<WorkspaceRow> {
  const [row] = await trx('workspaces')
    .insert({ workspace_id: newId(), landlord_id: landlordId, workspace_name: name, created_at: now.toISOString() })
    .returning('*');
  if (!row) throw new Error('no row');
  return row;
}
export async function addProperty(
  trx: Transaction,
  workspace: WorkspaceRow,
  fields: Partial<Omit<PropertyRow, 'id' | 'workspace_internal_id'>>,
): Promise<PropertyRow> {
  const [row] = await trx('properties')
    .insert({ property_id: newId(), ...fields, workspace_internal_id: workspace.id })
    .returning('*');
  if (!row) throw new Error('no row');
  return row;
}
export async function recordPayment(
  trx: Transaction,
  input: { applicationId: string; email: string; amount: number; isProtected: boolean },
  now: Date,
): Promise<PaymentRow> {
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
export async function setProfile(
  db: Database,
  tenantId: string,
  state: 'COMPLETED' | 'PENDING' | 'OUTDATED',
  now: Date,
): Promise<void> {
  const moment = now.toISOString();
  await db('tenants')
    .where({ id: tenantId })
    .update({
      profile_completed_at: state === 'PENDING' ? null : moment,
      profile_outdated_at: state === 'OUTDATED' ? moment : null,
    });
}
