import { type Html, html } from '../../../../core/html.ts';
import {
  endPayment,
  openEnds,
  type PaymentRow,
  paymentEnds,
  recordPayment,
} from '../../../../db/applications/payments.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { oneIn, textIn } from '../../query.ts';
import { action, type GoTo, operatorsAnd, Refused, type Visit } from '../../route.ts';
import { actionForm, field, hidden } from '../../views/forms.ts';
import { badge, moment } from '../../views/parts.ts';
import { applicationOf, participantFinder } from './application-actions.ts';

const agents = operatorsAnd('admin', 'agent');
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
        fields: hidden({ payment: id, end }),
      }),
    );
    return html`<li><b>${t.figure(Math.round(amount * 100))}</b> ${badge(status, t.text(`payment.${status}`))} ${is_protected === 1 ? t.text('payment.protected') : undefined} <span class="soft">${moment(created_at)}</span>${forms}</li>`;
  });
  return html`<h4>${t.text('payments')}</h4><ul class="plain">${items}</ul>`;
}

/** Records that a participant owes a payment. */
export function paymentForm(email: string, applicationId: string, visit: Visit): Html | undefined {
  const { t } = visit;
  const fields = html`${hidden({ email })}${field('amount', t.text('payment.amount'), '', t.text('hint.amount'))}<label><input type="checkbox" name="protected" value="on"> ${t.text('payment.protected')}</label>`;
  return actionForm(visit, { to: `applications/${applicationId}/payment`, label: t.text('payment.record'), fields });
}

export const paymentActions = [
  action('/applications/:id/payment', agents, async (visit, parts): Promise<GoTo> => {
    const { form, t, actor, now } = visit;
    const { id, find } = await participantFinder(visit, parts);
    const [, whole, cents = '0'] = AMOUNT.exec(textIn(form, 'amount') ?? '') ?? [];
    const amount = Number(whole) + Number(cents.padEnd(2, '0')) / 100;
    if (!(amount > 0)) throw new Refused(400, t, 'refused.amount');
    await inTransaction(parts.db, async (trx) => {
      const { email } = await find(trx);
      const isProtected = form.get('protected') === 'on';
      const payment = await recordPayment(trx, { applicationId: id, email, amount, isProtected }, now);
      await recordAudit(trx, actor, 'payment.record', payment.id, now);
    });
    return { goTo: `applications/${id}`, notice: 'payment-recorded' };
  }),
  action('/applications/:id/payment-end', agents, async (visit, parts): Promise<GoTo> => {
    const { form, t, actor, now } = visit;
    const { id } = await applicationOf(visit, parts);
    const [payment, end] = [textIn(form, 'payment'), oneIn(form, 'end', paymentEnds)];
    if (payment === undefined || end === undefined) throw new Refused(400, t, 'refused.payment');
    const isEnded = await inTransaction(parts.db, async (trx) => {
      if (!(await endPayment(trx, { applicationId: id, id: payment }, end))) return false;
      await recordAudit(trx, actor, `payment.${end}`, payment, now);
      return true;
    });
    if (!isEnded) throw new Refused(409, t, 'refused.payment-end');
    return { goTo: `applications/${id}`, notice: 'payment-ended' };
  }),
];
