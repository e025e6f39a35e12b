import { html } from '../../../../core/html.ts';
import { comparableEmail } from '../../../../core/rules/participants.ts';
import type { OneLandlord } from '../../../../db/connection/queries/scope.ts';
import {
  isAddress,
  isTitle,
  type ListedPerson,
  MAX_ADDRESS_LENGTH,
  MAX_PEOPLE,
  MAX_TITLE_LENGTH,
} from '../../../../jobs/invitations/application-table.ts';
import { createGroup } from '../../../../jobs/invitations/group.ts';
import { textIn } from '../../query.ts';
import { action, membersOnly, type Parts, page, Refused, type Visit } from '../../route.ts';
import { actionForm, box, field } from '../../views/forms.ts';
import { linkIn, sectionLink } from '../../views/parts.ts';
import { both, each, isTicked } from '../given.ts';
import { chosenKey, fieldOfKeys, newKey, openKeys } from '../key-choice.ts';
import { propertyField, propertyReader } from './property-choice.ts';

const agents = membersOnly('admin', 'agent');

export const createRoutes = [
  page('/applications/new', agents, async (visit, parts) => {
    const { t, scope } = visit;
    const people = Array.from({ length: MAX_PEOPLE }, (_, index) => {
      const label = index === 0 ? t.text('create.lead') : t.text('create.other', { number: index + 1 });
      const isRequired = index === 0;
      const address = field(addressField(index), label, {
        ...{ hint: t.text('hint.email'), type: 'email', isRequired, maxLength: MAX_ADDRESS_LENGTH },
      });
      const guarantor = box(guarantorField(index), t.text('create.guarantor', { number: index + 1 }));
      return index === 0 ? [address] : [address, guarantor];
    });
    const title = { hint: t.text('hint.title'), isRequired: true, maxLength: MAX_TITLE_LENGTH };
    const keyField = fieldOfKeys(visit, await openKeys(visit, parts));
    const choice = { landlordId: scope.landlordId, none: t.text('none'), chosen: textIn(visit.query, 'property') };
    const property = await propertyField(visit, parts, choice);
    const fields = [field('title', t.text('application.title'), title), property, ...people, keyField];
    const main = html`<p class="lead">${t.text('create.text')}</p>
<p>${linkIn(visit, 'applications/import', t.text('import.title'))}</p>
${actionForm(visit, { to: 'applications/new', label: t.text('create.button'), fields, isTall: true })}`;
    return { title: t.text('create.title'), above: [sectionLink(visit, 'applications')], main };
  }),
  action('/applications/new', agents, async (visit, parts) => {
    const keys = await openKeys(visit, parts);
    const property = await propertyReader(visit, parts, visit.scope.landlordId);
    const key = () => keys.length > 0 && chosenKey(visit, keys);
    const [title, [people, [propertyId]]] = both(
      () => titleIn(visit),
      () =>
        both(
          () => peopleIn(visit),
          () => both(property, key),
        ),
    );
    const created = await createFor(visit, parts, await keyFor(visit, parts), { title, people, propertyId });
    return { goTo: `applications/${created.id}`, notice: created.isNew ? 'created' : 'unchanged' };
  }),
];

interface Wanted {
  title: string;
  /** The lead first. */
  people: readonly ListedPerson[];
  propertyId?: string | null | undefined;
}

/** Creates an application for a member. The lead gets a link by mail like everyone else: no software shows it to them. */
export function createFor(
  { actor, now }: Visit<OneLandlord>,
  parts: Parts,
  apiKeyId: string,
  { title, people, propertyId }: Wanted,
): ReturnType<typeof createGroup> {
  const tenants = people.map(({ email, isGuarantor }, index) => ({
    email,
    is_lead: index === 0,
    is_guarantor: isGuarantor,
  }));
  const group = { apiKeyId, mailsLead: true, title, tenants, propertyId: propertyId ?? undefined };
  return createGroup(parts, group, actor, now);
}

const addressField = (index: number) => `email-${index + 1}`;
const guarantorField = (index: number) => `guarantor-${index + 1}`;

/** @throws Refused */
function titleIn({ form, t }: Visit): string {
  const title = textIn(form, 'title') ?? '';
  if (!isTitle(title)) throw new Refused(400, t, 'refused.title', {}, 'title');
  return title;
}

/** The lead's first. @throws Refusal */
function peopleIn(visit: Visit): ListedPerson[] {
  const { form, t } = visit;
  const earlier = new Set<string>();
  const all = each(
    Array.from({ length: MAX_PEOPLE }, (_, index) => index),
    (index) => {
      const name = addressField(index);
      const email = textIn(form, name);
      const isGuarantor = index > 0 && isTicked(visit, guarantorField(index));
      if (email === undefined && index === 0) throw new Refused(400, t, 'refused.lead', {}, name);
      if (email === undefined && isGuarantor) throw new Refused(400, t, 'refused.guarantor', {}, name);
      if (email === undefined) return [];
      if (!isAddress(email)) throw new Refused(400, t, 'refused.email', { email }, name);
      if (earlier.has(comparableEmail(email))) throw new Refused(400, t, 'refused.repeated-email', {}, name);
      earlier.add(comparableEmail(email));
      return [{ email, isGuarantor }];
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
