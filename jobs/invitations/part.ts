import { NotFound } from '../../core/errors.ts';
import {
  findParticipant,
  lockAnyApplication,
  listCandidates as readCandidates,
  transferLead,
} from '../../db/applications/applications.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';
import { answerInPerson } from './consent.ts';

/** A person who takes part, behind their link. */
interface Member {
  participantId: string;
  applicationId: string;
}

/** A person who may lead from now on. Without a name, their address with most letters hidden. */
export async function listCandidates(db: Database, { applicationId }: Member): Promise<{ id: string; name: string }[]> {
  const found = await readCandidates(db, applicationId);
  return found.map(({ id, name, email }) => ({ id, name: name === '' ? masked(email) : name }));
}

function masked(email: string): string {
  const [mailbox = '', domain = ''] = email.split('@');
  return `${mailbox.slice(0, 1)}…@${domain}`;
}

/** Withdraws the person's consent. A no-op for a lead while another person can take over, and for a person who has not accepted. */
export function leaveApplication({ db, now }: Pick<Runtime, 'db' | 'now'>, member: Member): Promise<void> {
  return inTransaction(db, async (trx) => {
    const participant = await lockMember(trx, member);
    if (participant.consent_status !== 'accepted') return;
    if (participant.is_lead === 1 && (await readCandidates(trx, member.applicationId)).length > 0) return;
    await answerInPerson(trx, participant, 'rejected', now());
  });
}

/** Makes another person who has accepted the lead. A no-op for a person who does not lead. @throws NotFound */
export function handOverLead({ db, now }: Pick<Runtime, 'db' | 'now'>, member: Member, to: string): Promise<void> {
  return inTransaction(db, async (trx) => {
    const participant = await lockMember(trx, member);
    const next = (await readCandidates(trx, member.applicationId)).find(({ id }) => id === to);
    if (participant.is_lead !== 1 || !next) return;
    const moment = now();
    if (!(await transferLead(trx, next, moment))) return;
    const by = { kind: 'person', id: participant.id } as const;
    await recordAudit(trx, by, 'application.transfer-lead', member.applicationId, moment);
  });
}

async function lockMember(trx: Transaction, { participantId, applicationId }: Member) {
  await lockAnyApplication(trx, applicationId);
  const participant = await findParticipant(trx, participantId);
  if (!participant) throw new NotFound('Participant');
  return participant;
}
