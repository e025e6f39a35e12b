import { OVERDUE, overdueBefore } from '../../core/rules/overdue.ts';
import { hasAnswered } from '../../core/rules/participants.ts';
import { sentence } from '../../core/text.ts';
import type { ListedInvite } from '../../db/applications/invites.ts';

/** The state of an invitation in words, and the command to run next. */
interface Advice {
  explanation: string;
  hint: string;
  command: string | null;
}

const nothing = { hint: '', command: null };
const whenServerIsWell = {
  hint: 'To see whether the mail server accepts mail:',
  command: 'mail test --to <your address>',
};

export function adviseOnInvite(invite: ListedInvite, now: Date): Advice {
  const { id, status, failure, expires_at } = invite;
  const again = (hint: string) => (whyNoOtherMail(invite) ? nothing : { hint, command: `invite retry ${id}` });
  switch (status) {
    case 'pending':
      return adviseOnPending(invite, now);
    case 'cancelled':
      return { explanation: sentence(`It was not sent: ${failure}`), ...nothing };
    case 'failed':
      return {
        explanation: sentence(`It was given up: ${failure ?? 'for no known reason'}`),
        ...again('After fixing the cause, to send it with a new link:'),
      };
    case 'sent': {
      const answered = whyNoOtherMail(invite);
      if (answered) return { explanation: `It was sent. Now ${answered}.`, ...nothing };
      const isExpired = expires_at !== null && expires_at <= now.toISOString();
      return {
        explanation: isExpired ? 'It was sent, and its link has expired.' : 'It was sent, and waits for an answer.',
        ...again('To send it again with a new link, which replaces the former one:'),
      };
    }
  }
}

/** Why no further mail may be sent; undefined when a mail may be sent. */
export function whyNoOtherMail(invite: ListedInvite): string | undefined {
  if (invite.removed_at !== null) return 'the participant is removed';
  return hasAnswered(invite) ? `the participant has ${invite.consent_status} it` : undefined;
}

/** No worker gets it until an operator releases it. */
export function isSetAside({ status, due_at }: Pick<ListedInvite, 'status' | 'due_at'>): boolean {
  return status === 'pending' && due_at === null;
}

function adviseOnPending(invite: ListedInvite, now: Date): Advice {
  const { id, failures, failure, due_at } = invite;
  if (isSetAside(invite))
    return {
      explanation: 'It was set aside, because every worker that had it died.',
      hint: 'To hand it over again:',
      command: `work release ${id}`,
    };
  if (due_at !== null && due_at < overdueBefore(now))
    return {
      explanation: OVERDUE,
      hint: 'To see whether others wait too:',
      command: 'invite list --status pending',
    };
  if (failures === 0 && failure !== null) return { explanation: sentence(`It waits: ${failure}`), ...nothing };
  if (failures === 0) return { explanation: 'It is being sent, or will be in a moment.', ...nothing };
  const times = failures === 1 ? 'once' : `${failures} times`;
  return { explanation: `It failed ${times} and is retried, for three days in all.`, ...whenServerIsWell };
}
