import type Stripe from 'stripe';
import english from '../../core/texts/en.json' with { type: 'json' };
import type { KycOutcome } from './port.ts';

/** Nothing was submitted: the person may continue, on another device if theirs has no camera. */
const unfinished: readonly string[] = ['abandoned', 'device_not_supported'];

/**
 * The other values of `last_error.code` of a session, all of which are rejections. The catalogues contain the person's wording. Source:
 * https://docs.stripe.com/api/identity/verification_sessions/object
 */
const rejections = [
  'consent_declined',
  'email_verification_declined',
  'phone_verification_declined',
  'country_not_supported',
  'under_supported_age',
  'document_expired',
  'document_type_not_supported',
  'document_unverified_other',
  'id_number_insufficient_document_data',
  'id_number_mismatch',
  'id_number_unverified_other',
  'selfie_document_missing_photo',
  'selfie_face_mismatch',
  'selfie_manipulated',
  'selfie_unverified_other',
  'email_unverified_other',
  'phone_unverified_other',
] as const;

/** Our own wording takes precedence, because it has translations. An unknown code is a rejection in Stripe's words. */
export function verdictOf({ code, reason }: Stripe.Identity.VerificationSession.LastError): KycOutcome {
  if (code !== null && unfinished.includes(code)) return { state: 'pending' };
  const known = rejections.find((rejection) => rejection === code);
  return { state: 'rejected', reason: known ? english[`reason.${known}`] : reason || english['reason.unknown'] };
}
