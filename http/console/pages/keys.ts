import { Conflict, ValidationError } from '../../../core/errors.ts';
import { html, isolated } from '../../../core/html.ts';
import { sentence } from '../../../core/text.ts';
import { apiKeyState, isInForce } from '../../../db/access/api-key-states.ts';
import { findListedApiKey } from '../../../db/access/api-keys.ts';
import { listWebhooks, webhookState } from '../../../db/webhooks/delivery-lists.ts';
import { revokeKey, rotateKey } from '../../../jobs/access/keys.ts';
import { PAGE_ROWS, textIn } from '../query.ts';
import { action, expectFound, type GoTo, type Page, page } from '../route.ts';
import { actionForm, choice, field } from '../views/forms.ts';
import { badge, code, facts, link, moment, table } from '../views/parts.ts';
import { OVERLAPS, overlapMs, secretPage } from './secrets.ts';

export const keyRoutes = [
  page('/keys/:client_id', async (visit, { db }) => {
    const { to, now } = visit;
    const key = expectFound(await findListedApiKey(db, visit.param('client_id'), now), 'API key');
    const webhooks = await listWebhooks(db, { clientId: key.client_id }, PAGE_ROWS);
    const here = `keys/${key.client_id}`;
    const main = html`<p class="crumbs">${link(to('landlords'), 'Landlords')} ${link(to(`landlords/${key.landlord_id}`), isolated(key.landlord_name))}</p>
<h1>${isolated(key.name)} ${badge(apiKeyState(key, now))}</h1>
${facts([
  ['client_id', code(key.client_id)],
  ['Actor in the audit log', code(key.id)],
  ['Created', moment(key.created_at)],
  ['Last used', moment(key.last_used_at)],
  ['Expires', moment(key.expires_at)],
  ['Revoked', moment(key.revoked_at)],
  ['Former secrets until', moment(key.former_secrets_until)],
  ['Applications', link(to(`applications?client_id=${key.client_id}`), 'See them')],
])}
<h2>Webhooks</h2>
${
  webhooks.length > 0
    ? table(
        'Its webhooks, newest first',
        ['Address', 'State', 'Last attempt'],
        webhooks.map((one) => [
          link(to(`webhooks/${one.id}`), isolated(one.url)),
          badge(webhookState(one)),
          moment(one.last_triggered_at),
        ]),
      )
    : html`<p class="lead">No webhooks.</p>`
}
${
  visit.account.role === 'operator' && isInForce(key, now)
    ? html`<h2>Change the key</h2>
<p class="lead">A new secret is shown once. The old one keeps working for the time you choose.</p>
${actionForm(visit, { to: `${here}/rotate`, label: 'Issue a new secret', fields: choice('overlap', 'The old secret stops working', OVERLAPS, '24h') })}
<p class="lead">Revoking is permanent: the key's secrets and tokens stop working, and its webhooks get nothing further.</p>
${actionForm(visit, { to: `${here}/revoke`, label: 'Revoke the key', fields: field('confirm', 'Type the client_id to confirm', ''), isFinal: true })}`
    : undefined
}`;
    return { title: `API key ${key.name}`, main };
  }),
  action('/keys/:client_id/rotate', async ({ param, actor, form, to }, console): Promise<Page> => {
    const clientId = param('client_id');
    const rotated = expectFound(await rotateKey(console, clientId, overlapMs(form), actor), 'API key');
    if (typeof rotated === 'string') throw new Conflict(sentence(`It got no new secret: ${rotated}`));
    const { clientSecret, apiKey } = rotated;
    return secretPage(
      to(`keys/${clientId}`),
      `New secret of ${apiKey.name}`,
      clientSecret,
      apiKey.former_secrets_until,
    );
  }),
  action('/keys/:client_id/revoke', async ({ param, actor, form, now }, console): Promise<GoTo> => {
    const key = expectFound(await findListedApiKey(console.db, param('client_id'), now), 'API key');
    if (textIn(form, 'confirm') !== key.client_id)
      throw new ValidationError([], 'Nothing was changed: type the client_id of the key to confirm.');
    return { goTo: `keys/${key.client_id}`, notice: (await revokeKey(console, key, actor)) ? 'revoked' : 'unchanged' };
  }),
];
