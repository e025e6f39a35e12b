import { Conflict } from '../../core/errors.ts';
import { REFUSALS } from '../../core/messages.ts';
import { checkRequestedTenants } from '../../core/rules/participants.ts';
import { lockApiKey } from '../../db/access/api-keys.ts';
import {
  type ApplicationRow,
  findSameApplication,
  insertApplication,
  newApplication,
  type ParticipantRow,
  setParticipant,
  touchApplication,
} from '../../db/applications/applications.ts';
import { linkNewApplication } from '../../db/applications/linked-property.ts';
import { affectPayments, type PaymentRow } from '../../db/applications/payments.ts';
import { type Actor, recordAudit, recordCreation, recordFirstLink } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inShortTransaction } from '../../db/connection/short-transaction.ts';
import type { Runtime } from '../runtime.ts';
import { endParticipation } from './end-participation.ts';
import { inviteParticipants } from './invite.ts';
import { mailNewRole } from './person-mail.ts';
import { simulatePeople } from './simulated-people.ts';

type Grouping = Pick<Runtime, 'db' | 'keys' | 'invitationLifetimeMs' | 'queue' | 'providers'>;

interface NewGroup {
  apiKeyId: string;
  /** Whether the lead gets a mail, too. */
  mailsLead: boolean;
  title: string;
  tenants: readonly { email: string; is_lead: boolean; is_guarantor?: boolean }[];
  /** A property of the landlord, to which a new application is linked. */
  propertyId?: string | undefined;
}

/**
 * Creates an application (product document 4.2). Idempotent for the same people. All statements are sent before the first answer, so the
 * database decides:
 * 1. A lock per API key enforces rule 5 for concurrent calls.
 * 2. The application and its rows are inserted, unless the key already has an application with the same people.
 * 3. The application with these people is read, whether new or existing.
 * @throws ValidationError
 */
export async function createGroup(
  { db, keys, invitationLifetimeMs, queue, providers }: Grouping,
  { apiKeyId, mailsLead, title, tenants, propertyId }: NewGroup,
  by: Actor,
  now: Date,
): Promise<Pick<ApplicationRow, 'id' | 'title'> & { isNew: boolean }> {
  checkRequestedTenants(tenants);
  const people = tenants.map(({ email, is_lead, is_guarantor = false }) => ({
    email,
    isLead: is_lead,
    isGuarantor: is_guarantor,
  }));
  const application = newApplication(apiKeyId, title, people, now);
  const invited = application.participants.filter(({ is_lead }) => !is_lead).map(({ id }) => id);
  const lead = mailsLead ? application.participants.find(({ is_lead }) => is_lead === 1) : undefined;
  const { found } = await inShortTransaction(db, async (trx) => {
    trx.last(lockApiKey(trx, apiKeyId), insertApplication(trx, application));
    const same = findSameApplication(trx, application);
    trx.last(same, recordCreation(trx, by, application.id, now));
    if (propertyId !== undefined) {
      trx.last(linkNewApplication(trx, application.id, propertyId));
      trx.last(recordFirstLink(trx, by, application.id, now));
    }
    await inviteParticipants(
      trx,
      { keys, invitationLifetimeMs, queue, now },
      { api_key_id: apiKeyId, participantIds: invited, leadId: lead?.id },
    );
    return { found: same };
  });
  const { id, title: given } = await found;
  const isNew = id === application.id;
  const emails = people.map(({ email }) => email);
  if (isNew) await simulatePeople({ db, providers, now }, id, emails);
  return { id, title: given, isNew };
}

/**
 * Sets name and role of an active participant of a locked application (product document 4.4). Omitted fields keep their values, and `updated_at`
 * moves only with a change. @returns `role-mailed` when the person is mailed about a new role
 */
export async function changeParticipant(
  trx: Transaction,
  ctx: Pick<Runtime, 'keys' | 'invitationLifetimeMs' | 'queue'>,
  participant: ParticipantRow,
  change: { name?: string | undefined; isGuarantor?: boolean | undefined },
  by: Actor,
  now: Date,
): Promise<'unchanged' | 'changed' | 'role-mailed'> {
  const { id, application_id } = participant;
  const { name = participant.name, isGuarantor = participant.is_guarantor === 1 } = change;
  const is_guarantor = isGuarantor ? 1 : 0;
  const hasNewRole = is_guarantor !== participant.is_guarantor;
  if (name === participant.name && !hasNewRole) return 'unchanged';
  await setParticipant(trx, id, { name, is_guarantor });
  await recordAudit(trx, by, 'participant.update', id, now);
  await touchApplication(trx, application_id, now);
  return hasNewRole && (await mailNewRole(trx, ctx, participant, now)) ? 'role-mailed' : 'changed';
}

/**
 * Removes an active participant of a locked application (product document 4.5). @returns the pending payments that it affected @throws
 * Conflict for the lead
 */
export async function leaveGroup(
  trx: Transaction,
  { id, application_id, is_lead }: Pick<ParticipantRow, 'id' | 'application_id' | 'is_lead'>,
  by: Actor,
  now: Date,
): Promise<readonly Pick<PaymentRow, 'is_protected'>[]> {
  if (is_lead) throw new Conflict(REFUSALS.leadStays);
  await setParticipant(trx, id, { removed_at: now.toISOString() });
  await endParticipation(trx, id, now);
  const affected = await affectPayments(trx, id);
  await touchApplication(trx, application_id, now);
  await recordAudit(trx, by, 'participant.remove', id, now);
  return affected;
}
