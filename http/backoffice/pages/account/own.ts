import { findAccount } from '../../../../db/access/console-accounts.ts';
import { deleteOtherSessions, deleteSession, listSessions } from '../../../../db/access/console-sessions.ts';
import {
  deleteMemberSession,
  deleteOtherMemberSessions,
  listMemberSessions,
} from '../../../../db/access/member-sessions.ts';
import { findMember } from '../../../../db/access/members.ts';
import type { AuditAction } from '../../../../db/audit/audit.ts';
import type { PasskeyOwner } from '../../../../jobs/access/passkeys.ts';
import { passkeysOfOperator } from '../../../../jobs/console/console-passkeys.ts';
import { mailLinkTo } from '../../../../jobs/console/mail-link.ts';
import { passkeysOfMember } from '../../../../jobs/members/desk-passkeys.ts';
import { mailMemberLink } from '../../../../jobs/members/member-mails.ts';
import { expectFound, operatorsAnd, type Parts, type Visit } from '../../route.ts';
import { languageOf } from '../language.ts';

const MAX_SESSIONS = 50;

export const everyone = operatorsAnd('admin', 'agent', 'developer', 'viewer');

/** What belongs to the visitor alone, in either office. */
export interface Own {
  owner: PasskeyOwner;
  sessions(): Promise<readonly OwnSession[]>;
  /** @returns false when there was none */
  endSession(id: string): Promise<boolean>;
  endOtherSessions(): Promise<boolean>;
  ended: AuditAction;
  /** Mails a link that proves again who they are. @returns false when no other link may be mailed */
  mailProof(opens: string | null): Promise<boolean>;
}

interface OwnSession {
  id: string | null;
  browser: string | null;
  created_at: string;
  used_at: string;
}

export async function ownOf(visit: Visit, parts: Parts): Promise<Own> {
  const { visitor, scope, now, t } = visit;
  const { db } = parts;
  const { id, sessionId } = visitor;
  if (scope.of === 'one landlord') {
    const member = expectFound(await findMember(db, scope.landlordId, id), 'Member');
    return {
      owner: passkeysOfMember(parts, member, sessionId, t),
      sessions: () => listMemberSessions(db, id, now, MAX_SESSIONS),
      endSession: (session) => deleteMemberSession(db, { id: session, member_id: id }),
      endOtherSessions: () => deleteOtherMemberSessions(db, id, sessionId),
      ended: 'member.end-session',
      mailProof: (opens) => mailMemberLink(parts, member, { language: languageOf(visit), opens }),
    };
  }
  const account = expectFound(await findAccount(db, id), 'Account');
  const url = parts.consoleUrl ?? '';
  return {
    owner: passkeysOfOperator(url, account, sessionId, t),
    sessions: () => listSessions(db, id, now, MAX_SESSIONS),
    endSession: (session) => deleteSession(db, { id: session, account_id: id }),
    endOtherSessions: () => deleteOtherSessions(db, id, sessionId),
    ended: 'console-account.end-session',
    mailProof: (opens) => mailLinkTo(parts, account, { url, opens }),
  };
}
