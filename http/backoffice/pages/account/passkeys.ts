import { type Html, html, isolated } from '../../../../core/html.ts';
import { listPasskeys, MAX_PASSKEYS } from '../../../../db/access/passkeys.ts';
import {
  addPasskey,
  type PasskeyOwner,
  passkeyCreation,
  removeOwnPasskey,
  renameOwnPasskey,
} from '../../../../jobs/access/passkeys.ts';
import { ownAction, type Parts, page, proven, Refused, type Visit } from '../../route.ts';
import { actionForm, type Field, field, hidden } from '../../views/forms.ts';
import { facts, link, moment } from '../../views/parts.ts';
import { passkeyForm } from '../../views/passkeys.ts';
import { givenName, givenText, MAX_NAME_LENGTH } from '../given.ts';
import { browserName } from './browser-name.ts';
import { everyone, ownOf } from './own.ts';

export const passkeyRoutes = [
  page('/account/add-passkey', proven(everyone), async (visit, parts) => {
    const { t, to, csrf } = visit;
    const { owner, sessions } = await ownOf(visit, parts);
    const creation = await passkeyCreation(parts, owner);
    const browser = (await sessions()).find(({ id }) => id === owner.sessionId)?.browser ?? null;
    const form = passkeyForm({
      action: to('account/add-passkey'),
      csrf,
      label: t.text('passkey.add'),
      failed: t.text('passkey.failed'),
      needs: { creation },
      fields: nameField(t, browserName(browser) ?? '').show(visit.refused),
    });
    const possible = html`<p class="lead">${t.text('passkey.add-text')}</p>
<p class="lead" data-without-passkeys>${t.text('passkey.unsupported')}</p>
${form}`;
    const main = html`${creation === undefined ? html`<p class="lead">${t.text('passkey.nowhere')}</p>` : possible}`;
    return {
      title: t.text('passkey.add'),
      above: [link(to('account'), t.text('account.title'))],
      main,
      hasPasskeys: true,
    };
  }),
  ownAction('/account/add-passkey', everyone, async (visit, parts) => {
    const { t, form } = visit;
    const name = givenName(visit);
    const { owner } = await ownOf(visit, parts);
    const isAdded = await addPasskey(parts, owner, name, form.get('credential') ?? '');
    if (!isAdded) throw new Refused(409, t, 'refused.passkey', { limit: MAX_PASSKEYS });
    return { goTo: 'account', notice: 'passkey-added' };
  }),
  ownAction('/account/rename-passkey', everyone, async (visit, parts) => {
    const [id, name] = [passkeyIn(visit), givenName(visit)];
    const { owner } = await ownOf(visit, parts);
    const isRenamed = await renameOwnPasskey(parts, owner, id, name);
    return { goTo: 'account', notice: isRenamed ? 'passkey-renamed' : 'unchanged' };
  }),
  ownAction('/account/remove-passkey', proven(everyone), async (visit, parts) => {
    const id = passkeyIn(visit);
    const { owner } = await ownOf(visit, parts);
    const isRemoved = await removeOwnPasskey(parts, owner, id);
    return { goTo: 'account', notice: isRemoved ? 'passkey-removed' : 'unchanged' };
  }),
];

const passkeyIn = (visit: Visit) => givenText(visit, 'passkey', 'refused.passkey-unknown');

function nameField(t: Visit['t'], value: string): Field {
  return field('name', t.text('passkey.name'), { value, isRequired: true, maxLength: MAX_NAME_LENGTH });
}

/** The part of the account's page that lists the passkeys. */
export async function passkeysOf(visit: Visit, { db }: Pick<Parts, 'db'>, owner: PasskeyOwner): Promise<Html> {
  const { t, to } = visit;
  const items = (await listPasskeys(db, owner)).map(({ id, name, created_at, used_at }) => {
    const own = hidden({ passkey: id });
    const rename = { to: 'account/rename-passkey', label: t.text('passkey.rename'), fields: [own, nameField(t, name)] };
    const remove = { to: 'account/remove-passkey', label: t.text('passkey.remove'), fields: [own] };
    return html`<li><h3>${isolated(name)}</h3>
${facts([
  [t.text('passkey.since'), moment(created_at)],
  [t.text('session.used'), moment(used_at) ?? t.text('passkey.unused')],
])}${actionForm(visit, rename)}
${actionForm(visit, { ...remove, final: { sure: t.rich('sure.passkey', { name }) } })}</li>`;
  });
  return html`<h2>${t.text('account.passkeys')}</h2>
<p class="lead">${t.text('account.passkeys-text')}</p>
${items.length > 0 ? html`<ul class="cards">${items}</ul>` : undefined}
<p><a class="button" href="${to('account/add-passkey')}">${t.text('passkey.add')}</a></p>`;
}
