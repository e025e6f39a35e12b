import { type Html, html, isolated } from '../../../../core/html.ts';
import { apiKeyState, isInForce } from '../../../../db/access/api-key-states.ts';
import { type ListedApiKey, listApiKeys } from '../../../../db/access/api-keys.ts';
import { listWebhooks } from '../../../../db/webhooks/delivery-lists.ts';
import { PAGE_ROWS } from '../../query.ts';
import { membersOnly, operatorsAnd, page, type Visit } from '../../route.ts';
import { actionForm, choice, field } from '../../views/forms.ts';
import { badge, facts, link, linkIn, moment, sectionLink, shortId, table } from '../../views/parts.ts';
import { MAX_NAME_LENGTH } from '../given.ts';
import { MAX_KEYS } from '../key-choice.ts';
import { KEY_ENDS, keyActions } from './key-actions.ts';
import { keyOf } from './named.ts';
import { overlapField } from './secrets.ts';
import { webhookColumns } from './webhooks.ts';

/** The columns of a list of API keys. */
export function keyColumns({ t, to, now }: Visit) {
  const stateOf = (key: ListedApiKey) => apiKeyState(key, now);
  return [
    [t.text('name'), (key: ListedApiKey) => link(to(`keys/${key.client_id}`), isolated(key.name))],
    [t.text('state'), (key: ListedApiKey) => badge(stateOf(key), t.text(`key.${stateOf(key)}`))],
    ['client_id', (key: ListedApiKey) => shortId(key.client_id)],
    [t.text('key.last-used'), (key: ListedApiKey) => moment(key.last_used_at)],
    [t.text('created'), (key: ListedApiKey) => moment(key.created_at)],
  ] as const;
}

export const keyRoutes = [
  page('/keys', membersOnly('admin', 'developer'), async (visit, { db }) => {
    const { t, scope, now } = visit;
    const keys = await listApiKeys(db, scope, {}, MAX_KEYS, now);
    const about = { hint: t.text('hint.key'), isRequired: true, maxLength: MAX_NAME_LENGTH };
    const fields = [field('name', t.text('name'), about)];
    const main = html`<p class="lead">${t.text('keys.text')}</p>
${table(t.text('keys.caption'), keyColumns(visit), keys, t.text('keys.empty'))}
${visit.may('POST', 'keys') ? html`<h2>${t.text('key.new')}</h2>` : undefined}
${actionForm(visit, { to: 'keys', label: t.text('key.new'), fields })}`;
    return { title: t.text('section.keys'), main };
  }),
  page('/keys/:client_id', operatorsAnd('admin', 'developer'), async (visit, parts) => {
    const { to, now, scope, t } = visit;
    const key = await keyOf(visit, parts);
    const webhooks = await listWebhooks(parts.db, scope, { clientId: key.client_id }, PAGE_ROWS);
    const { address, state: webhookState, lastAttempt } = webhookColumns(visit);
    const state = apiKeyState(key, now);
    const landlord = () => link(to(`landlords/${key.landlord_id}`), isolated(key.landlord_name));
    const main = html`${facts([
      ['client_id', shortId(key.client_id)],
      [t.text('key.actor'), shortId(key.id)],
      [t.text('created'), moment(key.created_at)],
      [t.text('key.last-used'), moment(key.last_used_at)],
      [t.text('key.expires'), moment(key.expires_at)],
      [t.text('key.revoked-at'), moment(key.revoked_at)],
      [t.text('key.former-secrets'), moment(key.former_secrets_until)],
      [t.text('section.applications'), linkIn(visit, `applications?client_id=${key.client_id}`, t.text('see-them'))],
    ])}
<h2>${t.text('section.webhooks')}</h2>
${table(t.text('webhooks.caption'), [address, webhookState, lastAttempt], webhooks, t.text('webhooks.none-of-key'))}
${isInForce(key, now) ? changes(visit, key) : undefined}`;
    return {
      title: t.text('key.title', { name: key.name }),
      heading: html`${isolated(key.name)} ${badge(state, t.text(`key.${state}`))}`,
      above:
        scope.of === 'all landlords' ? [link(to('landlords'), 'Landlords'), landlord()] : [sectionLink(visit, 'keys')],
      main,
    };
  }),
  ...keyActions,
];

function changes(visit: Visit, { client_id, name }: ListedApiKey): Html | undefined {
  const { t } = visit;
  const here = `keys/${client_id}`;
  if (!visit.may('POST', `${here}/rotate`)) return undefined;
  const ends = KEY_ENDS.map((end) => [end, t.text(`end.${end}`)] as const);
  const confirm = field('confirm', t.text('key.confirm'), { isRequired: true });
  return html`<h2>${t.text('key.change')}</h2>
<p class="lead">${t.text('key.rotate-text')}</p>
${actionForm(visit, { to: `${here}/rotate`, label: t.text('secret.new'), fields: [overlapField(t, 'secret.old-key')] })}
${actionForm(visit, { to: `${here}/expiry`, label: t.text('key.set-end'), fields: [choice('end', t.text('key.end'), ends, '30d')] })}
<p class="lead">${t.text('key.revoke-text')}</p>
${actionForm(visit, { to: `${here}/revoke`, label: t.text('key.revoke'), fields: [confirm], final: { sure: t.rich('sure.key', { name }) } })}`;
}
