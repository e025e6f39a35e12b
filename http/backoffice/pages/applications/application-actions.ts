import { NotFound } from '../../../../core/errors.ts';
import { type Html, isolated } from '../../../../core/html.ts';
import { documentTypes } from '../../../../core/rules/document-types.ts';
import { findListedApplication } from '../../../../db/applications/application-lists.ts';
import {
  findActiveParticipant,
  lockAnyApplication,
  type ParticipantRow,
  transferLead,
} from '../../../../db/applications/applications.ts';
import { findInvite } from '../../../../db/applications/invites.ts';
import { recordAudit } from '../../../../db/audit/audit.ts';
import type { Transaction } from '../../../../db/connection/database.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { type Answer, recordConsent } from '../../../../jobs/invitations/consent.ts';
import { leaveGroup } from '../../../../jobs/invitations/group.ts';
import { retryInvite } from '../../../../jobs/invitations/invite.ts';
import { askForDocument, mailLink } from '../../../../jobs/invitations/person-mail.ts';
import type { NoticeName } from '../../notices.ts';
import { action, expectFound, operatorsAnd, type Parts, Refused, type Visit } from '../../route.ts';
import { linkIn, sectionLink } from '../../views/parts.ts';
import { both, givenOne, givenText } from '../given.ts';

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
