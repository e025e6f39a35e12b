import { Html, html, isolated } from '../../../../core/html.ts';
import { documentTypes } from '../../../../core/rules/document-types.ts';
import type { DeskMessage, DeskTexts } from '../../../../core/texts/desk-texts.ts';
import {
  type ListedApplication,
  type ListedParticipant,
  listParticipants,
} from '../../../../db/applications/application-lists.ts';
import type { InviteRow } from '../../../../db/applications/invites.ts';
import type { OpenErasureRequest } from '../../../../db/privacy/erasure-requests.ts';
import type { PageRoute, Parts, Visit } from '../../route.ts';
import { actionForm, box, choice, type Field, type Fields, field, hidden, opening } from '../../views/forms.ts';
import { english, facts, idLink, link, linkIn, moment, propertyPath, sectionLink, shortId } from '../../views/parts.ts';
import { type TimelineEntry, timeline } from '../../views/timeline.ts';
import { actsOn } from '../acts.ts';
import { applicationOf } from './application-actions.ts';
import { CHECKS } from './checks.ts';
import { erasureNote, erasuresIn } from './erasure.ts';
import { consentBadge, GUARANTOR, rolesOf } from './part.ts';
import { paymentForm, paymentsOf } from './payments.ts';
import { propertyField } from './property-choice.ts';
import { stepsOf } from './steps.ts';

const ACTS = [
  ...(['application.act.create', 'application.act.transfer-lead'] as const),
  ...(['application.act.link-property', 'application.act.unlink-property'] as const),
];

/** One application: its people, what can be done for them, and what happened. */
export const applicationPage: PageRoute<Parts>['handle'] = async (visit, parts) => {
  const { scope, t } = visit;
  const { db } = parts;
  const application = await applicationOf(visit, parts);
  const participants = await listParticipants(db, application.id);
  const acts = await actsOn(visit, db, application.id, ACTS);
  const { landlord_id: landlordId, property_id: chosen } = application;
  const property = await propertyField(visit, parts, { landlordId, none: t.text('none'), chosen });
  const erasures = await erasuresIn(visit, parts, { applicationId: application.id });
  const steps = await stepsOf(visit, parts, application, participants);
  const isOperator = scope.of === 'all landlords';
  const title = application.title || t.text('application.untitled');
  const main = html`${facts([
    [t.text('application'), shortId(application.id)],
    [
      t.text('landlord'),
      isOperator ? linkIn(visit, `landlords/${application.landlord_id}`, isolated(application.landlord_name)) : null,
    ],
    [t.text('key'), linkIn(visit, `keys/${application.client_id}`, isolated(application.api_key_name))],
    [t.text('property'), propertyOf(application, visit, property !== undefined)],
    [t.text('created'), moment(application.created_at)],
    [t.text('changed'), moment(application.updated_at)],
  ])}
<p class="ways">${ways(visit, application.id)}</p>
${property && choosing(visit, application.id, property)}
<h2>${t.text('application.participants')}</h2>
<ul class="cards">${participants.map((row) =>
    person(row, application, visit, {
      property,
      steps: steps(row),
      erasure: erasures.find(({ participant_id }) => participant_id === row.id),
    }),
  )}</ul>
<h2>${t.text('timeline.title')}</h2>
${timeline(t, [...participants.flatMap((row) => entriesOf(t, row)), ...acts])}`;
  return { title, heading: isolated(title), above: [sectionLink(visit, 'applications')], main };
};

/** Pages about the application that the visitor may open. */
function ways(visit: Visit, id: string): Html[] {
  const { to, t } = visit;
  return (['income', 'reports'] as const)
    .filter((page) => visit.may('GET', `applications/${id}/${page}`))
    .map((page) => link(to(`applications/${id}/${page}`), t.text(`application.${page}`)));
}

/** By its name, and by its id where it has none. Without any to link, the way to the landlord's properties. */
function propertyOf(
  { property_id, property_name }: ListedApplication,
  visit: Visit,
  hasProperties: boolean,
): Html | string {
  const none = visit.t.text('none');
  if (property_id === null) return hasProperties ? none : linkIn(visit, 'properties', none);
  const path = propertyPath(property_id);
  return property_name === null ? idLink(visit, path, property_id) : linkIn(visit, path, isolated(property_name));
}

function choosing(visit: Visit, applicationId: string, property: Field): Html | undefined {
  const label = visit.t.text('property.choose');
  const form = actionForm(visit, { to: `applications/${applicationId}/property`, label, fields: [property] });
  return form && opening(label, form, 'actions');
}

interface About {
  property: Field | undefined;
  steps: Html | undefined;
  erasure: OpenErasureRequest | undefined;
}

