import { ValidationError } from '../../../../core/errors.ts';
import { type Html, html } from '../../../../core/html.ts';
import { isInForce } from '../../../../db/access/api-key-states.ts';
import { createApiKey, type ListedApiKey, listApiKeys } from '../../../../db/access/api-keys.ts';
import { findLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import { addMemberKey } from '../../../../db/access/members.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { isAddress, isTitle, MAX_PEOPLE } from '../../../../jobs/invitations/application-table.ts';
import { createGroup } from '../../../../jobs/invitations/group.ts';
import { textIn } from '../../query.ts';
import { action, type GoTo, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, choice, field, hidden } from '../../views/forms.ts';
import { link, linkIn } from '../../views/parts.ts';
import { MAX_KEYS } from '../key-choice.ts';

const agents = membersOnly('admin', 'agent');

/** The keys under which the member can create an application. */
export async function openKeys({ scope, now }: Visit<OneLandlord>, { db }: Pick<Parts, 'db'>): Promise<ListedApiKey[]> {
  return (await listApiKeys(db, scope, {}, MAX_KEYS, now)).filter((key) => isInForce(key, now));
}

/** The choice among several keys. */
export function fieldOfKeys({ t }: Pick<Visit, 't'>, keys: readonly ListedApiKey[], chosen?: string): Html | undefined {
  const [first] = keys;
  if (keys.length < 2) return first && hidden({ client_id: first.client_id });
  const options = keys.map(({ client_id, name }) => [client_id, name] as const);
  return choice('client_id', t.text('key'), options, chosen ?? first?.client_id ?? '');
}

export const createRoutes = [
  page('/applications/new', agents, async (visit, parts) => {
    const { t, to } = visit;
    const keys = await openKeys(visit, parts);
    const others = Array.from({ length: MAX_PEOPLE - 1 }, (_, index) =>
      field(`email-${index + 2}`, t.text('create.other', { number: index + 2 }), '', t.text('hint.email'), 'email'),
    );
    const keyField = fieldOfKeys(visit, keys);
    const fields = html`${field('title', t.text('application.title'), '', t.text('hint.title'))}
${field('email-1', t.text('create.lead'), '', t.text('hint.email'), 'email')}${others}${keyField}`;
    const main = html`<p class="crumbs">${link(to('applications'), t.text('section.applications'))}</p>
<h1>${t.text('create.title')}</h1>
<p class="lead">${t.text('create.text')}</p>
<p>${linkIn(visit, 'applications/import', t.text('import.title'))}</p>
${actionForm(visit, { to: 'applications/new', label: t.text('create.button'), fields, isTall: true })}`;
    return { title: t.text('create.title'), main };
  }),
  action('/applications/new', agents, async (visit, parts): Promise<GoTo> => {
    const { t, form, actor, now, scope } = visit;
    const { db } = parts;
    const title = textIn(form, 'title') ?? '';
    if (!isTitle(title)) throw new Refused(400, t, 'refused.title');
    const emails = Array.from({ length: MAX_PEOPLE }, (_, index) => textIn(form, `email-${index + 1}`));
    const [lead] = emails;
    if (lead === undefined) throw new Refused(400, t, 'refused.lead');
    const given = emails.filter((email) => email !== undefined);
    const wrong = given.find((email) => !isAddress(email));
    if (wrong !== undefined) throw new Refused(400, t, 'refused.email', { email: wrong });
    const key = await keyFor(visit, parts);
    const { mails_lead } = await findLandlordSettings(db, scope.landlordId);
    const tenants = given.map((email, index) => ({ email, is_lead: index === 0 }));
    const group = { apiKeyId: key, mailsLead: mails_lead, title, tenants };
    const created = await createGroup(parts, group, actor, now).catch((error: unknown) => {
      if (error instanceof ValidationError) throw new Refused(400, t, 'refused.repeated-email');
      throw error;
    });
    return { goTo: `applications/${created.id}`, notice: created.isNew ? 'created' : 'unchanged' };
  }),
];

/** The chosen key. A landlord without an API key in force gets one for its desk, whose secret no one knows. */
export async function keyFor(visit: Visit<OneLandlord>, parts: Parts): Promise<string> {
  const { t, form, scope, actor, visitor, now } = visit;
  const keys = await openKeys(visit, parts);
  const chosen = keys.find(({ client_id }) => client_id === textIn(form, 'client_id'));
  if (chosen) return chosen.id;
  if (keys.length > 0) throw new Refused(400, t, 'refused.key');
  return inTransaction(parts.db, async (trx) => {
    const { apiKey } = await createApiKey(trx, scope.landlordId, t.text('desk.title'), now, { mode: parts.mode });
    await addMemberKey(trx, visitor.id, apiKey.id);
    await recordAudit(trx, actor, 'key.create', apiKey.id, now);
    return apiKey.id;
  });
}
