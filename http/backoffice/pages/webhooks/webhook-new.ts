import { newWebhookSecret } from '@tenant-screening/webhook-tools/signatures';
import { ValidationError } from '../../../../core/errors.ts';
import { html } from '../../../../core/html.ts';
import { addWebhook } from '../../../../jobs/webhooks/add-webhook.ts';
import { action, membersOnly, page, Refused } from '../../route.ts';
import { actionForm, field } from '../../views/forms.ts';
import { sectionLink } from '../../views/parts.ts';
import { both, givenText } from '../given.ts';
import { chosenKey, fieldOfKeys, openKeys } from '../key-choice.ts';
import { secretPage } from './secrets.ts';

const developers = membersOnly('admin', 'developer');

export const newWebhookRoutes = [
  page('/webhooks/new', developers, async (visit, parts) => {
    const { t } = visit;
    const keys = await openKeys(visit, parts);
    const url = field('url', t.text('address'), { hint: 'https://', type: 'url', isRequired: true });
    const fields = [url, fieldOfKeys(visit, keys)];
    const form = actionForm(visit, { to: 'webhooks/new', label: t.text('webhook.new'), fields, isTall: true });
    const main = html`<p class="lead">${t.text(keys.length > 0 ? 'webhook.new-text' : 'webhook.needs-key')}</p>
${keys.length > 0 ? form : undefined}`;
    return { title: t.text('webhook.new'), above: [sectionLink(visit, 'webhooks')], main };
  }),
  action('/webhooks/new', developers, async (visit, parts) => {
    const { t, actor, now } = visit;
    const { limits } = parts;
    const keys = await openKeys(visit, parts);
    const [url, key] = both(
      () => {
        const given = givenText(visit, 'url', 'refused.url');
        if (!URL.canParse(given)) throw new Refused(400, t, 'refused.url', {}, 'url');
        return given;
      },
      () => chosenKey(visit, keys),
    );
    const secret = newWebhookSecret();
    const id = await addWebhook(parts, { apiKeyId: key.id, url, secret }, actor, now).catch((error: unknown) => {
      if (error instanceof ValidationError)
        throw new Refused(400, t, 'refused.webhook', { limit: limits.webhooks }, 'url');
      throw error;
    });
    return secretPage(visit, `webhooks/${id}`, { secret, formerUntil: null });
  }),
];
