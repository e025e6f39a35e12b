import { findActiveParticipant, lockAnyApplication } from '../../db/applications/applications.ts';
import { recordPayment } from '../../db/applications/payments.ts';
import { addTenant, setProfile } from '../../db/applications/tenants.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { SimulatedPerson } from '../../providers/identity/port.ts';
import type { Runtime } from '../runtime.ts';
import { answerInPerson } from './consent.ts';

/** A pending payment of a simulated person; the amount appears nowhere on the wire. */
const AMOUNT = 100;

interface Simulating extends Pick<Runtime, 'db' | 'providers'> {
  now: Date;
}

/**
 * Lets the people of a new application do what their addresses say, in the sandbox. Create-application itself adds no account, so this follows
 * it in a transaction of its own; a no-op in live, and for addresses without a tag.
 */
export async function simulatePeople(ctx: Simulating, applicationId: string, emails: readonly string[]): Promise<void> {
  const { simulatedPerson } = ctx.providers;
  if (!simulatedPerson) return;
  const people = emails
    .map((email) => ({ email, ...simulatedPerson(email) }))
    .filter(({ hasAccount, consent, payment }) => hasAccount || consent || payment);
  if (people.length === 0) return;
  await inTransaction(ctx.db, async (trx) => {
    await lockAnyApplication(trx, applicationId);
    for (const person of people) await simulate(trx, applicationId, person, ctx.now);
  });
}

async function simulate(
  trx: Transaction,
  applicationId: string,
  { email, hasAccount, consent, profile, payment }: SimulatedPerson & { email: string },
  now: Date,
): Promise<void> {
  if (hasAccount) {
    const { tenant } = await addTenant(trx, { email, name: '' }, now);
    if (profile) await setProfile(trx, tenant.id, profile, now);
  }
  if (payment)
    await recordPayment(trx, { applicationId, email, amount: AMOUNT, isProtected: payment === 'protected' }, now);
  if (consent) await answerInPerson(trx, await findActiveParticipant(trx, applicationId, email), consent, now);
}
