import type { Database } from '../connection/database.ts';
import type { OneLandlord } from '../connection/queries/scope.ts';
import { keysOfMembers, type ListedMember, type MemberRow } from './members.ts';
import { findSession, type SessionRow } from './sign-in.ts';

/** A member who is signed in, and what they see. */
export interface MemberSession {
  member: ListedMember;
  scope: OneLandlord;
  session: SessionRow;
}

/** The session of a browser, if it lasts, with the member and their scope. */
export async function findMemberSession(
  db: Database,
  tokenHash: string,
  now: Date,
  isUse: boolean,
): Promise<MemberSession | undefined> {
  const found = await findSession(db, 'member_id', tokenHash, now, isUse);
  const member: ListedMember | undefined =
    found &&
    (await db('members')
      .join('landlords', 'landlords.id', 'members.landlord_id')
      .where('members.id', found.holderId)
      .first('members.*', 'landlords.name as landlord_name'));
  return member && found && { member, session: found.session, scope: await scopeOf(db, member) };
}

/** Admins see every API key of their landlord; others those that they were given. */
async function scopeOf(db: Database, { id, landlord_id, role }: MemberRow): Promise<OneLandlord> {
  const keyIds =
    role === 'admin'
      ? await db('api_keys').where({ landlord_id }).orderBy('id').pluck('id')
      : (await keysOfMembers(db, [id]))(id);
  return { of: 'one landlord', landlordId: landlord_id, keyIds };
}
