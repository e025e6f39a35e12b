import { newWebhookSecret } from '@tenant-screening/webhook-tools/signatures';
import { ValidationError } from '../../../../core/errors.ts';
import { html } from '../../../../core/html.ts';
import { isInForce } from '../../../../db/access/api-key-states.ts';
import { listApiKeys } from '../../../../db/access/api-keys.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { addWebhook } from '../../../../jobs/webhooks/add-webhook.ts';
import { textIn } from '../../query.ts';
import { action, membersOnly, type Page, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, choice, field, hidden } from '../../views/forms.ts';
import { link } from '../../views/parts.ts';
import { MAX_KEYS } from '../key-choice.ts';
import { secretPage } from './secrets.ts';

const developers = membersOnly('admin', 'developer');

async function openKeys({ scope, now }: Visit<OneLandlord>, { db }: Pick<Parts, 'db'>) {
  return (await listApiKeys(db, scope, {}, MAX_KEYS, now)).filter((key) => isInForce(key, now));
}

export const newWebhookRoutes = [
  page('/webhooks/new', developers, async (visit, parts) => {
    const { t, to } = visit;
    const keys = await openKeys(visit, parts);
    const [only] = keys;
    const options = keys.map(({ client_id, name }) => [client_id, name] as const);
    const keyField =
      keys.length > 1
        ? choice('client_id', t.text('key'), options, only?.client_id ?? '')
        : only && hidden({ client_id: only.client_id });
    const fields = html`${field('url', t.text('address'), '', 'https://', 'url')}${keyField}`;
    const form = actionForm(visit, { to: 'webhooks/new', label: t.text('webhook.new'), fields, isTall: true });
    const main = html`<p class="crumbs">${link(to('webhooks'), t.text('section.webhooks'))}</p>
<h1>${t.text('webhook.new')}</h1>
<p class="lead">${t.text(only ? 'webhook.new-text' : 'webhook.needs-key')}</p>
${only ? form : undefined}`;
    return { title: t.text('webhook.new'), main };
  }),
  action('/webhooks/new', developers, async (visit, parts): Promise<Page> => {
    const { t, form, actor, now } = visit;
    const { limits } = parts;
    const url = textIn(form, 'url');
    if (url === undefined || !URL.canParse(url)) throw new Refused(400, t, 'refused.url');
    const key = (await openKeys(visit, parts)).find(({ client_id }) => client_id === textIn(form, 'client_id'));
    if (!key) throw new Refused(400, t, 'refused.key');
    const secret = newWebhookSecret();
    const id = await addWebhook(parts, { apiKeyId: key.id, url, secret }, actor, now).catch((error: unknown) => {
      if (error instanceof ValidationError) throw new Refused(400, t, 'refused.webhook', { limit: limits.webhooks });
      throw error;
    });
    return secretPage(visit, `webhooks/${id}`, { title: t.text('secret.of-webhook'), secret, formerUntil: null });
  }),
];
