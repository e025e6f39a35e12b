/** What a page says about the action that led to it. The address carries only the notice's name, so a forged link cannot inject text. */
export const notices = {
  redelivered: 'The delivery is sent again.',
  'redelivered-failed': 'The failed deliveries are sent again.',
  'nothing-failed': 'No delivery failed since then: nothing was sent again.',
  paused: 'The webhook was paused: its deliveries are held.',
  resumed: 'The webhook was resumed: what was held is sent now.',
  invited: 'The invitation is sent again with a new link. The former link no longer works.',
  'link-mailed': 'A link is being mailed to the participant. Earlier links stay valid.',
  asked: 'The document is requested, by mail and on the page of the participant.',
  accepted: 'Recorded: the participant accepts.',
  declined: 'Recorded: the participant declines.',
  cancelled: 'The flow was cancelled. Its link no longer works.',
  decided: 'The decision is recorded. The result, and what was sent, stay as they are.',
  analysing: 'The documents are analysed again.',
  revoked: 'The API key was revoked: its secrets and tokens stopped working.',
  refused: 'The request was closed. The person reads the reason through their link.',
  'set-up': 'The settings were changed. Applicants see them from now on.',
  verifying: 'The chain is being verified from its beginning.',
  unchanged: 'Nothing was changed: it was already so.',
} as const;

export type NoticeName = keyof typeof notices;

export function noticeOf(name: string | null): string | undefined {
  return Object.entries(notices).find(([known]) => known === name)?.[1];
}
