import { NotFound } from '../core/errors.ts';
import { comparableEmail } from '../core/participants.ts';
import type { Database } from './connect.ts';
import { findTenantByIdOrEmail } from './provisioning.ts';
import type { ParticipantRow, TenantRow } from './rows.ts';

/** A person whom the service knows: by an account, by taking part in applications, or both. */
export interface Person {
  comparableEmail: string;
  account: TenantRow | undefined;
  participations: ParticipantRow[];
}

/** @throws NotFound when nothing is held about them */
export async function findPerson(db: Database, idOrEmail: string): Promise<Person> {
  const account = await findTenantByIdOrEmail(db, idOrEmail);
  const key = account?.comparable_email ?? comparableEmail(idOrEmail);
  const participations = await db('participants').where({ comparable_email: key }).orderBy('id');
  if (!account && participations.length === 0) throw new NotFound('Person');
  return { comparableEmail: key, account, participations };
}
