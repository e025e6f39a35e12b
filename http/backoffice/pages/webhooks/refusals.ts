import type { DeskTexts } from '../../../../core/texts/desk-texts.ts';
import type { RedeliveryRefusal } from '../../../../jobs/webhooks/redeliver.ts';
import { Refused } from '../../route.ts';

const REFUSALS = {
  expired: 'redelivery.expired',
  'other key': 'redelivery.other-key',
  'key revoked': 'redelivery.key-revoked',
  'key expired': 'redelivery.key-expired',
  paused: 'redelivery.paused',
  'under way': 'redelivery.under-way',
} as const satisfies Record<RedeliveryRefusal, string>;

/** Why nothing was sent again. */
export function redeliveryRefusal(t: DeskTexts, refusal: RedeliveryRefusal): Refused {
  return new Refused(409, t, REFUSALS[refusal]);
}
