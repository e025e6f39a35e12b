import { newId } from '../../core/ids.ts';
import { hashSecret, randomSecret } from '../../core/secrets/secrets.ts';
import { HOUR_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import {
  deleteExpiredMemberSessions,
  deleteMemberSession,
  insertMemberLink,
  insertMemberSession,
  lockMember,
  takeMemberLink,
} from '../../db/access/member-sessions.ts';
import { type MemberRow, noteMemberSignIn } from '../../db/access/members.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import type { Runtime } from '../runtime.ts';

type Changing = Pick<Runtime, 'db' | 'now'>;

/** How long a link that a member asked for is valid, and one in an invitation. */
export const MEMBER_LINK_MINUTES = 10;
export const INVITATION_HOURS = 72;
/** A session ends after this time, even when it is in use. */
const SESSION_HOURS = 12;

export interface MemberLink {
  /** Relative to the root of the service. Contains the only copy of its token. */
  path: string;
  tokenHash: string;
  expiresAt: string;
}

/** A new link, beside those that are open. @returns undefined when the member has as many as may be open */
export function newMemberLink(
  { db, now }: Changing,
  { id }: Pick<MemberRow, 'id'>,
  { minutes, opens = null }: { minutes: number; opens?: string | null },
  by: Actor,
): Promise<MemberLink | undefined> {
  return inTransaction(db, async (trx) => {
    await lockMember(trx, id);
    const moment = now();
    const token = randomSecret();
    const expiresAt = isoAfter(moment, minutes * MINUTE_MS);
    const link = {
      token_hash: hashSecret(token),
      member_id: id,
      opens,
      created_at: moment.toISOString(),
      expires_at: expiresAt,
    };
    if (!(await insertMemberLink(trx, link, moment))) return undefined;
    await recordAudit(trx, by, 'member.link', id, moment);
    return { path: `/desk/sign-in/${token}`, tokenHash: link.token_hash, expiresAt };
  });
}

/**
 * Exchanges a link for a session. @param browser what the browser calls itself
 * @returns the session's token, which only the browser keeps, and the page to open; undefined when the link is not valid
 */
export function signInMember(
  { db, now }: Changing,
  linkToken: string,
  browser: string,
): Promise<{ token: string; opens: string | null } | undefined> {
  return inTransaction(db, async (trx) => {
    const moment = now();
    const taken = await takeMemberLink(trx, hashSecret(linkToken), moment);
    if (!taken) return undefined;
    const { member, opens } = taken;
    return { token: await openMemberSession(trx, member.id, browser, moment), opens };
  });
}

/** Opens a session for a member who proved who they are. @returns its token, which only the browser keeps */
export async function openMemberSession(
  trx: Transaction,
  memberId: string,
  browser: string,
  now: Date,
): Promise<string> {
  const token = randomSecret();
  await deleteExpiredMemberSessions(trx, now);
  await insertMemberSession(trx, {
    token_hash: hashSecret(token),
    id: newId(),
    member_id: memberId,
    browser,
    created_at: now.toISOString(),
    used_at: now.toISOString(),
    expires_at: isoAfter(now, SESSION_HOURS * HOUR_MS),
  });
  await noteMemberSignIn(trx, memberId, now);
  await recordAudit(trx, { kind: 'member', id: memberId }, 'member.sign-in', memberId, now);
  return token;
}

export async function signOutMember({ db }: Pick<Runtime, 'db'>, token: string): Promise<void> {
  await deleteMemberSession(db, { token_hash: hashSecret(token) });
}
