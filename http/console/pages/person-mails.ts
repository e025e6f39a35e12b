import { ValidationError } from '../../../core/errors.ts';
import { documentTypes } from '../../../core/rules/document-types.ts';
import { findListedApplication } from '../../../db/applications/application-lists.ts';
import { findActiveParticipant, lockAnyApplication } from '../../../db/applications/applications.ts';
import { type AuditAction, recordAudit } from '../../../db/audit/audit.ts';
import type { Transaction } from '../../../db/connection/database.ts';
import { inTransaction } from '../../../db/connection/transactions.ts';
import { askForDocument, mailLink } from '../../../jobs/invitations/person-mail.ts';
import { oneIn, textIn } from '../query.ts';
import { action, type Console, expectFound, type GoTo, type Visit } from '../route.ts';

type Participant = Awaited<ReturnType<typeof findActiveParticipant>>;

/** Applies an action to the participant whom the form names, and records it. */
async function toParticipant(
  { param, actor, form, now }: Visit,
  { db }: Console,
  audit: AuditAction,
  apply: (trx: Transaction, participant: Participant) => Promise<void>,
): Promise<string> {
  const { id } = expectFound(await findListedApplication(db, param('id')), 'Application');
  const email = textIn(form, 'email');
  if (email === undefined) throw new ValidationError([], 'Say which participant is meant.');
  await inTransaction(db, async (trx) => {
    await lockAnyApplication(trx, id);
    const participant = await findActiveParticipant(trx, id, email);
    await apply(trx, participant);
    await recordAudit(trx, actor, audit, participant.id, now);
  });
  return `applications/${id}`;
}

export const personMailActions = [
  action('/applications/:id/mail-link', async (visit, console): Promise<GoTo> => {
    const goTo = await toParticipant(visit, console, 'participant.mail-link', (trx, participant) =>
      mailLink(trx, console, participant, visit.now),
    );
    return { goTo, notice: 'link-mailed' };
  }),
  action('/applications/:id/ask-document', async (visit, console): Promise<GoTo> => {
    const [type, reason] = [oneIn(visit.form, 'type', documentTypes), textIn(visit.form, 'reason')];
    if (type === undefined || reason === undefined)
      throw new ValidationError([], 'Say which document is wanted, and why.');
    const goTo = await toParticipant(visit, console, 'participant.ask-document', (trx, participant) =>
      askForDocument(trx, console, participant, { type, reason }, visit.now),
    );
    return { goTo, notice: 'asked' };
  }),
];
