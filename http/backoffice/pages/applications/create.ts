import { ValidationError } from '../../../../core/errors.ts';
import { html } from '../../../../core/html.ts';
import { findLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import { isAddress, isTitle, MAX_PEOPLE } from '../../../../jobs/invitations/application-table.ts';
import { createGroup } from '../../../../jobs/invitations/group.ts';
import { textIn } from '../../query.ts';
import { action, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, field } from '../../views/forms.ts';
import { linkIn, sectionLink } from '../../views/parts.ts';
import { givenText } from '../given.ts';
import { chosenKey, fieldOfKeys, newKey, openKeys } from '../key-choice.ts';

const agents = membersOnly('admin', 'agent');

export const createRoutes = [
  page('/applications/new', agents, async (visit, parts) => {
    const { t } = visit;
    const people = Array.from({ length: MAX_PEOPLE }, (_, index) => {
      const label = index === 0 ? t.text('create.lead') : t.text('create.other', { number: index + 1 });
      return field(`email-${index + 1}`, label, '', t.text('hint.email'), 'email');
    });
    const keyField = fieldOfKeys(visit, await openKeys(visit, parts));
    const fields = html`${field('title', t.text('application.title'), '', t.text('hint.title'))}${people}${keyField}`;
    const main = html`<p class="lead">${t.text('create.text')}</p>
<p>${linkIn(visit, 'applications/import', t.text('import.title'))}</p>
${actionForm(visit, { to: 'applications/new', label: t.text('create.button'), fields, isTall: true })}`;
    return { title: t.text('create.title'), above: [sectionLink(visit, 'applications')], main };
  }),
  action('/applications/new', agents, async (visit, parts) => {
    const { t, form, actor, now, scope } = visit;
    const title = textIn(form, 'title') ?? '';
    if (!isTitle(title)) throw new Refused(400, t, 'refused.title');
    const lead = givenText(visit, 'email-1', 'refused.lead');
    const others = Array.from({ length: MAX_PEOPLE - 1 }, (_, index) => textIn(form, `email-${index + 2}`));
    const emails = [lead, ...others.filter((email) => email !== undefined)];
    const wrong = emails.find((email) => !isAddress(email));
    if (wrong !== undefined) throw new Refused(400, t, 'refused.email', { email: wrong });
    const apiKeyId = await keyFor(visit, parts);
    const { mails_lead: mailsLead } = await findLandlordSettings(parts.db, scope.landlordId);
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    const group = { apiKeyId, mailsLead, title, tenants };
    const created = await createGroup(parts, group, actor, now).catch((error: unknown) => {
      if (error instanceof ValidationError) throw new Refused(400, t, 'refused.repeated-email');
      throw error;
    });
    return { goTo: `applications/${created.id}`, notice: created.isNew ? 'created' : 'unchanged' };
  }),
];

/** The chosen key. A landlord without an API key in force gets one for its desk, whose secret no one knows. */
export async function keyFor(visit: Visit<OneLandlord>, parts: Parts): Promise<string> {
  const keys = await openKeys(visit, parts);
  if (keys.length > 0) return chosenKey(visit, keys).id;
  return (await newKey(visit, parts, visit.t.text('desk.title'))).apiKey.id;
}
