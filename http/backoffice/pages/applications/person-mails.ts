import { documentTypes } from '../../../../core/rules/document-types.ts';
import type { ParticipantRow } from '../../../../db/applications/applications.ts';
import { type AuditAction, recordAudit } from '../../../../db/audit/audit.ts';
import type { Transaction } from '../../../../db/connection/database.ts';
import { inTransaction } from '../../../../db/connection/transactions.ts';
import { askForDocument, mailLink } from '../../../../jobs/invitations/person-mail.ts';
import { oneIn, textIn } from '../../query.ts';
import { action, type GoTo, operatorsAnd, type Parts, Refused, type Visit } from '../../route.ts';
import { participantFinder } from './application-actions.ts';

/** Applies an action to the participant whom the form names, and records it. */
async function toParticipant(
  visit: Visit,
  parts: Parts,
  audit: AuditAction,
  apply: (trx: Transaction, participant: ParticipantRow) => Promise<void>,
): Promise<string> {
  const { id, find } = await participantFinder(visit, parts);
  await inTransaction(parts.db, async (trx) => {
    const participant = await find(trx);
    if (participant.consent_status === 'rejected') throw new Refused(409, visit.t, 'refused.declined');
    await apply(trx, participant);
    await recordAudit(trx, visit.actor, audit, participant.id, visit.now);
  });
  return `applications/${id}`;
}

const agents = operatorsAnd('admin', 'agent');

export const personMailActions = [
  action('/applications/:id/mail-link', agents, async (visit, parts): Promise<GoTo> => {
    const goTo = await toParticipant(visit, parts, 'participant.mail-link', (trx, participant) =>
      mailLink(trx, parts, participant, visit.now),
    );
    return { goTo, notice: 'link-mailed' };
  }),
  action('/applications/:id/ask-document', agents, async (visit, parts): Promise<GoTo> => {
    const goTo = await toParticipant(visit, parts, 'participant.ask-document', async (trx, participant) => {
      const [type, reason] = [oneIn(visit.form, 'type', documentTypes), textIn(visit.form, 'reason')];
      if (type === undefined || reason === undefined) throw new Refused(400, visit.t, 'refused.document');
      await askForDocument(trx, parts, participant, { type, reason }, visit.now);
    });
    return { goTo, notice: 'asked' };
  }),
];
