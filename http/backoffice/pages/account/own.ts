import { findAccount } from '../../../../db/access/console-accounts.ts';
import { findMember } from '../../../../db/access/members.ts';
import { endOtherSessions, endSession, type Holders, listSessions } from '../../../../db/access/sign-in.ts';
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
  const sessionsOf = (of: Holders) => ({
    sessions: () => listSessions(db, { of, id }, now, MAX_SESSIONS),
    endSession: (session: string) => endSession(db, { of, id }, session),
    endOtherSessions: () => endOtherSessions(db, { of, id }, sessionId),
  });
  if (scope.of === 'one landlord') {
    const member = expectFound(await findMember(db, scope.landlordId, id), 'Member');
    return {
      owner: passkeysOfMember(parts, member, sessionId, t),
      ...sessionsOf('member_id'),
      ended: 'member.end-session',
      mailProof: (opens) => mailMemberLink(parts, member, { language: languageOf(visit), opens }),
    };
  }
  const account = expectFound(await findAccount(db, id), 'Account');
  const url = parts.consoleUrl ?? '';
  return {
    owner: passkeysOfOperator(url, account, sessionId, t),
    ...sessionsOf('account_id'),
    ended: 'console-account.end-session',
    mailProof: (opens) => mailLinkTo(parts, account, { url, opens }),
  };
}
