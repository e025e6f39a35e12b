import * as client from 'openid-client';
import { ProviderUnavailable } from '../../core/errors.ts';
import { isRecord } from '../../core/text.ts';
import type { CallbackOutcome } from './port.ts';

/** The person cancelled, or did not complete the provider's steps. */
const DECLINED = ['access_denied', 'login_required', 'interaction_required', 'consent_required'];
/** Server errors, invalid responses and client authentication failures: none says anything about the person. */
const NOT_ITSELF = [
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
];

/** Classifies a failed response. @throws ProviderUnavailable when it says nothing about the person */
export function verdictOn(error: unknown): CallbackOutcome {
  const away = unavailable(error);
  if (away) throw away;
  const code = codeOf(error);
  if (NOT_ITSELF.includes(code)) throw new ProviderUnavailable(`The provider answered with ${code}.`);
  if (error instanceof client.AuthorizationResponseError && DECLINED.includes(code))
    return { state: 'cancelled', reason: `The person did not finish at the provider (${code}).` };
  return { state: 'failed', reason: `The provider's answer was not accepted (${reasonOf(error)}).` };
}

/** Always throws: ProviderUnavailable if that is the cause. */
export function refuseClaims(error: unknown): never {
  throw unavailable(error) ?? new Error(`The provider does not give the claims (${reasonOf(error)}).`);
}

/** Unwraps an error of `boundedFetch` from the library's error. */
export function unavailable(error: unknown): ProviderUnavailable | undefined {
  if (error instanceof ProviderUnavailable) return error;
  return error instanceof Error ? unavailable(error.cause) : undefined;
}

/** The code and the claim it concerns. The rest is untrusted, and the library attaches tokens and claims. */
export function reasonOf(error: unknown): string {
  const claim = error instanceof client.ClientError && claimOf(error);
  return claim ? `${codeOf(error)}: ${claim}` : codeOf(error);
}

/** The error codes of OAuth 2.0, bearer tokens and OpenID Connect. Other codes may contain anything. */
const ERROR_CODES = new Set(
  `invalid_request unauthorized_client access_denied unsupported_response_type invalid_scope server_error
  temporarily_unavailable interaction_required login_required account_selection_required consent_required
  invalid_client invalid_grant unsupported_grant_type invalid_token insufficient_scope`.split(/\s+/),
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
