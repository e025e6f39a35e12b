import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Network } from '../../core/addresses/address-ranges.ts';
import { clientAddress } from '../../core/addresses/client-address.ts';
import type { Operation } from '../../core/contract.ts';
import { narrowParty } from '../../core/correlation.ts';
import { Unauthenticated } from '../../core/errors.ts';
import { canonicalId } from '../../core/ids.ts';
import { REFUSALS } from '../../core/messages.ts';
import { type Party, partyOfKey } from '../../core/party.ts';
import type { TokenVerifier } from '../../core/secrets/tokens.ts';
import { escaped } from '../../core/text.ts';
import { MINUTE_MS } from '../../core/time.ts';
import type { ApiKeyRow } from '../../db/access/api-key-states.ts';
import { findApiKey, noteApiKeyUse } from '../../db/access/api-keys.ts';
import { findApiKeyByCredentials } from '../../db/access/client-secrets.ts';
import type { Caller } from '../../handlers/handler.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { onlyHeader } from '../edge/only-header.ts';

/** Checks one security scheme. Throws Unauthenticated at once when no lookup is needed: cheap requests must be cheap to refuse. */
type SchemeCheck = (authorization: string | undefined, req: IncomingMessage) => Check;

interface Check {
  /** The API key that valid credentials name before they are looked up. */
  named?: string;
  caller: Promise<Caller>;
}

/** The checks, keyed by the contract's security scheme names. */
export type SchemeChecks = Record<string, SchemeCheck>;

const BASIC_CHALLENGE = 'Basic realm="token", charset="UTF-8"';

const CLIENT_ID = /^[\w-]{1,64}$/;

interface Checking extends Pick<Runtime, 'db' | 'now' | 'log'> {
  verifyToken: TokenVerifier;
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly Network[];
}

/** The API key of a valid access token. No look-up is needed, so everything that the request does counts for the key. */
export function partyByToken(
  verifyToken: TokenVerifier,
  now: Runtime['now'],
): (req: IncomingMessage) => Party | undefined {
  return (req) => {
    const token = credentialsOf('Bearer', onlyHeader(req, 'authorization'));
    const apiKeyId = token && verifyToken(token, now());
    return apiKeyId ? partyOfKey(apiKeyId) : undefined;
  };
}

