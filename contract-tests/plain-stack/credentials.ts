import type { Request } from 'express';
import jwt from 'jsonwebtoken';
import { Unauthenticated } from '../../core/errors.ts';
import { matchesHash } from '../../core/secrets/secrets.ts';
import type { TokenKeys } from '../../core/secrets/token-keys.ts';
import { isStorableText } from '../../core/text.ts';
import { type ApiKeyRow, isInForce } from '../../db/access/api-key-states.ts';
import { noteApiKeyUse } from '../../db/access/api-keys.ts';
import type { Database } from '../../db/connection/database.ts';
import type { Caller } from '../../handlers/handler.ts';
import type { Runtime } from '../../jobs/runtime.ts';

const MINUTE_MS = 60_000;
const PARTIES = { iss: 'tenant-screening', aud: 'tenant-screening-api' };
const HOUR_SECONDS = 3600;

type Check = (context: unknown, req: Request) => Promise<Caller>;

/** Queries the database and verifies the token's signature on every request. */
export function securityHandlers({ db, keys, now }: Runtime): Record<'clientCredentials' | 'accessToken', Check> {
  const admit = async (key: ApiKeyRow | undefined, moment: Date, refusal: Unauthenticated): Promise<Caller> => {
    if (!key || !isInForce(key, moment)) throw refusal;
    const minute = new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS);
    if ((key.last_used_at ?? '') < minute.toISOString()) await noteApiKeyUse(db, key.id, minute);
    return { apiKeyId: key.id };
  };
  return {
    clientCredentials: async (_context, req) => {
      const encoded = credentialsOf(req, 'basic', 'Send client_id and client_secret as HTTP Basic credentials.', BASIC);
      const [given = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
      // The ids of the service are UUIDs.
      const clientId = given.length === 36 ? given.toLowerCase() : given;
      const moment = now();
      const key = await keyByCredentials(db, clientId, rest.join(':'), moment);
      return admit(
        key,
        moment,
        new Unauthenticated('The client_id or client_secret is wrong, or the key was revoked.', BASIC),
      );
    },
    accessToken: async (_context, req) => {
      const hint = 'Send an access token as Authorization: Bearer <ACCESS_TOKEN>.';
      const token = credentialsOf(req, 'bearer', hint, BEARER);
      const moment = now();
      const id = subjectOf(token, keys.token, moment);
      const key = id === undefined ? undefined : await db('api_keys').where({ id }).first();
      const refusal = 'The access token is invalid or has expired; get a new one.';
      return admit(key, moment, new Unauthenticated(refusal, `${BEARER}, error="invalid_token"`));
    },
  };
}

const BASIC = 'Basic realm="token", charset="UTF-8"';
const BEARER = 'Bearer realm="api"';

function credentialsOf(req: Request, scheme: string, hint: string, challenge: string): string {
  const given = req.headersDistinct['authorization'] ?? [];
  const [name = '', credentials = '', ...more] = given.length === 1 ? (given[0] ?? '').split(/ +/) : [];
  if (name.toLowerCase() !== scheme || credentials === '' || more.length > 0)
    throw new Unauthenticated(hint, challenge);
  return credentials;
}

async function keyByCredentials(
  db: Database,
  clientId: string,
  secret: string,
  moment: Date,
): Promise<ApiKeyRow | undefined> {
  if (!/^[\w-]{1,64}$/.test(clientId)) return undefined;
  const key = await db('api_keys').where({ client_id: clientId }).first();
  if (!key) return undefined;
  const former = await db('former_client_secrets')
    .where({ api_key_id: key.id })
    .where('expires_at', '>', moment.toISOString());
  return [key, ...former].some((row) => matchesHash(secret, row.client_secret_hash)) ? key : undefined;
}

function subjectOf(token: string, keys: TokenKeys, moment: Date): string | undefined {
  const options = { algorithms: ['HS256' as const], clockTimestamp: moment.getTime() / 1000 };
  for (const { header, key } of keys)
    try {
      const payload = jwt.verify(token, key, options);
      const { iss, aud, sub, iat, exp }: Record<string, unknown> = typeof payload === 'string' ? {} : payload;
      const isOurs = header === token.split('.', 1).join() && iss === PARTIES.iss && aud === PARTIES.aud;
      const isNow = typeof iat === 'number' && iat <= moment.getTime() / 1000 + 1;
      const livesAnHour = isNow && typeof exp === 'number' && exp > iat && exp <= iat + HOUR_SECONDS;
      if (isOurs && livesAnHour && typeof sub === 'string' && isStorableText(sub)) return sub;
    } catch {
      // Not signed with this key.
    }
  return undefined;
}
