import { NotFound } from '../../core/errors.ts';
import { comparableEmail } from '../../core/rules/participants.ts';
import type { ParticipantRow } from '../applications/applications.ts';
import type { TenantRow } from '../applications/tenants.ts';
import { findTenantByIdOrEmail } from '../applications/tenants.ts';
import type { Database } from '../connection/connect.ts';

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
