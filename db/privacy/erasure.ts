import type { Knex } from 'knex';
import { Conflict } from '../../core/errors.ts';
import { idsOf, newId } from '../../core/ids.ts';
import { ERASED_EMAIL_PATTERN, erasedEmail, withoutPerson } from '../../core/rules/erased.ts';
import { comparableEmail } from '../../core/rules/participants.ts';
import { type ApplicationRow, type ParticipantRow, touchApplication } from '../applications/applications.ts';
import type { Database, Transaction } from '../connection/database.ts';
import { among } from '../connection/queries/many-values.ts';
import { rememberCoApplicants } from '../documents/co-applicants.ts';
import type { DeletedDocument } from '../documents/documents.ts';
import { documentsWithin } from '../documents/removed-documents.ts';
import { takePiecesOf } from '../documents/upload-pieces.ts';
import { deleteReportsOfApplication } from '../reports/reports.ts';
import { purgeDeliveries } from '../webhooks/old-events.ts';
import { closeErasureRequests, forgetReasons, openErasureRequest } from './erasure-requests.ts';
import { type Scope, within } from './persons.ts';

/** What an erasure deleted, and what remains to be done after the commit. */
export interface Erasure {
  counts: Record<string, number>;
  /** Invitations whose mails name the person. */
  mailIds: string[];
  documents: DeletedDocument[];
}

/**
 * Deletes an account with everything that refers to it; within a scope the account stays. The caller has locked the account, and rows of work are locked before
 * the rows that refer to them: concurrent inserts wait, and then fail because their parent is gone.
 */
export async function eraseAccount(trx: Transaction, tenantId: string, scope: Scope): Promise<Erasure> {
  const ofTenant = (of: Knex.QueryBuilder) => void of.where({ tenant_id: tenantId }).where(within(scope));
  const locked = async (table: 'kyc_verifications' | 'eid_flows' | 'forensic_runs' | 'bank_connections') =>
    idsOf(await trx(table).where(ofTenant).orderBy('id').forUpdate().select('id'));
  const kyc = await locked('kyc_verifications');
  const eid = await locked('eid_flows');
  const runs = await locked('forensic_runs');
  const banks = await locked('bank_connections');
  const events = await trx('events').where(ofTenant).pluck('id');
  const deliveries = await purgeDeliveries(trx, events);
  const remove = (table: string, column: string, ids: string[]): Promise<number> =>
    trx(table)
      .where(among(trx, column, ids))
      .delete();
  await remove('event_bodies', 'id', events);
  const theirs = trx('documents').where({ tenant_id: tenantId }).where(documentsWithin(scope));
  const documents = await theirs.select('id', 'sha256', 'created_at');
  const ids = idsOf(documents);
  const counts = {
    deliveries: deliveries.ids.length,
    delivery_attempts: deliveries.attempts,
    events: await remove('events', 'id', events),
    eid_attempts: await remove('eid_attempts', 'flow_id', eid),
    eid_flows: await remove('eid_flows', 'id', eid),
    kyc_verifications: await remove('kyc_verifications', 'id', kyc),
    finding_decisions: await remove('finding_decisions', 'run_id', runs),
    forensic_runs: await remove('forensic_runs', 'id', runs),
    bank_connections: await remove('bank_connections', 'id', banks),
    looks: await trx('looks').where(ofTenant).delete(),
    document_fingerprints: await remove('document_fingerprints', 'document_id', ids),
    documents: await remove('documents', 'id', ids),
    tenants: scope.apiKeyIds ? 0 : await trx('tenants').where({ id: tenantId }).delete(),
  };
  const deleted = documents.map(({ sha256, created_at }) => ({ sha256, createdAt: created_at }));
  return { counts, mailIds: [], documents: deleted };
}

/**
 * Removes a person from an application that the caller has locked; with its last active person, the application goes with everyone.
 * @throws Conflict when that would forget a person whose own request for erasure is open
 */
export async function eraseFromApplication(
  trx: Transaction,
  application: ApplicationRow,
  person: { comparableEmail: string; names: readonly string[] },
  now: Date,
): Promise<Erasure> {
  const { id, title } = application;
  const everyone = await trx('participants').where({ application_id: id }).orderBy('position').forUpdate();
  const isTheirs = ({ comparable_email }: ParticipantRow) => comparable_email === person.comparableEmail;
  const theirs = everyone.filter(isTheirs);
  const others = everyone.filter((row) => !isTheirs(row) && row.removed_at === null);
  // Mails to the other participants contain the title and the inviter.
  const mailIds = await trx('invites').whereIn('participant_id', idsOf(everyone)).pluck('id');
  await closeErasureRequests(trx, idsOf(theirs), { outcome: 'erased', reason: null }, now);
  if (others.length === 0) await refuseWhileOthersAsk(trx, id);
  const reports = await deleteReportsOfApplication(trx, id);
  if (others.length === 0) {
    const documents = await takePiecesOf(trx, idsOf(everyone), now);
    const gone = await deleteParticipants(trx, everyone, now);
    await trx('applications').where({ id }).delete();
    return { counts: { applications: 1, reports, ...gone }, mailIds, documents };
  }
  const documents = await takePiecesOf(trx, idsOf(theirs), now);
  await rememberParticipation(trx, idsOf(theirs), now);
  const forgotten = await clearLinks(trx, theirs);
  const payments = await trx('payments').whereIn('participant_id', idsOf(theirs)).select('id');
  for (const participant of theirs) await anonymizeParticipant(trx, participant, now);
  if (theirs.some((row) => row.is_lead === 1 && row.removed_at === null)) await nameLead(trx, others);
  const kept = withoutPerson(title, {
    emails: [person.comparableEmail, ...theirs.map(({ email }) => email)],
    names: person.names,
  });
  if (kept !== title) await trx('applications').where({ id }).update({ title: kept });
  if (kept !== title || theirs.some(({ removed_at }) => removed_at === null)) await touchApplication(trx, id, now);
  const counts = {
    ...forgotten,
    reports,
    participants_made_nobody: theirs.length,
    payments_of_nobody: payments.length,
    titles_changed: kept === title ? 0 : 1,
  };
  return { counts, mailIds, documents };
}

