import { type Html, html } from '../../../../core/html.ts';
import {
  endPayment,
  MAX_PAYMENTS,
  openEnds,
  type PaymentRow,
  paymentEnds,
  recordPayment,
  TooManyPayments,
} from '../../../../db/applications/payments.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { audited } from '../../../../db/audit/audited.ts';
import { textIn } from '../../query.ts';
import { action, Refused, type Visit } from '../../route.ts';
import { actionForm, box, field, hidden } from '../../views/forms.ts';
import { badge, moment } from '../../views/parts.ts';
import { givenOne, givenText, isTicked } from '../given.ts';
import { agents, applicationOf, participantAction } from './application-actions.ts';

/** With a point or a comma before the cents. */
const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,2}))?$/;

/** The payments of a participant, and what can be done with each. */
export function paymentsOf(payments: readonly PaymentRow[], applicationId: string, visit: Visit): Html | undefined {
  if (payments.length === 0) return undefined;
  const { t } = visit;
  const items = payments.map(({ id, amount, status, is_protected, created_at }) => {
    const forms = openEnds(status).map((end) =>
      actionForm(visit, {
        to: `applications/${applicationId}/payment-end`,
        label: t.text(`payment.end.${end}`),
        fields: [hidden({ payment: id, end })],
      }),
    );
    return html`<li><b>${t.figure(Math.round(amount * 100))}</b> ${badge(status, t.text(`payment.${status}`))} ${is_protected === 1 ? t.text('payment.protected') : undefined} <span class="soft">${moment(created_at)}</span>${forms.length > 0 ? html`<div class="row">${forms}</div>` : undefined}</li>`;
  });
  return html`<h4>${t.text('payments')}</h4><ul class="plain">${items}</ul>`;
}

/** Records that a participant owes a payment. */
export function paymentForm(email: string, applicationId: string, visit: Visit): Html | undefined {
  const { t } = visit;
  const fields = [
    hidden({ email }),
    field('amount', t.text('payment.amount'), { hint: t.text('hint.amount'), isRequired: true }),
    box('protected', t.text('payment.protected')),
  ];
  return actionForm(visit, { to: `applications/${applicationId}/payment`, label: t.text('payment.record'), fields });
}

export const paymentActions = [
  participantAction('payment', async (trx, { application_id, email }, visit) => {
    const { form, t, actor, now } = visit;
    const [, whole, cents = '0'] = AMOUNT.exec(textIn(form, 'amount') ?? '') ?? [];
    const amount = Number(whole) + Number(cents.padEnd(2, '0')) / 100;
    if (!(amount > 0)) throw new Refused(400, t, 'refused.amount', {}, 'amount');
    const order = { applicationId: application_id, email, amount, isProtected: isTicked(visit, 'protected') };
    const payment = await recordPayment(trx, order, now).catch((error: unknown) => {
      throw error instanceof TooManyPayments ? new Refused(409, t, 'refused.payments', { limit: MAX_PAYMENTS }) : error;
    });
    await recordAudit(trx, actor, 'payment.record', payment.id, now);
    return 'payment-recorded';
  }),
  action('/applications/:id/payment-end', agents, async (visit, parts) => {
    const { t, actor, now } = visit;
    const { id } = await applicationOf(visit, parts);
    const payment = givenText(visit, 'payment', 'refused.payment');
    const end = givenOne(visit, 'end', paymentEnds, 'refused.payment');
    const isEnded = await audited(parts.db, actor, [`payment.${end}`, payment, now], (trx) =>
      endPayment(trx, { applicationId: id, id: payment }, end),
    );
    if (!isEnded) throw new Refused(409, t, 'refused.payment-end');
    return { goTo: `applications/${id}`, notice: 'payment-ended' };
  }),
];
