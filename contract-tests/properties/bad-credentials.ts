import { createHmac, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { issueToken, TOKEN_PARTIES } from '../../core/secrets/tokens.ts';
import { basicOf } from '../../harness/service/client.ts';
import type { World } from './world.ts';

/** The values of the Authorization header, one for each occurrence. */
type Credentials = (world: World) => string[];

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const parts = ({ owner }: World): [string, string, string] => {
  const [header = '', payload = '', signature = ''] = owner.token.split('.');
  return [header, payload, signature];
};
const claims = ({ owner }: World) => ({
  ...TOKEN_PARTIES,
  sub: owner.apiKeyId,
  exp: Math.floor(Date.now() / 1000) + 3600,
});
const ours = ({ test }: World): KeyObject => test.service.runtime.keys.token[0].key;
const named = ({ test }: World) => ({ algorithm: 'HS256', keyid: test.service.runtime.keys.token[0].id }) as const;
const bearer =
  (token: (world: World) => string): Credentials =>
  (world) => [`Bearer ${token(world)}`];
const HS256 = encoded({ alg: 'HS256', typ: 'JWT' });
const strangers = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = strangers.publicKey.export({ type: 'spki', format: 'pem' }).toString();
const signed = (text: string, key: string) => `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);
const HOUR_MS = 3_600_000;

export const badTokens: Record<string, Credentials> = {
  'no header': () => [],
  'an empty header': () => [''],
  'the scheme alone': () => ['Bearer'],
  'the scheme and a space': () => ['Bearer '],
  'a token without a scheme': ({ owner }) => [owner.token],
  'another scheme': ({ owner }) => [`Token ${owner.token}`],
  'a scheme that only begins alike': ({ owner }) => [`BearerX ${owner.token}`],
  'a colon after the scheme': ({ owner }) => [`Bearer: ${owner.token}`],
  'a tab after the scheme': ({ owner }) => [`Bearer\t${owner.token}`],
  'client credentials': ({ owner }) => [`Basic ${basicOf(owner.clientId, owner.clientSecret)}`],
  'the client secret': ({ owner }) => [`Bearer ${owner.clientSecret}`],
  'quotes around the token': bearer(({ owner }) => `"${owner.token}"`),
  'no token at all': bearer(() => 'null'),
  'two dots': bearer(() => '..'),
  'bytes beyond ASCII': bearer(() => Buffer.from('ñ.𝄞.é').toString('latin1')),
  'a very long token': bearer(() => 'A'.repeat(10_000)),
  'a padded token': bearer(({ owner }) => `${owner.token}=`),
  'a token cut short': bearer(({ owner }) => owner.token.slice(0, -3)),
  'a token and more': bearer(({ owner }) => `${owner.token}.${owner.token}`),
  'another header': bearer((world) => [encoded({ alg: 'HS256' }), ...parts(world).slice(1)].join('.')),
  'another payload': bearer((world) => `${HS256}.${encoded(claims(world))}.${parts(world)[2]}`),
  'a payload with NUL': bearer((world) => `${HS256}.${encoded({ ...claims(world), sub: '\0' })}.${parts(world)[2]}`),
  'a payload that is not JSON': bearer(
    (world) => `${HS256}.${Buffer.from('{').toString('base64url')}.${parts(world)[2]}`,
  ),
  'another signature': bearer((world) => [...parts(world).slice(0, 2), flipped(parts(world)[2])].join('.')),
  'no signature': bearer((world) => [...parts(world).slice(0, 2), ''].join('.')),
  'algorithm none': bearer((world) => `${encoded({ alg: 'none' })}.${parts(world)[1]}.`),
  'algorithm nOnE': bearer((world) => `${encoded({ alg: 'nOnE' })}.${parts(world)[1]}.${parts(world)[2]}`),
  'another algorithm by our key': bearer((world) => jwt.sign(claims(world), ours(world), { algorithm: 'HS512' })),
  'another key': bearer((world) => jwt.sign(claims(world), randomBytes(32), { algorithm: 'HS256' })),
  'an empty key': bearer((world) => signed(`${HS256}.${encoded(claims(world))}`, '')),
  'a public key as secret': bearer((world) => signed(`${HS256}.${encoded(claims(world))}`, publicPem)),
  'the token of another service': bearer(() =>
    jwt.sign({ sub: 'user', iss: 'https://other.example' }, strangers.privateKey, {
      algorithm: 'RS256',
      expiresIn: 3600,
    }),
  ),
  'an expired token': bearer((world) =>
    issueToken(
      world.owner.apiKeyId,
      world.test.service.runtime.keys.token,
      new Date(world.clock().getTime() - HOUR_MS),
    ),
  ),
  'a token without an end': bearer((world) =>
    jwt.sign({ ...TOKEN_PARTIES, sub: world.owner.apiKeyId }, ours(world), named(world)),
  ),
  'a token of no key': bearer((world) => jwt.sign({ ...claims(world), sub: 'nobody' }, ours(world), named(world))),
  'the token of a revoked key': bearer(({ revoked }) => revoked.token),
  'two tokens, the first good': ({ owner }) => [`Bearer ${owner.token}`, 'Bearer nonsense'],
  'two tokens, the second good': ({ owner }) => ['Bearer nonsense', `Bearer ${owner.token}`],
  'two tokens with a comma': ({ owner }) => [`Bearer ${owner.token}, Bearer ${owner.token}`],
};

const basic =
  (pair: (world: World) => string): Credentials =>
  (world) => [`Basic ${Buffer.from(pair(world)).toString('base64')}`];

export const badBasic: Record<string, Credentials> = {
  'no header': () => [],
  'an empty header': () => [''],
  'the scheme alone': () => ['Basic'],
  'another scheme': ({ owner }) => [`Digest ${basicOf(owner.clientId, owner.clientSecret)}`],
  'a bearer token': ({ owner }) => [`Bearer ${owner.token}`],
  'credentials as plain text': ({ owner }) => [`Basic ${owner.clientId}:${owner.clientSecret}`],
  'what is not base64': () => ['Basic !!!'],
  'very long credentials': () => [`Basic ${'A'.repeat(10_000)}`],
  'no colon': basic(({ owner }) => owner.clientId),
  'only a colon': basic(() => ':'),
  'no secret': basic(({ owner }) => `${owner.clientId}:`),
  'no identifier': basic(({ owner }) => `:${owner.clientSecret}`),
  'the two the other way round': basic(({ owner }) => `${owner.clientSecret}:${owner.clientId}`),
  'a wrong secret': basic(({ owner }) => `${owner.clientId}:${flipped(owner.clientSecret)}`),
  'a secret and more': basic(({ owner }) => `${owner.clientId}:${owner.clientSecret}x`),
  'a secret cut short': basic(({ owner }) => `${owner.clientId}:${owner.clientSecret.slice(0, -1)}`),
  'a secret with NUL': basic(({ owner }) => `${owner.clientId}:${owner.clientSecret}\0`),
  'an identifier with NUL': basic(({ owner }) => `${owner.clientId}\0:${owner.clientSecret}`),
  'an identifier beyond ASCII': basic(({ owner }) => `ñ𝄞:${owner.clientSecret}`),
  'an identifier that is SQL': basic(({ owner }) => `' or '1'='1:${owner.clientSecret}`),
  'an unknown identifier': basic(({ owner }) => `unknown:${owner.clientSecret}`),
  'the identifier of another key': basic(({ owner, test }) => `${test.bob.clientId}:${owner.clientSecret}`),
  'the internal identifier': basic(({ owner }) => `${owner.apiKeyId}:${owner.clientSecret}`),
  'a revoked key': basic(({ revoked }) => `${revoked.clientId}:${revoked.clientSecret}`),
  'two headers, the first good': ({ owner }) => [`Basic ${basicOf(owner.clientId, owner.clientSecret)}`, 'Basic x'],
  'two headers, the second good': ({ owner }) => ['Basic x', `Basic ${basicOf(owner.clientId, owner.clientSecret)}`],
};
