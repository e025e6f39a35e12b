import type Stripe from 'stripe';
import type { KycOutcome } from './port.ts';

const unfinished: KycOutcome = { state: 'pending' };
const no = (reason: string): KycOutcome => ({ state: 'rejected', reason });

/**
 * Maps each `last_error.code` of a session. An unfinished verification is not a submission: the person may continue, on another device
 * if theirs has no camera. Everything else is a rejection, which they may read.
 * Source: https://docs.stripe.com/api/identity/verification_sessions/object
 */
const verdicts: Record<string, KycOutcome> = {
  abandoned: unfinished,
  device_not_supported: unfinished,
  consent_declined: no('You did not agree to the verification.'),
  email_verification_declined: no('The e-mail address was not confirmed.'),
  phone_verification_declined: no('The phone number was not confirmed.'),
  country_not_supported: no('Documents of this country cannot be verified.'),
  under_supported_age: no('The person is too young to be verified.'),
  document_expired: no('The identity document has expired.'),
  document_type_not_supported: no('This type of identity document cannot be used.'),
  document_unverified_other: no('The identity document could not be verified.'),
  id_number_insufficient_document_data: no('The identity document does not show enough to check the identity number.'),
  id_number_mismatch: no('The identity number does not belong to this person.'),
  id_number_unverified_other: no('The identity number could not be verified.'),
  selfie_document_missing_photo: no('The identity document has no photo to compare with.'),
  selfie_face_mismatch: no('The photo does not show the person of the identity document.'),
  selfie_manipulated: no('The photo was edited.'),
  selfie_unverified_other: no('The photo could not be verified.'),
  email_unverified_other: no('The e-mail address could not be verified.'),
  phone_unverified_other: no('The phone number could not be verified.'),
};

/** Stripe's own wording takes precedence. An unknown code is a rejection. */
export function verdictOf({ code, reason }: Stripe.Identity.VerificationSession.LastError): KycOutcome {
  const known = code !== null && Object.hasOwn(verdicts, code) ? verdicts[code] : undefined;
  const verdict = known ?? no('The identity could not be verified.');
  return verdict.state === 'rejected' && reason ? no(reason) : verdict;
}
