import type { Html } from '../../../../core/html.ts';
import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import type { ParticipantRow } from '../../../../db/applications/applications.ts';
import { badge } from '../../views/parts.ts';

/** The part of a person in an application, in words. */

/** What a form with a role sends of the one that it showed. */
export const GUARANTOR = 'guarantor';

export function consentBadge(t: DeskTexts, status: ParticipantRow['consent_status'] | 'removed'): Html {
  const state = status === 'rejected' ? 'declined' : status;
  return badge(state, t.text(`consent.${state}`));
}

export function rolesOf(t: DeskTexts, row: Pick<ParticipantRow, 'is_lead' | 'is_guarantor'>): string[] {
  return [
    ...(row.is_lead === 1 ? [t.text('role.lead')] : []),
    ...(row.is_guarantor === 1 ? [t.text('role.guarantor')] : []),
  ];
}
