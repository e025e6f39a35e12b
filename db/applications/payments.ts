import { newId } from '../../core/ids.ts';
import type { Transaction } from '../connection/database.ts';
import { findActiveParticipant, lockAnyApplication } from './applications.ts';

export interface PaymentRow {
  id: string;
  participant_id: string;
  amount: number;
  is_protected: 0 | 1;
  status: 'pending' | 'affected';
  created_at: string;
}

/** Locks the application: a concurrent removal of the participant waits. @throws NotFound */
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

/** Marks a participant's pending payments as affected by the removal. @returns those payments */
export function affectPayments(trx: Transaction, participantId: string): Promise<Pick<PaymentRow, 'is_protected'>[]> {
  return trx('payments')
    .where({ participant_id: participantId, status: 'pending' })
    .update({ status: 'affected' })
    .returning('is_protected');
}
