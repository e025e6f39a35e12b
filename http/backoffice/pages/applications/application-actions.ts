import { NotFound } from '../../../../core/errors.ts';
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
import { oneIn, textIn } from '../../query.ts';
import { action, expectFound, type GoTo, operatorsAnd, type Parts, Refused, type Visit } from '../../route.ts';

const ANSWERS: readonly Answer[] = ['accepted', 'rejected'];

/** The application of the address, in the visitor's scope. @throws NotFound */
export async function applicationOf({ param, scope }: Visit, { db }: Pick<Parts, 'db'>) {
  return expectFound(await findListedApplication(db, scope, param('id')), 'Application');
}

/** Finds the participant whom the form names, and locks the application. @throws Refused, NotFound */
export async function participantFinder(
  visit: Visit,
  parts: Parts,
): Promise<{ id: string; find: (trx: Transaction) => Promise<ParticipantRow> }> {
  const { id } = await applicationOf(visit, parts);
  const email = textIn(visit.form, 'email');
  if (email === undefined) throw new Refused(400, visit.t, 'refused.participant');
  return {
    id,
    find: async (trx) => {
      await lockAnyApplication(trx, id);
      return findActiveParticipant(trx, id, email);
    },
  };
}

const agents = operatorsAnd('admin', 'agent');

export const applicationActions = [
  action('/applications/:id/consent', agents, async (visit, parts): Promise<GoTo> => {
    const { id, find } = await participantFinder(visit, parts);
    const answer = oneIn(visit.form, 'answer', ANSWERS);
    if (answer === undefined) throw new Refused(400, visit.t, 'refused.answer');
    const { former } = await recordConsent(parts, find, answer, visit.actor);
    const notice = answer === 'accepted' ? 'accepted' : 'declined';
    return { goTo: `applications/${id}`, notice: former === answer ? 'unchanged' : notice };
  }),
  action('/applications/:id/invite-again', agents, async (visit, parts): Promise<GoTo> => {
    const { id } = await applicationOf(visit, parts);
    const inviteId = textIn(visit.form, 'invite');
    if (inviteId === undefined) throw new Refused(400, visit.t, 'refused.invitation');
    const invite = expectFound(await findInvite(parts.db, inviteId), 'Invitation');
    if (invite.application_id !== id) throw new NotFound('Invitation');
    const refusal = await retryInvite(parts, invite, visit.actor);
    if (refusal !== undefined) throw new Refused(409, visit.t, 'refused.invite-again');
    return { goTo: `applications/${id}`, notice: 'invited' };
  }),
  action('/applications/:id/lead', agents, async (visit, parts): Promise<GoTo> => {
    const { id, find } = await participantFinder(visit, parts);
    const isChanged = await inTransaction(parts.db, async (trx) => {
      const participant = await find(trx);
      if (participant.consent_status === 'rejected') throw new Refused(409, visit.t, 'refused.declined');
      if (!(await transferLead(trx, participant, visit.now))) return false;
      await recordAudit(trx, visit.actor, 'application.transfer-lead', id, visit.now);
      return true;
    });
    return { goTo: `applications/${id}`, notice: isChanged ? 'lead' : 'unchanged' };
  }),
  action('/applications/:id/remove', agents, async (visit, parts): Promise<GoTo> => {
    const { id, find } = await participantFinder(visit, parts);
    await inTransaction(parts.db, async (trx) => {
      const participant = await find(trx);
      if (participant.is_lead) throw new Refused(409, visit.t, 'refused.lead-stays');
      await leaveGroup(trx, participant, visit.actor, visit.now);
    });
    return { goTo: `applications/${id}`, notice: 'removed' };
  }),
];
