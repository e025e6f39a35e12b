import { NotFound } from '../../../../core/errors.ts';
import { type Html, isolated } from '../../../../core/html.ts';
import { documentTypes } from '../../../../core/rules/document-types.ts';
import { oneLine } from '../../../../core/text.ts';
import { findListedApplication } from '../../../../db/applications/application-lists.ts';
import {
  findActiveParticipant,
  lockAnyApplication,
  type ParticipantRow,
  transferLead,
} from '../../../../db/applications/applications.ts';
import { findInvite } from '../../../../db/applications/invites.ts';
import { linkProperty } from '../../../../db/applications/linked-property.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { Transaction } from '../../../../db/connection/database.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { type Answer, recordConsent } from '../../../../jobs/invitations/consent.ts';
import { changeParticipant, leaveGroup } from '../../../../jobs/invitations/group.ts';
import { retryInvite } from '../../../../jobs/invitations/invite.ts';
import { askForDocument, mailLink } from '../../../../jobs/invitations/person-mail.ts';
import type { NoticeName } from '../../notices.ts';
import { action, expectFound, operatorsAnd, type Parts, Refused, type Visit } from '../../route.ts';
import { linkIn, sectionLink } from '../../views/parts.ts';
import { both, givenOne, givenText, isTicked } from '../given.ts';
import { GUARANTOR } from './part.ts';
import { givenProperty } from './property-choice.ts';

const ANSWERS: readonly Answer[] = ['accepted', 'rejected'];

export const agents = operatorsAnd('admin', 'agent');

/** The application of the address, in the visitor's scope. @throws NotFound */
export async function applicationOf({ param, scope }: Visit, { db }: Pick<Parts, 'db'>) {
  return expectFound(await findListedApplication(db, scope, param('id')), 'Application');
}

/** What is above a page about an application. */
export function aboveIn(visit: Visit, { id, title }: { id: string; title: string | null }): Html[] {
  const name = isolated(title || visit.t.text('application.untitled'));
  return [sectionLink(visit, 'applications'), linkIn(visit, `applications/${id}`, name)];
}

/** Finds the participant whom the form names, and locks the application. @throws Refused, NotFound */
export async function participantFinder(
  visit: Visit,
  parts: Parts,
): Promise<{ id: string; find: (trx: Transaction) => Promise<ParticipantRow> }> {
  const { id } = await applicationOf(visit, parts);
  const email = givenText(visit, 'email', 'refused.participant');
  return {
    id,
    find: async (trx) => {
      await lockAnyApplication(trx, id);
      return findActiveParticipant(trx, id, email);
    },
  };
}

/** Links a locked application to a property, or to none, and records it. @returns whether it changed */
export async function saveProperty(
  trx: Transaction,
  { actor, now }: Pick<Visit, 'actor' | 'now'>,
  applicationId: string,
  propertyId: string | null,
): Promise<boolean> {
  const isChanged = await linkProperty(trx, applicationId, propertyId, now);
  const act = propertyId === null ? 'application.unlink-property' : 'application.link-property';
  if (isChanged) await recordAudit(trx, actor, act, applicationId, now);
  return isChanged;
}

/** @throws Refused */
export function expectTakingPart({ consent_status }: ParticipantRow, { t }: Pick<Visit, 't'>): void {
  if (consent_status === 'rejected') throw new Refused(409, t, 'refused.declined');
}

type Act = (trx: Transaction, participant: ParticipantRow, visit: Visit, parts: Parts) => Promise<NoticeName>;

/** An action on the participant whom the form names, in a transaction that has locked the application. */
export function participantAction(name: string, act: Act) {
  return action(`/applications/:id/${name}`, agents, async (visit, parts) => {
    const { id, find } = await participantFinder(visit, parts);
    const notice = await inTransaction(parts.db, async (trx) => act(trx, await find(trx), visit, parts));
    return { goTo: `applications/${id}`, notice };
  });
}

