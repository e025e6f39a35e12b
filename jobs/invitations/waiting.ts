import { DAY_MS, isoAfter } from '../../core/time.ts';
import { listApplications } from '../../db/applications/application-lists.ts';
import { listWaiting, type WaitingRow } from '../../db/applications/application-steps.ts';
import type { Scope } from '../../db/connection/queries/scope.ts';
import type { Runtime } from '../runtime.ts';

/** After how many days an invitation without an answer needs someone. */
export const UNANSWERED_DAYS = 3;
/** No index knows who waits. */
const MAX_SEARCHED = 100;

/** The gravest first: an analysis that no one has read, an invitation that could not be delivered, one without an answer. */
const REASONS = ['unread-analysis', 'mail-failed', 'unanswered'] as const;

/** Someone who does not get further without the landlord. */
export interface Waiting {
  applicationId: string;
  title: string;
  email: string;
  why: (typeof REASONS)[number];
  since: string;
}

/** Finds who waits among the people of the newest applications of a scope, by reason, and the longest wait first. */
export async function findWaiting({ db, now }: Pick<Runtime, 'db' | 'now'>, scope: Scope): Promise<Waiting[]> {
  const applications = await listApplications(db, scope, {}, MAX_SEARCHED);
  const titleOf = new Map(applications.map(({ id, title }) => [id, title]));
  const rows = await listWaiting(db, [...titleOf.keys()]);
  const longAgo = isoAfter(now(), -UNANSWERED_DAYS * DAY_MS);
  const waiting = rows.flatMap((row): Waiting[] => {
    const reason = reasonOf(row, longAgo);
    const { application_id: applicationId, email } = row;
    return reason ? [{ applicationId, title: titleOf.get(applicationId) ?? '', email, ...reason }] : [];
  });
  const order = ({ why, since }: Waiting) => `${REASONS.indexOf(why)} ${since}`;
  return waiting.toSorted((one, other) => (order(one) < order(other) ? -1 : 1));
}

function reasonOf(row: WaitingRow, longAgo: string): Pick<Waiting, 'why' | 'since'> | undefined {
  const { consent_status, mail_failed_at, invited_at, analysed_at, read_at } = row;
  if (analysed_at !== null && (read_at ?? '') < analysed_at) return { why: 'unread-analysis', since: analysed_at };
  if (consent_status !== 'pending') return undefined;
  if (mail_failed_at !== null) return { why: 'mail-failed', since: mail_failed_at };
  return invited_at !== null && invited_at < longAgo ? { why: 'unanswered', since: invited_at } : undefined;
}