function person(
  row: ListedParticipant,
  application: ListedApplication,
  visit: Visit,
  { property, steps, erasure }: About,
): Html {
  const { t } = visit;
  const { email, name, invite, consent_status, removed_at, tenant_id } = row;
  const isOpen = removed_at === null;
  const who =
    tenant_id === null || (visit.scope.of === 'one landlord' && (!isOpen || consent_status === 'rejected'))
      ? isolated(name || email)
      : linkIn(visit, `people/${tenant_id}`, isolated(name || email));
  const roles = rolesOf(t, row);
  const about = [...(name ? [isolated(email)] : []), ...(roles.length > 0 ? [html`${t.list(roles)}`] : [])];
  return html`<li>
<h3>${who} ${consentBadge(t, isOpen ? consent_status : 'removed')}</h3>
${about.length > 0 ? html`<p class="soft">${about.map((one, index) => html`${index > 0 ? ' · ' : undefined}${one}`)}</p>` : undefined}
${invite?.failure == null ? undefined : html`<p class="note">${t.text('invitation')}: ${english(invite.failure) ?? undefined}</p>`}
${erasure && erasureNote(visit, erasure)}
${steps}
${paymentsOf(row.payments, application.id, visit)}
${isOpen ? actionsFor(row, application, visit, property) : undefined}
</li>`;
}

function actionsFor(
  { email, name, invite, consent_status, is_lead, is_guarantor, tenant_id }: ListedParticipant,
  { id: applicationId, property_id }: ListedApplication,
  visit: Visit,
  property: Field | undefined,
): Html | undefined {
  const { t } = visit;
  const person = hidden({ email });
  const form = (to: string, label: DeskMessage, fields: Fields, sure?: Html) =>
    actionForm(visit, {
      to: `applications/${applicationId}/${to}`,
      label: t.text(label),
      fields,
      ...(sure ? { final: { sure } } : {}),
    });
  const answers = (['accepted', 'rejected'] as const).map((one) => [one, t.text(`answer.${one}`)] as const);
  const kinds = documentTypes.map((type) => [type, t.text(`document.${type}`)] as const);
  const checks = CHECKS.map((check) => [check, t.text(`check.${check}`)] as const);
  const answer = [person, choice('answer', t.text('answer.label'), answers, 'accepted')];
  const wanted = [
    person,
    choice('type', t.text('document'), kinds, 'payslip'),
    field('reason', t.text('why'), { hint: t.text('hint.reason'), isRequired: true }),
  ];
  const part = [
    hidden({ email, shown: name, role: is_guarantor === 1 ? GUARANTOR : '' }),
    field('name', t.text('name'), { value: name }),
    box('guarantor', t.text('role.guarantor'), is_guarantor === 1),
  ];
  const check = [person, choice('check', t.text('check'), checks, 'kyc')];
  const canInvite = invite !== undefined && consent_status === 'pending' && invite.status !== 'pending';
  const takesPart = consent_status !== 'rejected';
  const forms = [
    form('consent', 'action.consent', answer),
    canInvite && form('invite-again', 'action.invite-again', [hidden({ invite: invite.id })]),
    takesPart && form('mail-link', 'action.mail-link', [person]),
    takesPart && form('ask-document', 'action.ask-document', wanted),
    takesPart && tenant_id !== null && form('check', 'action.check', check),
    takesPart && form('onboard', 'action.onboard', [person, property_id === null ? property : undefined]),
    form('participant', 'action.participant', part),
    paymentForm(email, applicationId, visit),
    takesPart && is_lead === 0 && form('lead', 'action.lead', [person]),
    is_lead === 0 && form('remove', 'action.remove', [person], t.rich('sure.person', { who: name || email })),
  ].filter((one) => one instanceof Html);
  if (forms.length === 0) return undefined;
  return opening(t.text('application.actions'), html`${forms}`, 'actions');
}

/** Later mails have the row of the invitation. */
function mailWords({ about }: Pick<InviteRow, 'about'>, ended: Exclude<InviteRow['status'], 'pending'>) {
  return about === null ? (`happened.${ended}` as const) : (`happened.mail.${ended}` as const);
}

function entriesOf(t: DeskTexts, row: ListedParticipant): TimelineEntry[] {
  const { email, name, invite, onboardingLink, removed_at, consent_status, profile_completed_at } = row;
  const who = name || email;
  return [
    {
      at: invite?.finished_at,
      what: invite && invite.status !== 'pending' ? t.rich(mailWords(invite, invite.status), { who }) : undefined,
      more: english(invite?.failure),
    },
    {
      at: invite?.answered_at,
      what: t.rich(consent_status === 'rejected' ? 'happened.declined' : 'happened.accepted', { who }),
    },
    { at: onboardingLink?.created_at, what: t.rich('happened.link', { who }) },
    { at: onboardingLink?.used_at, what: t.rich('happened.link-used', { who }) },
    { at: profile_completed_at, what: t.rich('happened.profile', { who }) },
    { at: removed_at, what: t.rich('happened.removed', { who }) },
  ];
}
