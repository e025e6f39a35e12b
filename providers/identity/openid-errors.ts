import * as client from 'openid-client';
import { ProviderUnavailable } from '../../core/errors.ts';
import { isRecord } from '../../core/text.ts';
import { ForgedToken } from './openid-tokens.ts';
import type { CallbackOutcome } from './port.ts';

/** The person cancelled, or did not complete the provider's steps. */
const DECLINED = [
  'access_denied',
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
];
/** The provider could not establish the assurance that was requested. */
const NOT_ASSURED = 'unmet_authentication_requirements';
/** A code of another person or attempt. */
const FOREIGN_CODE = 'invalid_grant';
/** Claims that were issued for another client, by another issuer, for another attempt or time. */
const FOREIGN_CLAIMS = ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'];

/**
 * Classifies a callback that was not accepted: it is forged, or it reports an error. Of the registered errors only a few are about the
 * person; the rest is about the provider, or about this service's registration there.
 * @throws ProviderUnavailable when it says nothing about the person
 */
export function verdictOnCallback(error: unknown): CallbackOutcome {
  const away = unavailable(error);
  if (away) throw away;
  const code = codeOf(error);
  if (!(error instanceof client.AuthorizationResponseError)) return notAccepted(reasonOf(error));
  if (DECLINED.includes(code))
    return { state: 'cancelled', reason: `The person did not finish at the provider (${code}).` };
  if (code === NOT_ASSURED || !ERROR_CODES.has(code)) return notAccepted(code);
  throw new ProviderUnavailable(`The provider answered with ${code}.`);
}

/**
 * Classifies what the provider answered to an accepted callback. Only signs that the answer belongs to another attempt end the flow.
 * @throws ProviderUnavailable for everything else: the person has done their part
 */
export function verdictOnResponse(error: unknown): CallbackOutcome {
  const away = unavailable(error);
  if (away) throw away;
  const forged = causeOf(error, ForgedToken);
  if (forged) return notAccepted(`OAUTH_INVALID_RESPONSE: ${forged.message}`);
  const code = codeOf(error);
  if (code === FOREIGN_CODE || FOREIGN_CLAIMS.includes(code)) return notAccepted(reasonOf(error));
  throw new ProviderUnavailable(`The provider's answer cannot be used (${reasonOf(error)}).`);
}

function notAccepted(reason: string): CallbackOutcome {
  return { state: 'failed', reason: `The provider's answer was not accepted (${reason}).` };
}

/** Always throws: ProviderUnavailable if that is the cause. */
export function refuseClaims(error: unknown): never {
  throw unavailable(error) ?? new Error(`The provider does not give the claims (${reasonOf(error)}).`);
}

/** Unwraps an error of `boundedFetch` from the library's error. */
export function unavailable(error: unknown): ProviderUnavailable | undefined {
  return causeOf(error, ProviderUnavailable);
}

function causeOf<Kind extends Error>(error: unknown, kind: new (message?: string) => Kind): Kind | undefined {
  if (error instanceof kind) return error;
  return error instanceof Error ? causeOf(error.cause, kind) : undefined;
}

/** The code and the claim it concerns. The rest is untrusted, and the library attaches tokens and claims. */
export function reasonOf(error: unknown): string {
  const claim = error instanceof client.ClientError && claimOf(error);
  return claim ? `${codeOf(error)}: ${claim}` : codeOf(error);
}

/** The registered error codes of OAuth 2.0 and OpenID Connect. Other codes may contain anything. */
const ERROR_CODES = new Set(
  `invalid_request unauthorized_client access_denied unsupported_response_type invalid_scope server_error
  temporarily_unavailable interaction_required login_required account_selection_required consent_required
  invalid_request_uri invalid_request_object request_not_supported request_uri_not_supported registration_not_supported
  unmet_authentication_requirements invalid_target invalid_resource invalid_authorization_details
  invalid_client invalid_grant unsupported_grant_type unsupported_token_type invalid_dpop_proof use_dpop_nonce
  invalid_token insufficient_scope insufficient_user_authentication`.split(/\s+/),
);

function codeOf(error: unknown): string {
  if (error instanceof client.ClientError) return error.code ?? 'an unknown error';
  const code = writtenCode(error);
  return code && ERROR_CODES.has(code) ? code : 'an unknown error';
}

/** Untrusted text from the response. */
function writtenCode(error: unknown): string | undefined {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return error.error;
  return error instanceof client.WWWAuthenticateChallengeError ? error.cause[0]?.parameters.error : undefined;
}

function claimOf(error: unknown): string | undefined {
  if (!isRecord(error)) return undefined;
  const name = error['claim'] ?? error['attribute'];
  return typeof name === 'string' ? name : claimOf(error['cause']);
}
