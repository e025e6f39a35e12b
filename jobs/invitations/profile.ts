import { outdatedAfter } from '../../core/rules/onboarding.ts';
import { type ParticipantRow, setParticipant, touchApplication } from '../../db/applications/applications.ts';
import type { Invited } from '../../db/applications/invited.ts';
import { addTenant, setProfile, setTenantName } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import type { Runtime } from '../runtime.ts';

/** Creates the account of a participant of a locked application and completes its profile, with the name that they confirmed. */
export async function completeProfile(
  trx: Transaction,
  participant: Pick<ParticipantRow, 'id' | 'application_id'> & Pick<Invited, 'email' | 'name'>,
  name: string,
  { profileDays }: Pick<Runtime, 'profileDays'>,
  now: Date,
): Promise<void> {
  const { tenant } = await addTenant(trx, { email: participant.email, name }, now);
  await setTenantName(trx, tenant.id, name);
  await setProfile(trx, tenant.id, 'COMPLETED', now, outdatedAfter(profileDays, now));
  if (participant.name === '') {
    await setParticipant(trx, participant.id, { name });
    await touchApplication(trx, participant.application_id, now);
  }
  await recordAudit(trx, { kind: 'person', id: participant.id }, 'tenant.onboard', tenant.id, now);
}
