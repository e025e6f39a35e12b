import { newWebhookSecret } from '@tenant-screening/webhook-tools/signatures';
import { Conflict, ValidationError } from '../../../core/errors.ts';
import { html, isolated } from '../../../core/html.ts';
import { sentence } from '../../../core/text.ts';
import { HOUR_MS, isoAfter } from '../../../core/time.ts';
import {
  findListedWebhook,
  listWebhooks,
  MAX_COUNTED,
  webhookNumbers,
  webhookState,
  webhookStates,
} from '../../../db/webhooks/delivery-lists.ts';
import { redeliverFailed, redeliveryRefusals } from '../../../jobs/webhooks/redeliver.ts';
import { pause, resume, rotateSecret } from '../../../jobs/webhooks/webhook-care.ts';
import { oneIn, PAGE_ROWS, textIn } from '../query.ts';
import { action, expectFound, type GoTo, type Page, page } from '../route.ts';
import { actionForm, choice, field, filterForm } from '../views/forms.ts';
import { badge, code, counted, facts, link, moment, table } from '../views/parts.ts';
import { OVERLAPS, overlapMs, secretPage } from './secrets.ts';

export const webhookRoutes = [
  page('/webhooks', async ({ query, to, now }, { db }) => {
    const state = oneIn(query, 'status', webhookStates);
    const clientId = textIn(query, 'client_id');
    const found = await listWebhooks(db, { state, clientId }, PAGE_ROWS);
    const numbersOf = await webhookNumbers(
      db,
      found.map(({ id }) => id),
      now,
    );
    const rows = found.map((webhook) => {
      const { pending, held, failed } = numbersOf(webhook.id);
      return [
        link(to(`webhooks/${webhook.id}`), isolated(webhook.url)),
        badge(webhookState(webhook)),
        isolated(webhook.api_key_name),
        counted(pending + held, MAX_COUNTED),
        counted(failed, MAX_COUNTED),
        moment(webhook.last_triggered_at),
      ];
    });
    const states = [['', 'Any'] as const, ...webhookStates.map((one) => [one, one] as const)];
    const main = html`<h1>Webhooks</h1>
${filterForm(to('webhooks'), html`${choice('status', 'State', states, state ?? '')}${field('client_id', 'API key', clientId ?? '', 'client_id')}`)}
${rows.length > 0 ? table('Webhooks, newest first', ['Address', 'State', 'API key', 'Waiting', 'Failed', 'Last attempt'], rows) : html`<p class="lead">There are no such webhooks.</p>`}
${rows.length === PAGE_ROWS ? html`<p class="note">These are the newest ${PAGE_ROWS}. Narrow the list by state or key.</p>` : undefined}`;
    return { title: 'Webhooks', main };
  }),
  page('/webhooks/:id', async (visit, { db }) => {
    const { to, now } = visit;
    const webhook = expectFound(await findListedWebhook(db, visit.param('id')), 'Webhook');
    const numbers = (await webhookNumbers(db, [webhook.id], now))(webhook.id);
    const here = `webhooks/${webhook.id}`;
    const log = to(`deliveries?webhook=${webhook.id}`);
    const isPaused = webhook.paused_at !== null;
    const main = html`<p class="crumbs">${link(to('webhooks'), 'Webhooks')}</p>
<h1>${isolated(new URL(webhook.url).host)} ${badge(webhookState(webhook))}</h1>
${isPaused ? html`<p class="lead">Paused: ${isolated(webhook.pause_reason ?? '')}. Its deliveries are held, and nothing is lost.</p>` : undefined}
${isPaused ? actionForm(visit, { to: `${here}/resume`, label: 'Resume' }) : actionForm(visit, { to: `${here}/pause`, label: 'Pause', fields: field('reason', 'Reason', 'paused by an operator') })}
${numbers.failed > 0 && !isPaused ? actionForm(visit, { to: `${here}/redeliver-failed`, label: 'Redeliver failed deliveries', fields: choice('hours', 'Failed within', HOURS, '24') }) : undefined}
${facts([
  ['Address', isolated(webhook.url)],
  ['Webhook', code(webhook.id)],
  ['API key', link(to(`keys/${webhook.client_id}`), isolated(webhook.api_key_name))],
  ['Landlord', link(to(`landlords/${webhook.landlord_id}`), code(webhook.landlord_id))],
  ['Signed', webhook.sealed_secret === null ? 'no: it has no secret' : 'yes'],
  ['Former secrets sign until', moment(numbers.formerSecretsUntil)],
  ['Failing since', moment(webhook.failing_since)],
  ['Paused since', moment(webhook.paused_at)],
  ['Last attempt', moment(webhook.last_triggered_at)],
  ['Created', moment(webhook.created_at)],
  ['Waiting', link(`${log}&status=pending`, counted(numbers.pending, MAX_COUNTED))],
  ['Held', link(`${log}&status=held`, counted(numbers.held, MAX_COUNTED))],
  ['Failed', link(`${log}&status=failed`, counted(numbers.failed, MAX_COUNTED))],
])}
<p>${link(log, 'All deliveries')}</p>
${visit.account.role === 'operator' ? html`<h2>Signing secret</h2>` : undefined}
${actionForm(visit, { to: `${here}/rotate-secret`, label: 'Issue a new secret', fields: choice('overlap', 'The old secret stops signing', OVERLAPS, '24h') })}`;
    return { title: 'Webhook', main };
  }),
  action('/webhooks/:id/resume', async ({ param, actor }, console): Promise<GoTo> => {
    const { id } = expectFound(await findListedWebhook(console.db, param('id')), 'Webhook');
    const resumed = await resume(console, id, actor);
    return { goTo: `webhooks/${id}`, notice: resumed === undefined ? 'unchanged' : 'resumed' };
  }),
  action('/webhooks/:id/pause', async ({ param, actor, form }, console): Promise<GoTo> => {
    const { id } = expectFound(await findListedWebhook(console.db, param('id')), 'Webhook');
    const reason = textIn(form, 'reason');
    if (reason === undefined) throw new ValidationError([], 'Give a reason, for those who look later.');
    return { goTo: `webhooks/${id}`, notice: (await pause(console, id, reason, actor)) ? 'paused' : 'unchanged' };
  }),
  action('/webhooks/:id/redeliver-failed', async ({ param, actor, form, now }, console): Promise<GoTo> => {
    const { id } = expectFound(await findListedWebhook(console.db, param('id')), 'Webhook');
    const hours = Number(
      oneIn(
        form,
        'hours',
        HOURS.map(([value]) => value),
      ) ?? 24,
    );
    const outcome = await redeliverFailed(console, id, new Date(isoAfter(now, -hours * HOUR_MS)), actor);
    if (typeof outcome === 'string')
      throw new Conflict(sentence(`Nothing was sent again: ${redeliveryRefusals[outcome]}`));
    return { goTo: `webhooks/${id}`, notice: outcome > 0 ? 'redelivered-failed' : 'nothing-failed' };
  }),
  action('/webhooks/:id/rotate-secret', async ({ param, actor, form, to }, console): Promise<Page> => {
    const { id } = expectFound(await findListedWebhook(console.db, param('id')), 'Webhook');
    const secret = newWebhookSecret();
    const rotated = await rotateSecret(console, id, { secret, overlapMs: overlapMs(form) }, actor);
    return secretPage(to(`webhooks/${id}`), 'New secret of the webhook', secret, rotated?.formerUntil ?? null);
  }),
];

const HOURS = [
  ['1', 'an hour'],
  ['24', 'a day'],
  ['168', 'a week'],
] as const;
