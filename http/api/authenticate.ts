import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import type { Network } from '../../core/addresses/address-ranges.ts';
import { clientAddress } from '../../core/addresses/client-address.ts';
import type { Operation } from '../../core/contract.ts';
import { narrowParty } from '../../core/correlation.ts';
import { Overloaded, Unauthenticated } from '../../core/errors.ts';
import { canonicalId } from '../../core/ids.ts';
import { isUnavailable } from '../../core/lost-connections.ts';
import { REFUSALS } from '../../core/messages.ts';
import { type Party, partyOfKey } from '../../core/party.ts';
import type { TokenVerifier } from '../../core/secrets/tokens.ts';
import { escaped } from '../../core/text.ts';
import { MINUTE_MS } from '../../core/time.ts';
import { type ApiKeyRow, isInForce } from '../../db/access/api-key-states.ts';
import { findApiKey, noteApiKeyUse } from '../../db/access/api-keys.ts';
import { findApiKeyByCredentials } from '../../db/access/client-secrets.ts';
import type { ReadForCaller } from '../../db/connection/queries/key-reads.ts';
import type { Caller } from '../../handlers/handler.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { onlyHeader } from '../edge/only-header.ts';

/** Checks one security scheme. Throws Unauthenticated at once when no lookup is needed: cheap requests must be cheap to refuse. */
type SchemeCheck = (authorization: string | undefined, req: IncomingMessage) => Check;

interface Check {
  /** Looks up the API key. @throws Unauthenticated */
  caller(): Promise<Caller>;
  /** Present when the credentials name an API key themselves. */
  reader?: Reading;
}

interface Reading {
  apiKeyId: string;
  /** Finds the key in force, in one statement with what it reads. @throws Unauthenticated */
  read: ReadForCaller;
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
      if (encoded) return { caller: () => login(encoded, req) };
      throw new Unauthenticated(REFUSALS.noCredentials, BASIC_CHALLENGE);
    },
    accessToken: (authorization) => {
      const token = credentialsOf('Bearer', authorization);
      if (!token) throw new Unauthenticated(REFUSALS.noToken, 'Bearer realm="api"');
      const moment = now();
      const apiKeyId = verifyToken(token, moment);
      if (apiKeyId === undefined) throw invalidToken();
      return {
        caller: () => callerOfKey(apiKeyId, moment),
        reader: {
          apiKeyId,
          read: async (statement, ...values) => {
            const { key, found } = await statement(db, apiKeyId, ...values);
            if (!key || !isInForce(key, moment)) throw invalidToken();
            noteUse(apiKeyId, moment);
            return found;
          },
        },
      };
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

interface Checked {
  caller?: Caller;
  reader?: Reading;
  /** Looks the caller up, unless a read has found the key in force. */
  confirm(): Promise<void>;
}

const IS_CONFIRMED = async () => {};

/** Kept with the response: in a WeakMap, what refers to its request stays in memory until the next full garbage collection. */
function checkedOf({ res }: Request): Checked | undefined {
  return res?.locals['checked'];
}

/**
 * Runs the check that an operation declares, before the rest of the request is read.
 * @param isReader the route continues at once, and reads its row in one statement with the API key (`readerOf`). Only for what has no effect
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
    const { caller, reader } = check(onlyHeader(req, 'authorization'), req);
    const confirm = async () => {
      const found = await caller();
      await narrowParty(partyOfKey(found.apiKeyId));
      res.locals['apiKeyId'] = found.apiKeyId;
      res.locals['checked'] = { caller: found, confirm: IS_CONFIRMED } satisfies Checked;
    };
    if (isReader && reader) res.locals['checked'] = { reader, confirm } satisfies Checked;
    else await confirm();
    next();
  };
}

/** The caller. @throws when the route does not authenticate */
export function callerOf(req: Request): Caller {
  const caller = checkedOf(req)?.caller;
  if (!caller) throw new Error('A handler was reached without authentication.');
  return caller;
}

/** What reads for the caller of a reader. @throws when the route does not authenticate as one */
export function readerOf(req: Request, res: Response): ReadForCaller {
  const reader = checkedOf(req)?.reader;
  if (!reader) throw new Error('A reader was reached without authentication.');
  return async (statement, ...values) => {
    try {
      const found = await reader.read(statement, ...values);
      res.locals['apiKeyId'] = reader.apiKeyId;
      res.locals['checked'] = { reader, confirm: IS_CONFIRMED } satisfies Checked;
      return found;
    } catch (error) {
      // No second wait for the same answer. Any other error may be about the row, of which an invalid token learns nothing.
      if (error instanceof Unauthenticated || error instanceof Overloaded || isUnavailable(error))
        res.locals['checked'] = { reader, confirm: () => Promise.reject(error) } satisfies Checked;
      throw error;
    }
  };
}

/** Whatever a request is answered with comes after this. @throws Unauthenticated */
export async function authenticated(req: Request): Promise<void> {
  await checkedOf(req)?.confirm();
}