export async function deleteParticipants(
  trx: Transaction,
  participants: readonly Pick<ParticipantRow, 'id'>[],
  now: Date,
): Promise<Erasure['counts']> {
  await rememberParticipation(trx, idsOf(participants), now);
  const links = await clearLinks(trx, participants);
  const payments = await trx('payments').whereIn('participant_id', idsOf(participants)).delete();
  const deleted = await trx('participants').whereIn('id', idsOf(participants)).delete();
  return { ...links, payments, participants: deleted };
}

async function refuseWhileOthersAsk(trx: Transaction, applicationId: string): Promise<void> {
  const asking = await trx('participants')
    .where({ application_id: applicationId })
    .whereExists(openErasureRequest(trx))
    .first('email');
  if (asking)
    throw new Conflict(
      `${asking.email} asked for erasure, too, and was removed from an application that would be erased with this person. Answer that request first.`,
    );
}

/** What must be known of participations that are about to be forgotten, for the accounts that stay. */
async function rememberParticipation(trx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  await rememberCoApplicants(trx, ids);
  await rememberLastParticipation(trx, ids, now);
}

/** The retention of accounts starts when their person last took part. */
async function rememberLastParticipation(trx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  const rows = await trx('participants')
    .whereIn('id', ids)
    .orderBy('comparable_email')
    .select('comparable_email', 'removed_at');
  for (const { comparable_email, removed_at } of rows) {
    const last = removed_at ?? now.toISOString();
    await trx('tenants')
      .where({ comparable_email })
      .where((earlier) => earlier.whereNull('last_took_part_at').orWhere('last_took_part_at', '<', last))
      .update({ last_took_part_at: last });
  }
}

async function clearLinks(trx: Transaction, participants: readonly Pick<ParticipantRow, 'id'>[]) {
  const ids = idsOf(participants);
  await forgetReasons(trx, ids);
  const links = await trx('onboarding_links').whereIn('participant_id', ids).delete();
  await trx('document_requests').whereIn('participant_id', ids).delete();
  await trx('former_links').whereIn('participant_id', ids).delete();
  const invites = await trx('invites').whereIn('participant_id', ids).delete();
  return { invites, onboarding_links: links };
}

/** Payments stay on record, under a removed participant without a name. */
async function anonymizeParticipant(trx: Transaction, { id, removed_at }: ParticipantRow, now: Date): Promise<void> {
  const email = erasedEmail(newId());
  await trx('participants')
    .where({ id })
    .update({
      email,
      comparable_email: comparableEmail(email),
      name: '',
      is_lead: 0,
      is_guarantor: 0,
      consent_status: 'pending',
      removed_at: removed_at ?? now.toISOString(),
    });
  await trx('payments').where({ participant_id: id, status: 'pending' }).update({ status: 'affected' });
}

/** The longest-standing participant who has not declined, or the longest-standing one when all have. */
async function nameLead(trx: Transaction, others: readonly ParticipantRow[]): Promise<void> {
  const nextLead = others.find(({ consent_status }) => consent_status !== 'rejected') ?? others[0];
  if (nextLead) await trx('participants').where({ id: nextLead.id }).update({ is_lead: 1 });
}

/** Whether a person was erased from an application, or the whole application was. */
export async function hasErased(db: Database, applicationId: string): Promise<boolean> {
  if (!(await db('applications').where({ id: applicationId }).first('id'))) return true;
  const erased = db('participants')
    .where({ application_id: applicationId })
    .whereLike('comparable_email', ERASED_EMAIL_PATTERN);
  return (await erased.first('id')) !== undefined;
}

export function together(parts: readonly Erasure[]): Erasure {
  const counts: Record<string, number> = {};
  for (const part of parts)
    for (const [kind, count] of Object.entries(part.counts)) counts[kind] = (counts[kind] ?? 0) + count;
  return {
    counts,
    mailIds: parts.flatMap(({ mailIds }) => mailIds),
    documents: parts.flatMap(({ documents }) => documents),
  };
}
