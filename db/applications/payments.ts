import { Conflict } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Transaction } from '../connection/database.ts';
import { findActiveParticipant, lockAnyApplication } from './applications.ts';

/** How a payment ends: it was paid, it is no longer owed, or it was paid and given back. */
export const paymentEnds = ['settled', 'cancelled', 'refunded'] as const;
export type PaymentEnd = (typeof paymentEnds)[number];

/** The states from which each end is reached. */
const BEFORE: Record<PaymentEnd, readonly PaymentRow['status'][]> = {
  settled: ['pending', 'affected'],
  cancelled: ['pending', 'affected'],
  refunded: ['settled'],
};

/** The ends that a payment in this state can still reach. */
export function openEnds(status: PaymentRow['status']): PaymentEnd[] {
  return paymentEnds.filter((end) => BEFORE[end].includes(status));
}

export interface PaymentRow {
  id: string;
  participant_id: string;
  amount: number;
  is_protected: 0 | 1;
  /** `affected`: pending when its participant was removed. */
  status: 'pending' | 'affected' | PaymentEnd;
  created_at: string;
}

/** How many payments a participant may have: each page about their application shows all. */
export const MAX_PAYMENTS = 100;

/** The participant has as many payments as they may have. */
export class TooManyPayments extends Conflict {
  constructor() {
    super(`The participant has ${MAX_PAYMENTS} payments, as many as are kept.`);
  }
}

/** Locks the application: a concurrent removal of the participant waits. @throws NotFound, TooManyPayments */
export async function recordPayment(
  trx: Transaction,
  input: { applicationId: string; email: string; amount: number; isProtected: boolean },
  now: Date,
): Promise<PaymentRow> {
  await lockAnyApplication(trx, input.applicationId);
  const participant = await findActiveParticipant(trx, input.applicationId, input.email);
  const former = await trx('payments').where({ participant_id: participant.id }).limit(MAX_PAYMENTS).pluck('id');
  if (former.length >= MAX_PAYMENTS) throw new TooManyPayments();
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
 * Ends a payment of a participant of the application, present or former: afterwards a removal affects it no more.
 * @returns false when there is no such payment, or it cannot end like this any more
 */
export async function endPayment(
  trx: Transaction,
  { applicationId, id }: { applicationId: string; id: string },
  end: PaymentEnd,
): Promise<boolean> {
  const participants = trx('participants').where({ application_id: applicationId }).select('id');
  const ended = await trx('payments')
    .where({ id })
    .whereIn('participant_id', participants)
    .whereIn('status', [...BEFORE[end]])
    .update({ status: end });
  return ended === 1;
}

/** Marks a participant's pending payments as affected by the removal. @returns those payments */
export function affectPayments(trx: Transaction, participantId: string): Promise<Pick<PaymentRow, 'is_protected'>[]> {
  return trx('payments')
    .where({ participant_id: participantId, status: 'pending' })
    .update({ status: 'affected' })
    .returning('is_protected');
}
