import type { DeskTexts } from '../../core/texts/desk-texts.ts';

/** What a page says about the action that led to it. The address carries only the notice's name, so a forged link cannot inject text. */
export const noticeNames = [
  ...(['redelivered', 'redelivered-failed', 'nothing-failed', 'paused', 'resumed', 'deleted', 'tested'] as const),
  ...(['invited', 'link-mailed', 'asked', 'accepted', 'declined', 'cancelled', 'decided', 'analysing'] as const),
  ...(['created', 'removed', 'lead', 'revoked', 'expiry', 'refused', 'set-up', 'verifying', 'unchanged'] as const),
  ...([
    'member-invited',
    'member-not-mailed',
    'member-changed',
    'member-disabled',
    'member-enabled',
    'proof-mailed',
    'session-ended',
  ] as const),
  ...([
    'account-changed',
    'passkey-added',
    'passkey-renamed',
    'passkey-removed',
    'started',
    'report-made',
    'report-revoked',
  ] as const),
  ...(['payment-recorded', 'payment-ended', 'saved', 'role-mailed'] as const),
] as const;

export type NoticeName = (typeof noticeNames)[number];

export function noticeOf(t: DeskTexts, given: string | null): string | undefined {
  const name = noticeNames.find((known) => known === given);
  return name && t.text(`notice.${name}`);
}