const OUTCOMES = { unchanged: 'unchanged', changed: 'saved', 'role-mailed': 'role-mailed' } as const;

export const applicationActions = [
  action('/applications/:id/consent', agents, async (visit, parts) => {
    const { id, find } = await participantFinder(visit, parts);
    const answer = givenOne(visit, 'answer', ANSWERS, 'refused.answer');
    const { former } = await recordConsent(parts, find, answer, visit.actor);
    const notice = answer === 'accepted' ? 'accepted' : 'declined';
    return { goTo: `applications/${id}`, notice: former === answer ? 'unchanged' : notice };
  }),
  action('/applications/:id/invite-again', agents, async (visit, parts) => {
    const { id } = await applicationOf(visit, parts);
    const inviteId = givenText(visit, 'invite', 'refused.invitation');
    const invite = expectFound(await findInvite(parts.db, inviteId), 'Invitation');
    if (invite.application_id !== id) throw new NotFound('Invitation');
    const refusal = await retryInvite(parts, invite, visit.actor);
    if (refusal !== undefined) throw new Refused(409, visit.t, 'refused.invite-again');
    return { goTo: `applications/${id}`, notice: 'invited' };
  }),
  participantAction('lead', async (trx, participant, visit) => {
    expectTakingPart(participant, visit);
    if (!(await transferLead(trx, participant, visit.now))) return 'unchanged';
    await recordAudit(trx, visit.actor, 'application.transfer-lead', participant.application_id, visit.now);
    return 'lead';
  }),
  action('/applications/:id/property', agents, async (visit, parts) => {
    const { id, landlord_id } = await applicationOf(visit, parts);
    const propertyId = (await givenProperty(visit, parts, landlord_id)) ?? null;
    const isChanged = await inTransaction(parts.db, async (trx) => {
      await lockAnyApplication(trx, id);
      return saveProperty(trx, visit, id, propertyId);
    });
    return { goTo: `applications/${id}`, notice: isChanged ? 'saved' : 'unchanged' };
  }),
  participantAction('participant', async (trx, participant, visit, parts) => {
    const { form, t, actor, now } = visit;
    const typed = form.get('name') ?? '';
    const given = oneLine(typed);
    const limit = parts.limits.name;
    if (Array.from(given).length > limit) throw new Refused(400, t, 'refused.person-name', { limit }, 'name');
    // What has changed since the page was opened stays, unless the member changed it there.
    const name = typed === form.get('shown') ? undefined : given;
    const ticked = isTicked(visit, 'guarantor');
    const isGuarantor = form.has('role') && ticked === (form.get('role') === GUARANTOR) ? undefined : ticked;
    const change = { name, isGuarantor };
    const outcome = await changeParticipant(trx, parts, participant, change, actor, now);
    return OUTCOMES[outcome];
  }),
  participantAction('remove', async (trx, participant, { t, actor, now }) => {
    if (participant.is_lead) throw new Refused(409, t, 'refused.lead-stays');
    await leaveGroup(trx, participant, actor, now);
    return 'removed';
  }),
  participantAction('mail-link', async (trx, participant, visit, parts) => {
    expectTakingPart(participant, visit);
    await mailLink(trx, parts, participant, visit.now);
    await recordAudit(trx, visit.actor, 'participant.mail-link', participant.id, visit.now);
    return 'link-mailed';
  }),
  participantAction('ask-document', async (trx, participant, visit, parts) => {
    expectTakingPart(participant, visit);
    const [type, reason] = both(
      () => givenOne(visit, 'type', documentTypes, 'refused.document'),
      () => givenText(visit, 'reason', 'refused.document'),
    );
    await askForDocument(trx, parts, participant, { type, reason }, visit.now);
    await recordAudit(trx, visit.actor, 'participant.ask-document', participant.id, visit.now);
    return 'asked';
  }),
];
