import { HOUR_MS, isoAfter } from '../../core/time.ts';
import type { Database, Transaction } from '../connection/database.ts';
import type { OneLandlord } from '../connection/queries/scope.ts';
import { retried } from '../connection/transactions.ts';
import { keysOfMembers, type ListedMember, type MemberRow } from './members.ts';

/** A single-use link that signs a member in. */
export interface MemberLinkRow {
  token_hash: string;
  member_id: string;
  /** Below `/desk/`; null for its first page. */
  opens: string | null;
  created_at: string;
  expires_at: string;
}

export interface MemberSessionRow {
  token_hash: string;
  id: string;
  member_id: string;
  /** What the browser calls itself, so that the member recognizes it. */
  browser: string;
  /** When the member last proved who they are. */
  created_at: string;
  /** Updated at most once a minute. */
  used_at: string;
  expires_at: string;
}

/** A session ends after this time without use. */
export const MEMBER_IDLE_MS = 2 * HOUR_MS;
/** Bounds the writes. */
const NOTE_EVERY_MS = 60_000;

/** Several at a time: a link that a stranger asked for must not keep the member from asking for another. */
export const MAX_OPEN_LINKS = 3;

/** The caller has locked the member. @returns false when the member has as many links as may be open */
export async function insertMemberLink(trx: Transaction, link: MemberLinkRow, now: Date): Promise<boolean> {
  const links = () => trx('member_links').where({ member_id: link.member_id });
  await links().where('expires_at', '<=', now.toISOString()).delete();
  if ((await links().pluck('token_hash')).length >= MAX_OPEN_LINKS) return false;
  await trx('member_links').insert(link);
  return true;
}

export async function lockMember(trx: Transaction, id: string): Promise<void> {
  await trx('members').where({ id }).forNoKeyUpdate().first('id');
}

export async function isMemberLinkOpen(db: Database, tokenHash: string, now: Date): Promise<boolean> {
  const open = db('member_links').where({ token_hash: tokenHash }).where('expires_at', '>', now.toISOString());
  return (await open.first('member_id')) !== undefined;
}

export async function deleteMemberLink(db: Database, tokenHash: string): Promise<void> {
  await retried(db, () => db('member_links').where({ token_hash: tokenHash }).delete());
}

/** Ends all links of a member. */
export async function deleteMemberLinks(db: Database, memberId: string): Promise<void> {
  await retried(db, () => db('member_links').where({ member_id: memberId }).delete());
}

/** Consumes a link. @returns undefined when it was used concurrently, has expired, or its member is disabled */
export async function takeMemberLink(
  trx: Transaction,
  tokenHash: string,
  now: Date,
): Promise<{ member: MemberRow; opens: string | null } | undefined> {
  const link = await trx('member_links').where({ token_hash: tokenHash }).first();
  const isTaken = link && (await trx('member_links').where({ token_hash: tokenHash }).delete()) === 1;
  if (!isTaken || link.expires_at <= now.toISOString()) return undefined;
  const member = await trx('members').where({ id: link.member_id }).whereNull('disabled_at').first();
  return member && { member, opens: link.opens };
}

export async function insertMemberSession(trx: Transaction, session: MemberSessionRow): Promise<void> {
  await trx('member_sessions').insert(session);
}

/** A member who is signed in, and what they see. */
export interface MemberSession {
  member: ListedMember;
  scope: OneLandlord;
  session: MemberSessionRow;
}

/** Sessions that have neither expired nor been idle for too long, of members who are not disabled. */
function lastingSessions(db: Database, now: Date) {
  return db('member_sessions')
    .join('members', 'members.id', 'member_sessions.member_id')
    .where('member_sessions.expires_at', '>', now.toISOString())
    .where('member_sessions.used_at', '>', isoAfter(now, -MEMBER_IDLE_MS))
    .whereNull('members.disabled_at');
}

/** The session of a browser, if it lasts, with the member and their scope. */
export async function findMemberSession(
  db: Database,
  tokenHash: string,
  now: Date,
): Promise<MemberSession | undefined> {
  const session: MemberSessionRow | undefined = await lastingSessions(db, now)
    .where({ token_hash: tokenHash })
    .first('member_sessions.*');
  if (!session) return undefined;
  const member: ListedMember | undefined = await db('members')
    .join('landlords', 'landlords.id', 'members.landlord_id')
    .where('members.id', session.member_id)
    .first('members.*', 'landlords.name as landlord_name');
  if (!member) return undefined;
  if (session.used_at <= isoAfter(now, -NOTE_EVERY_MS))
    await retried(db, () =>
      db('member_sessions').where({ token_hash: tokenHash }).update({ used_at: now.toISOString() }),
    );
  return { member, session, scope: await scopeOf(db, member) };
}

/** Admins see every API key of their landlord; others those that they were given. */
async function scopeOf(db: Database, { id, landlord_id, role }: MemberRow): Promise<OneLandlord> {
  const keyIds =
    role === 'admin'
      ? await db('api_keys').where({ landlord_id }).orderBy('id').pluck('id')
      : (await keysOfMembers(db, [id]))(id);
  return { of: 'one landlord', landlordId: landlord_id, keyIds };
}

/** The newest first. */
export function listMemberSessions(
  db: Database,
  memberId: string,
  now: Date,
  limit: number,
): Promise<MemberSessionRow[]> {
  return lastingSessions(db, now)
    .where({ member_id: memberId })
    .orderBy('member_sessions.created_at', 'desc')
    .limit(limit)
    .select('member_sessions.*');
}

/** @returns false when there was none */
export async function deleteMemberSession(
  db: Database,
  session: { token_hash: string } | { id: string; member_id: string },
): Promise<boolean> {
  return (await retried(db, () => db('member_sessions').where(session).delete())) === 1;
}

/** All but the one with the id. @returns false when there were none */
export async function deleteOtherMemberSessions(db: Database, memberId: string, id: string): Promise<boolean> {
  const others = () => db('member_sessions').where({ member_id: memberId }).whereNot({ id }).delete();
  return (await retried(db, others)) > 0;
}

export async function deleteExpiredMemberSessions(trx: Transaction, now: Date): Promise<void> {
  await trx('member_sessions').where('expires_at', '<=', now.toISOString()).delete();
}
