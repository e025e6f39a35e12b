import { newWebhookSecret } from '@tenant-screening/webhook-tools/signatures';
import { html } from '../../../../core/html.ts';
import { HOUR_MS, isoAfter } from '../../../../core/time.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { redeliverFailed } from '../../../../jobs/webhooks/redeliver.ts';
import { pause, remove, resume, rotateSecret, sendTest } from '../../../../jobs/webhooks/webhook-care.ts';
import { oneIn } from '../../query.ts';
import { action, operatorsAnd, proven, type Visit } from '../../route.ts';
import { choice, type Field } from '../../views/forms.ts';
import { english, facts, link, sectionLink } from '../../views/parts.ts';
import { givenText } from '../given.ts';
import { deliveryBadge, responseOf } from './delivery.ts';
import { webhookOf } from './named.ts';
import { redeliveryRefusal } from './refusals.ts';
import { secretPage, withOverlap } from './secrets.ts';

const HOURS = ['1', '24', '168'] as const;

/** How far back failed deliveries are sent again. */
export function windowField({ t }: Pick<Visit, 't'>): Field {
  const options = HOURS.map((hours) => [hours, t.text(`window.${hours}`)] as const);
  return choice('hours', t.text('window.label'), options, '24');
}

const developers = operatorsAnd('admin', 'developer');

/** A test sends the contract's example of this event, which names no one. Its `webhook-id`, which begins with `msg_test_`, tells it apart. */
const TEST_BODY = JSON.stringify({ event: 'EID_SUCCESS', data: null });

export const webhookActions = [
  action('/webhooks/:id/resume', developers, async (visit, parts) => {
    const { id } = await webhookOf(visit, parts);
    const resumed = await resume(parts, id, visit.actor);
    return { goTo: `webhooks/${id}`, notice: resumed === undefined ? 'unchanged' : 'resumed' };
  }),
  action('/webhooks/:id/pause', developers, async (visit, parts) => {
    const { id } = await webhookOf(visit, parts);
    const isPaused = await pause(parts, id, givenText(visit, 'reason', 'refused.reason'), visit.actor);
    return { goTo: `webhooks/${id}`, notice: isPaused ? 'paused' : 'unchanged' };
  }),
  action('/webhooks/:id/redeliver-failed', developers, async (visit, parts) => {
    const { id } = await webhookOf(visit, parts);
    const hours = Number(oneIn(visit.form, 'hours', HOURS) ?? 24);
    const outcome = await redeliverFailed(parts, id, new Date(isoAfter(visit.now, -hours * HOUR_MS)), visit.actor);
    if (typeof outcome === 'string') throw redeliveryRefusal(visit.t, outcome);
    return { goTo: `webhooks/${id}`, notice: outcome > 0 ? 'redelivered-failed' : 'nothing-failed' };
  }),
  action('/webhooks/:id/rotate-secret', proven(developers), async (visit, parts) => {
    const { id } = await webhookOf(visit, parts);
    const secret = newWebhookSecret();
    const rotated = await withOverlap(visit, (overlapMs) =>
      rotateSecret(parts, id, { secret, overlapMs }, visit.actor),
    );
    return secretPage(visit, `webhooks/${id}`, { secret, formerUntil: rotated?.formerUntil ?? null });
  }),
  action('/webhooks/:id/test', developers, async (visit, parts) => {
    const { t, to, actor, now } = visit;
    const webhook = await webhookOf(visit, parts);
    await inTransaction(parts.db, (trx) => recordAudit(trx, actor, 'webhook.test', webhook.id, now));
    const { statusCode, error, excerpt, durationMs } = await sendTest(parts, webhook, TEST_BODY);
    const main = html`${facts([
      [t.text('attempt.answer'), statusCode],
      [t.text('attempt.fault'), english(error)],
      [t.text('attempt.took'), t.text('seconds', { seconds: durationMs / 1000 })],
    ])}
<div class="pair">
<div><h4>${t.text('attempt.request')}</h4><pre tabindex="0" translate="no">POST ${webhook.url}

${TEST_BODY}</pre></div>
<div><h4>${t.text('attempt.response')}</h4>${responseOf(t, statusCode, excerpt)}</div>
</div>
<p>${link(to(`webhooks/${webhook.id}`), t.text('continue'))}</p>`;
    return {
      title: t.text('webhook.test'),
      heading: html`${t.text('webhook.test')} ${deliveryBadge(t, error === null ? 'delivered' : 'failed')}`,
      above: [sectionLink(visit, 'webhooks'), link(to(`webhooks/${webhook.id}`), new URL(webhook.url).host)],
      main,
    };
  }),
  action('/webhooks/:id/delete', developers, async (visit, parts) => {
    const { id } = await webhookOf(visit, parts);
    await remove(parts, id, visit.actor);
    return { goTo: 'webhooks', notice: 'deleted' };
  }),
];
