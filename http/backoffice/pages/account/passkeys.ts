import { type Html, html, isolated } from '../../../../core/html.ts';
import { oneLine } from '../../../../core/text.ts';
import { listPasskeys, MAX_PASSKEYS } from '../../../../db/access/passkeys.ts';
import {
  addPasskey,
  type PasskeyOwner,
  passkeyCreation,
  removeOwnPasskey,
  renameOwnPasskey,
} from '../../../../jobs/access/passkeys.ts';
import { textIn } from '../../query.ts';
import { type GoTo, ownAction, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, field, hidden } from '../../views/forms.ts';
import { facts, link, moment } from '../../views/parts.ts';
import { passkeyForm } from '../../views/passkeys.ts';
import { browserName } from './browser-name.ts';
import { everyone, ownOf } from './own.ts';

const MAX_NAME_LENGTH = 100;

export const passkeyRoutes = [
  page(
    '/account/add-passkey',
    everyone,
    async (visit, parts) => {
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
        fields: field('name', t.text('passkey.name'), browserName(browser) ?? ''),
      });
      const possible = html`<p class="lead">${t.text('passkey.add-text')}</p>
<p class="lead" data-without-passkeys>${t.text('passkey.unsupported')}</p>
${form}`;
      const main = html`<p class="crumbs">${link(to('account'), t.text('account.title'))}</p>
<h1>${t.text('passkey.add')}</h1>
${creation === undefined ? html`<p class="lead">${t.text('passkey.nowhere')}</p>` : possible}`;
      return { title: t.text('passkey.add'), main, hasPasskeys: true };
    },
    { needsProof: true },
  ),
  ownAction('/account/add-passkey', everyone, async (visit, parts): Promise<GoTo> => {
    const { t, form } = visit;
    const name = passkeyNameIn(visit);
    const { owner } = await ownOf(visit, parts);
    const isAdded = await addPasskey(parts, owner, name, form.get('credential') ?? '');
    if (!isAdded) throw new Refused(409, t, 'refused.passkey', { limit: MAX_PASSKEYS });
    return { goTo: 'account', notice: 'passkey-added' };
  }),
  ownAction('/account/rename-passkey', everyone, async (visit, parts): Promise<GoTo> => {
    const [id, name] = [passkeyIn(visit), passkeyNameIn(visit)];
    const { owner } = await ownOf(visit, parts);
    const isRenamed = await renameOwnPasskey(parts, owner, id, name);
    return { goTo: 'account', notice: isRenamed ? 'passkey-renamed' : 'unchanged' };
  }),
  ownAction(
    '/account/remove-passkey',
    everyone,
    async (visit, parts): Promise<GoTo> => {
      const id = passkeyIn(visit);
      const { owner } = await ownOf(visit, parts);
      const isRemoved = await removeOwnPasskey(parts, owner, id);
      return { goTo: 'account', notice: isRemoved ? 'passkey-removed' : 'unchanged' };
    },
    { needsProof: true },
  ),
];

function passkeyIn({ form, t }: Visit): string {
  const id = textIn(form, 'passkey');
  if (id === undefined) throw new Refused(400, t, 'refused.passkey-unknown');
  return id;
}

function passkeyNameIn({ form, t }: Visit): string {
  const name = oneLine(textIn(form, 'name') ?? '');
  if (name === '' || name.length > MAX_NAME_LENGTH) throw new Refused(400, t, 'refused.name');
  return name;
}

/** The part of the account's page that lists the passkeys. */
export async function passkeysOf(visit: Visit, { db }: Pick<Parts, 'db'>, owner: PasskeyOwner): Promise<Html> {
  const { t, to } = visit;
  const items = (await listPasskeys(db, owner)).map(({ id, name, created_at, used_at }) => {
    const own = hidden({ passkey: id });
    return html`<li><h3>${isolated(name)}</h3>
${facts([
  [t.text('passkey.since'), moment(created_at)],
  [t.text('session.used'), moment(used_at) ?? t.text('passkey.unused')],
])}${actionForm(visit, { to: 'account/rename-passkey', label: t.text('passkey.rename'), fields: html`${own}${field('name', t.text('passkey.name'), name)}` })}
${actionForm(visit, { to: 'account/remove-passkey', label: t.text('passkey.remove'), fields: own, isFinal: true })}</li>`;
  });
  return html`<h2>${t.text('account.passkeys')}</h2>
<p class="lead">${t.text('account.passkeys-text')}</p>
${items.length > 0 ? html`<ul class="cards">${items}</ul>` : undefined}
<p><a class="button" href="${to('account/add-passkey')}">${t.text('passkey.add')}</a></p>`;
}
