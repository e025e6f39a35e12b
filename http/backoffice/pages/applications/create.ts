import { html } from '../../../../core/html.ts';
import { comparableEmail } from '../../../../core/rules/participants.ts';
import { findLandlordSettings } from '../../../../db/access/landlord-settings.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import {
  isAddress,
  isTitle,
  MAX_ADDRESS_LENGTH,
  MAX_PEOPLE,
  MAX_TITLE_LENGTH,
} from '../../../../jobs/invitations/application-table.ts';
import { createGroup } from '../../../../jobs/invitations/group.ts';
import { textIn } from '../../query.ts';
import { action, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, field } from '../../views/forms.ts';
import { linkIn, sectionLink } from '../../views/parts.ts';
import { both, each } from '../given.ts';
import { chosenKey, fieldOfKeys, newKey, openKeys } from '../key-choice.ts';

const agents = membersOnly('admin', 'agent');

export const createRoutes = [
  page('/applications/new', agents, async (visit, parts) => {
    const { t } = visit;
    const people = Array.from({ length: MAX_PEOPLE }, (_, index) => {
      const label = index === 0 ? t.text('create.lead') : t.text('create.other', { number: index + 1 });
      const isRequired = index === 0;
      return field(addressField(index), label, {
        ...{ hint: t.text('hint.email'), type: 'email', isRequired, maxLength: MAX_ADDRESS_LENGTH },
      });
    });
    const title = { hint: t.text('hint.title'), isRequired: true, maxLength: MAX_TITLE_LENGTH };
    const keyField = fieldOfKeys(visit, await openKeys(visit, parts));
    const fields = [field('title', t.text('application.title'), title), people, keyField];
    const main = html`<p class="lead">${t.text('create.text')}</p>
<p>${linkIn(visit, 'applications/import', t.text('import.title'))}</p>
${actionForm(visit, { to: 'applications/new', label: t.text('create.button'), fields, isTall: true })}`;
    return { title: t.text('create.title'), above: [sectionLink(visit, 'applications')], main };
  }),
  action('/applications/new', agents, async (visit, parts) => {
    const { actor, now, scope } = visit;
    const keys = await openKeys(visit, parts);
    const [title, [emails]] = both(
      () => titleIn(visit),
      () =>
        both(
          () => addressesIn(visit),
          () => keys.length > 0 && chosenKey(visit, keys),
        ),
    );
    const apiKeyId = await keyFor(visit, parts);
    const { mails_lead: mailsLead } = await findLandlordSettings(parts.db, scope.landlordId);
    const tenants = emails.map((email, index) => ({ email, is_lead: index === 0 }));
    const created = await createGroup(parts, { apiKeyId, mailsLead, title, tenants }, actor, now);
    return { goTo: `applications/${created.id}`, notice: created.isNew ? 'created' : 'unchanged' };
  }),
];

const addressField = (index: number) => `email-${index + 1}`;

/** @throws Refused */
function titleIn({ form, t }: Visit): string {
  const title = textIn(form, 'title') ?? '';
  if (!isTitle(title)) throw new Refused(400, t, 'refused.title', {}, 'title');
  return title;
}

/** The lead's first. @throws Refusal */
function addressesIn({ form, t }: Visit): string[] {
  const earlier = new Set<string>();
  const all = each(
    Array.from({ length: MAX_PEOPLE }, (_, index) => addressField(index)),
    (name) => {
      const email = textIn(form, name);
      if (email === undefined && name === addressField(0)) throw new Refused(400, t, 'refused.lead', {}, name);
      if (email === undefined) return [];
      if (!isAddress(email)) throw new Refused(400, t, 'refused.email', { email }, name);
      if (earlier.has(comparableEmail(email))) throw new Refused(400, t, 'refused.repeated-email', {}, name);
      earlier.add(comparableEmail(email));
      return [email];
    },
  );
  return all.flat();
}

/** The chosen key. A landlord without an API key in force gets one for its desk, whose secret no one knows. */
export async function keyFor(visit: Visit<OneLandlord>, parts: Parts): Promise<string> {
  const keys = await openKeys(visit, parts);
  if (keys.length > 0) return chosenKey(visit, keys).id;
  return (await newKey(visit, parts, visit.t.text('desk.title'))).apiKey.id;
}
