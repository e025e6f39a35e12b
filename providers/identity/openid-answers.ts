import { isRecord, parsedJson } from '../../core/text.ts';
import type { Claims } from './identity-documents.ts';

/**
 * A provider's answers in the form of the specifications, which openid-client insists on. Providers write `null` for a member they leave
 * out (OpenID Connect Core, 5.3.2, wants it omitted), times as text, and JSON as another media type. None of these changes a meaning.
 */

/** Claims that are seconds since 1970. */
const TIMES = ['exp', 'iat', 'nbf', 'auth_time', 'updated_at'];
const SECONDS = /^\s*\d{1,12}(\.\d+)?\s*$/;
const ISO_TIME = /^\d{4}-\d\d-\d\dT/;

/** JSON without members and elements that are `null`, at any depth. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((element) => element !== null).map(withoutNulls);
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/**
 * Claims with times as numbers, and an identifier as text. Inside a claim, `null` may have a meaning: an attachment with it needs no token.
 */
export function conformClaims(claims: Record<string, unknown>): Claims {
  const given = Object.entries(claims).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, conformClaim(name, value)]));
}

function conformClaim(name: string, value: unknown): unknown {
  if (TIMES.includes(name)) return asSeconds(value);
  return name === 'sub' && typeof value === 'number' ? String(value) : value;
}

function asSeconds(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (SECONDS.test(value)) return Number(value);
  const ms = ISO_TIME.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? value : ms / 1000;
}

/** The members of a token response that a flow needs. The rest, such as its lifetime, cannot make it unusable. */
export function conformTokenResponse(body: Record<string, unknown>): Record<string, unknown> {
  const { access_token, token_type = 'Bearer', id_token, ...rest } = Object(withoutNulls(body));
  if (rest.error !== undefined) return { error: rest.error, error_description: rest.error_description };
  return { access_token, token_type, id_token };
}

/** A response whose body, if it is a JSON object, is replaced. Its media type may be wrong: the body decides. */
export async function withBody(
  answer: Response,
  conform: (body: Record<string, unknown>) => unknown,
): Promise<Response> {
  const text = await answer.text();
  const body = parsedJson(text);
  const headers = new Headers(answer.headers);
  if (!isRecord(body)) return new Response(text === '' ? null : text, { status: answer.status, headers });
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(await conform(body)), { status: answer.status, headers });
}
