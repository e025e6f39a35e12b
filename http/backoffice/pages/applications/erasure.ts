import { type Html, html } from '../../../../core/html.ts';
import {
  type ErasureFilter,
  listErasureRequests,
  type OpenErasureRequest,
} from '../../../../db/privacy/erasure-requests.ts';
import type { Parts, Visit } from '../../route.ts';
import { badge, linkIn } from '../../views/parts.ts';

/**
 * Open requests for erasure, which the operator answers. Landlords read them, so that they can say in time what the law requires them to keep:
 * those of their members who decide about applications.
 */

const MAX_SHOWN = 100;

export async function erasuresIn(
  { scope, visitor }: Visit,
  { db }: Pick<Parts, 'db'>,
  filter: ErasureFilter = {},
): Promise<OpenErasureRequest[]> {
  return visitor.looker ? listErasureRequests(db, scope, filter, MAX_SHOWN) : [];
}

export const isOverdue = ({ due_at }: OpenErasureRequest, now: Date) => due_at <= now.toISOString();

/** Since when it waits, and until when. */
export function waitOf({ t, now }: Pick<Visit, 't' | 'now'>, request: OpenErasureRequest): string {
  const days = { since: new Date(request.requested_at), due: new Date(request.due_at) };
  return t.text(isOverdue(request, now) ? 'erasure.overdue' : 'erasure.waits', days);
}

/** What a landlord should know, and the way to the answer for operators. */
export function erasureNote(visit: Visit, request: OpenErasureRequest): Html {
  const { t, now } = visit;
  const wait = linkIn(visit, `privacy/requests/${request.participant_id}`, waitOf(visit, request));
  const tone = isOverdue(request, now) ? 'overdue' : 'due';
  const text = visit.scope.of === 'one landlord' ? html` ${t.text('erasure.text')}` : undefined;
  return html`<p class="note">${badge(tone, t.text('erasure.asked'))} ${wait}${text}</p>`;
}