export function createSchemeChecks({ db, now, log, verifyToken, trustedProxies }: Checking): SchemeChecks {
  const noteUse = createUseNotes({ db, log });
  const callerBy = ({ id }: Pick<ApiKeyRow, 'id'>, moment: Date): Caller => {
    noteUse(id, moment);
    return { apiKeyId: id };
  };
  const login = async (encoded: string, req: IncomingMessage) => {
    const [given = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
    const clientId = canonicalId(given);
    const moment = now();
    const apiKey = CLIENT_ID.test(clientId)
      ? await findApiKeyByCredentials(db, clientId, rest.join(':'), moment)
      : undefined;
    if (!apiKey) {
      if (log.unauthenticated.spend())
        log.warn({ client_id: attempted(given), address: clientAddress(req, trustedProxies) }, 'login failed');
      throw new Unauthenticated(REFUSALS.wrongCredentials, BASIC_CHALLENGE);
    }
    return callerBy(apiKey, moment);
  };
  const callerOfKey = async (apiKeyId: string, moment: Date) => {
    const apiKey = await findApiKey(db, apiKeyId, moment);
    if (!apiKey) throw invalidToken();
    return { ...callerBy(apiKey, moment), mailsLead: apiKey.mails_lead === 1 };
  };
  return {
    clientCredentials: (authorization, req) => {
      const encoded = credentialsOf('Basic', authorization);
      if (encoded) return { caller: login(encoded, req) };
      throw new Unauthenticated(REFUSALS.noCredentials, BASIC_CHALLENGE);
    },
    accessToken: (authorization) => {
      const token = credentialsOf('Bearer', authorization);
      if (!token) throw new Unauthenticated(REFUSALS.noToken, 'Bearer realm="api"');
      const moment = now();
      const apiKeyId = verifyToken(token, moment);
      if (apiKeyId === undefined) throw invalidToken();
      return { named: apiKeyId, caller: callerOfKey(apiKeyId, moment) };
    },
  };
}

function invalidToken(): Unauthenticated {
  return new Unauthenticated(REFUSALS.wrongToken, 'Bearer realm="api", error="invalid_token"');
}

const MAX_LOGGED_ID_LENGTH = 64;
/** The prefix of our client secrets, possibly preceded by characters copied along: a space, a quote, a name, encoded or not. */
const SECRET = /(sandbox|live)_[\w-]{8}/i;

/** The client_id as sent. Redacted when it looks like a secret in the wrong field. */
function attempted(clientId: string): string {
  const [, prefix] = SECRET.exec(clientId) ?? [];
  return prefix ? `${prefix}_(a secret)` : escaped(clientId, MAX_LOGGED_ID_LENGTH);
}

/** Records the last use of API keys, at most once per key and minute. Best effort: requests neither wait for it nor fail because of it. */
function createUseNotes({ db, log }: Pick<Runtime, 'db' | 'log'>): (apiKeyId: string, now: Date) => void {
  const noted = new Set<string>();
  let notedMinute = 0;
  return (apiKeyId, now) => {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute !== notedMinute) noted.clear();
    notedMinute = minute;
    if (noted.has(apiKeyId)) return;
    noted.add(apiKeyId);
    noteApiKeyUse(db, apiKeyId, new Date(minute * MINUTE_MS)).catch((error) =>
      log.warn({ err: error }, 'last use of an API key not recorded'),
    );
  };
}

/** The credentials after the scheme name, which is case-insensitive (RFC 9110, section 11.1). */
function credentialsOf(scheme: string, authorization: string | undefined): string | undefined {
  const [name = '', credentials, ...others] = (authorization ?? '').split(/ +/);
  return name.toLowerCase() === scheme.toLowerCase() && credentials && others.length === 0 ? credentials : undefined;
}

const checks = new WeakMap<Request, { caller: Caller; checked: Promise<void> }>();

/**
 * Runs the check that an operation declares, before the rest of the request is read.
 * @param isReader the route continues while the API key is looked up, so that its row is read in the same trip to the database, and answers only
 *   after `authenticated`. Only for what has no effect
 * @throws when the operation declares no scheme, or one without a check, so that no operation is open by accident
 */
export function authenticate(
  { id, schemes }: Pick<Operation, 'id' | 'schemes'>,
  known: SchemeChecks,
  { isReader = false } = {},
): RequestHandler {
  const [scheme, ...others] = schemes;
  const check = scheme !== undefined && Object.hasOwn(known, scheme) ? known[scheme] : undefined;
  if (!check || others.length > 0)
    throw new Error(`${id} needs exactly one security scheme that is checked; it has ${schemes.join(', ') || 'none'}.`);
  return async (req: Request, res: Response, next) => {
    const { named, caller } = check(onlyHeader(req, 'authorization'), req);
    const checked = caller.then(async (found) => {
      checks.set(req, { caller: found, checked });
      await narrowParty(partyOfKey(found.apiKeyId));
      res.locals['apiKeyId'] = found.apiKeyId;
    });
    if (isReader && named !== undefined) {
      checked.catch(() => {});
      checks.set(req, { caller: { apiKeyId: named }, checked });
    } else await checked;
    next();
  };
}

/** The caller; for a reader, perhaps one that is still being looked up. @throws when the route does not authenticate */
export function callerOf(req: Request): Caller {
  const check = checks.get(req);
  if (!check) throw new Error('A handler was reached without authentication.');
  return check.caller;
}

/** Whatever a request is answered with comes after this. @throws Unauthenticated */
export async function authenticated(req: Request): Promise<void> {
  await checks.get(req)?.checked;
}
