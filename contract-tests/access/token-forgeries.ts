import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { keyRing } from '../../core/secrets/key-ring.ts';
import { type TokenKey, tokenKeys } from '../../core/secrets/token-keys.ts';
import { issueToken, TOKEN_PARTIES } from '../../core/secrets/tokens.ts';

/** The forger's tools. They include our key, because the claims of a correctly signed token are validated just as strictly. */
export interface Forge {
  token: string;
  ours: TokenKey;
  apiKeyId: string;
  clientId: string;
  landlordId: string;
}

type Forgeries = Record<string, (forge: Forge) => string>;

export const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const hmac = (text: string, key: Parameters<typeof createHmac>[1], hash = 'sha256') =>
  createHmac(hash, key).update(text).digest('base64url');
const now = () => Math.floor(Date.now() / 1000);
export const genuineHeader = ({ ours }: Forge) => ({ alg: 'HS256', typ: 'JWT', kid: ours.id });
export const genuineClaims = ({ apiKeyId }: Forge, moment = now()) => ({
  ...TOKEN_PARTIES,
  sub: apiKeyId,
  iat: moment,
  exp: moment + 3600,
});
const parts = ({ token }: Forge): [string, string, string] => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  return [header, payload, signature];
};

/** Signs correctly. Uses a header or claims given as text unchanged. */
export function signed(header: unknown, claims: unknown, key: Parameters<typeof createHmac>[1], hash?: string): string {
  const text = `${encode(header)}.${encode(claims)}`;
  return `${text}.${hmac(text, key, hash)}`;
}

const strange = randomBytes(32);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' });
const publicJwk = rsa.publicKey.export({ format: 'jwk' });
const oct = { kty: 'oct', k: strange.toString('base64url'), alg: 'HS256' };

const algorithms: Forgeries = {};
for (const alg of ['none', 'None', 'NONE', 'nOnE', ' none', '', null, undefined, ['none'], { none: true }]) {
  const name = JSON.stringify(alg) ?? 'absent';
  algorithms[`algorithm ${name} without a signature`] = (forge) =>
    `${encode({ ...genuineHeader(forge), alg })}.${parts(forge)[1]}.`;
  algorithms[`algorithm ${name} with the signature kept`] = (forge) =>
    [encode({ ...genuineHeader(forge), alg }), ...parts(forge).slice(1)].join('.');
}
for (const [alg, hash] of Object.entries({ HS384: 'sha384', HS512: 'sha512', hs256: 'sha256', 'HS256 ': 'sha256' }))
  algorithms[`algorithm ${alg} by our key`] = (forge) =>
    signed({ ...genuineHeader(forge), alg }, genuineClaims(forge), forge.ours.key, hash);
for (const alg of ['RS256', 'ES256', 'PS256', 'EdDSA', 'dir'])
  algorithms[`algorithm ${alg} over an HMAC by our key`] = (forge) =>
    signed({ ...genuineHeader(forge), alg }, genuineClaims(forge), forge.ours.key);
Object.assign(algorithms, {
  'a private RSA key of their own': (forge: Forge) =>
    jwt.sign(genuineClaims(forge), rsa.privateKey, { algorithm: 'RS256', keyid: forge.ours.id }),
  'a private elliptic key of their own': (forge: Forge) =>
    jwt.sign(genuineClaims(forge), ec.privateKey, { algorithm: 'ES256', keyid: forge.ours.id }),
  'a public key as HMAC secret': (forge: Forge) => signed(genuineHeader(forge), genuineClaims(forge), publicPem),
  'an empty HMAC secret': (forge: Forge) => signed(genuineHeader(forge), genuineClaims(forge), ''),
  'an HMAC secret of their own': (forge: Forge) => signed(genuineHeader(forge), genuineClaims(forge), strange),
  'the key’s name as HMAC secret': (forge: Forge) => signed(genuineHeader(forge), genuineClaims(forge), forge.ours.id),
});

const KIDS: Record<string, unknown> = {
  'a path': '../../../../dev/null',
  'a file address': 'file:///proc/sys/kernel/randomize_va_space',
  SQL: "x' union select 'AAAA' --",
  'a command': '|cat /etc/passwd',
  'an array': ['kid'],
  'an object': { toString: 'kid' },
  'a number': 0,
  null: null,
  'an empty text': '',
  'very long': 'k'.repeat(9_000),
  __proto__: '__proto__',
  constructor: 'constructor',
  'of an unknown key': '0badc0de',
};
const headers: Forgeries = {};
for (const [what, kid] of Object.entries(KIDS)) {
  const header = { alg: 'HS256', typ: 'JWT', kid };
  headers[`a kid that is ${what}, by an empty key`] = (forge) => signed(header, genuineClaims(forge), '');
  headers[`a kid that is ${what}, by our key`] = (forge) => signed(header, genuineClaims(forge), forge.ours.key);
}
const additions: Record<string, object> = {
  jwk: { jwk: oct },
  'jwk of a public key': { jwk: publicJwk },
  jku: { jku: 'https://forger.example/jwks.json' },
  x5u: { x5u: 'https://forger.example/chain.pem' },
  x5c: { x5c: [rsa.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] },
  crit: { crit: ['exp'] },
  'crit of what no one knows': { crit: ['forger'], forger: true },
  'b64 false': { b64: false, crit: ['b64'] },
  'a compressed payload': { zip: 'DEF' },
  cty: { cty: 'JWT' },
};
for (const [what, addition] of Object.entries(additions)) {
  headers[`${what} in the header, by a key of their own`] = (forge) =>
    signed({ ...genuineHeader(forge), ...addition }, genuineClaims(forge), strange);
  headers[`${what} in the header, by our key`] = (forge) =>
    signed({ ...genuineHeader(forge), ...addition }, genuineClaims(forge), forge.ours.key);
}
Object.assign(headers, {
  'a public key in the header, by its private key': (forge: Forge) =>
    jwt.sign(genuineClaims(forge), rsa.privateKey, {
      algorithm: 'RS256',
      header: { alg: 'RS256', ...{ jwk: publicJwk } },
    }),
  'alg twice, the second good': ({ ours, ...forge }: Forge) =>
    signed(`{"alg":"none","alg":"HS256","typ":"JWT","kid":"${ours.id}"}`, genuineClaims({ ours, ...forge }), ours.key),
  'alg twice, the first good': ({ ours, ...forge }: Forge) =>
    signed(`{"alg":"HS256","alg":"none","typ":"JWT","kid":"${ours.id}"}`, genuineClaims({ ours, ...forge }), ours.key),
  'kid twice': ({ ours, ...forge }: Forge) =>
    signed(`{"alg":"HS256","typ":"JWT","kid":"x","kid":"${ours.id}"}`, genuineClaims({ ours, ...forge }), ours.key),
  'another typ': (forge: Forge) =>
    signed({ ...genuineHeader(forge), typ: 'dpop+jwt' }, genuineClaims(forge), forge.ours.key),
  'a header that is not JSON': (forge: Forge) => signed('{', genuineClaims(forge), forge.ours.key),
  'a header that is null': (forge: Forge) => signed('null', genuineClaims(forge), forge.ours.key),
});

const HOUR = 3600;
const WRONG_CLAIMS: Record<string, (moment: number) => object> = {
  'exp that is missing': () => ({ exp: undefined }),
  'exp that is a text': (moment) => ({ exp: String(moment + HOUR) }),
  'exp that is a word': () => ({ exp: 'never' }),
  'exp that is an array': (moment) => ({ exp: [moment + HOUR] }),
  'exp that is an object': () => ({ exp: {} }),
  'exp that is true': () => ({ exp: true }),
  'exp that is null, as NaN is written': () => ({ exp: Number.NaN }),
  'exp in milliseconds': (moment) => ({ exp: (moment + HOUR) * 1000 }),
  'exp that is negative': (moment) => ({ exp: -moment }),
  'exp that is 0': () => ({ exp: 0 }),
  'exp that is past': (moment) => ({ iat: moment - 2 * HOUR, exp: moment - HOUR }),
  'exp in the far future': (moment) => ({ exp: moment + 100 * 365 * 24 * HOUR }),
  'exp that is a second too late': (moment) => ({ exp: moment + HOUR + 1 }),
  'iat that is missing': () => ({ iat: undefined }),
  'iat that is a text': (moment) => ({ iat: String(moment) }),
  'iat in the future, and exp an hour after it': (moment) => ({ iat: moment + HOUR, exp: moment + 2 * HOUR }),
  'iat in a hundred years, and exp an hour after it': (moment) => ({
    iat: moment + 100 * 365 * 24 * HOUR,
    exp: moment + 100 * 365 * 24 * HOUR + HOUR,
  }),
  'iat after exp': (moment) => ({ iat: moment + 10 * HOUR }),
  'iat in milliseconds': (moment) => ({ iat: moment * 1000 }),
  'iss that is missing': () => ({ iss: undefined }),
  'iss of another service': () => ({ iss: 'https://other.example' }),
  'iss that is an array': () => ({ iss: [TOKEN_PARTIES.iss] }),
  'iss that is empty': () => ({ iss: '' }),
  'aud that is missing': () => ({ aud: undefined }),
  'aud of another service': () => ({ aud: 'https://other.example' }),
  'aud that begins like ours': () => ({ aud: `${TOKEN_PARTIES.aud}-internal` }),
  'aud that is an empty array': () => ({ aud: [] }),
  'neither iss nor aud, as earlier versions issued': () => ({ iss: undefined, aud: undefined }),
  'nbf in the future': (moment) => ({ nbf: moment + HOUR }),
  'nbf that is a text': (moment) => ({ nbf: String(moment) }),
  'sub that is missing': () => ({ sub: undefined }),
  'sub that is null': () => ({ sub: null }),
  'sub that is a number': () => ({ sub: 1 }),
  'sub that is true': () => ({ sub: true }),
  'sub that is an object': () => ({ sub: { $ne: '' } }),
  'sub that is empty': () => ({ sub: '' }),
  'sub of no key': () => ({ sub: '00000000-0000-4000-8000-000000000000' }),
  'sub with NUL': () => ({ sub: '\0' }),
  'sub with half a character': () => ({ sub: '\ud800' }),
  'sub that is SQL': () => ({ sub: "' or '1'='1" }),
  'sub that is a pattern': () => ({ sub: '%' }),
};
const claims: Forgeries = {};
for (const [what, change] of Object.entries(WRONG_CLAIMS))
  claims[what] = (forge) => signed(genuineHeader(forge), { ...genuineClaims(forge), ...change(now()) }, forge.ours.key);
Object.assign(claims, {
  'sub that is an array': (forge: Forge) =>
    signed(genuineHeader(forge), { ...genuineClaims(forge), sub: [forge.apiKeyId] }, forge.ours.key),
  'sub that is a client_id': (forge: Forge) =>
    signed(genuineHeader(forge), { ...genuineClaims(forge), sub: forge.clientId }, forge.ours.key),
  'sub of a landlord': (forge: Forge) =>
    signed(genuineHeader(forge), { ...genuineClaims(forge), sub: forge.landlordId }, forge.ours.key),
  'sub in capitals': (forge: Forge) =>
    signed(genuineHeader(forge), { ...genuineClaims(forge), sub: forge.apiKeyId.toUpperCase() }, forge.ours.key),
  'exp that is infinite': (forge: Forge) =>
    signed(
      genuineHeader(forge),
      JSON.stringify(genuineClaims(forge)).replace(/"exp":\d+/, '"exp":1e400'),
      forge.ours.key,
    ),
  'claims that are null': (forge: Forge) => signed(genuineHeader(forge), 'null', forge.ours.key),
  'claims that are a text': (forge: Forge) => signed(genuineHeader(forge), `"${forge.apiKeyId}"`, forge.ours.key),
  'claims that are an array': (forge: Forge) => signed(genuineHeader(forge), [genuineClaims(forge)], forge.ours.key),
  'claims that are not JSON': (forge: Forge) => signed(genuineHeader(forge), '{"sub":', forge.ours.key),
  'other claims under the signature': (forge: Forge) =>
    [parts(forge)[0], encode(genuineClaims(forge)), parts(forge)[2]].join('.'),
  'a claim twice under the signature': (forge: Forge) => {
    const [header, payload, signature] = parts(forge);
    const twice = Buffer.from(payload, 'base64url').toString().replace('{', '{"sub":"another",');
    return [header, encode(twice), signature].join('.');
  },
});

/** Other spellings of the last character, whose lowest two bits are not part of the signature. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const respelt = (text: string, by: number) => {
  const last = ALPHABET.indexOf(text.at(-1) ?? '');
  return text.slice(0, -1) + ALPHABET[(last & 0b111100) | ((last + by) & 0b11)];
};
const shapes: Forgeries = {
  'a signature with other unused bits (1)': ({ token }) => respelt(token, 1),
  'a signature with other unused bits (2)': ({ token }) => respelt(token, 2),
  'a signature with other unused bits (3)': ({ token }) => respelt(token, 3),
  'a signature with padding': ({ token }) => `${token}=`,
  'a signature in the standard alphabet': (forge) => {
    const [header, payload, signature] = parts(forge);
    return [header, payload, Buffer.from(signature, 'base64url').toString('base64')].join('.');
  },
  'a signature in hexadecimal': (forge) => {
    const [header, payload, signature] = parts(forge);
    return [header, payload, Buffer.from(signature, 'base64url').toString('hex')].join('.');
  },
  'an empty signature': (forge) => [...parts(forge).slice(0, 2), ''].join('.'),
  'no signature': (forge) => parts(forge).slice(0, 2).join('.'),
  'a signature cut short': ({ token }) => token.slice(0, -1),
  'the header alone': (forge) => parts(forge)[0],
  'an empty header': (forge) => ['', ...parts(forge).slice(1)].join('.'),
  'a header with padding': (forge) => [`${parts(forge)[0]}=`, ...parts(forge).slice(1)].join('.'),
  'empty claims': (forge) => [parts(forge)[0], '', parts(forge)[2]].join('.'),
  'a header with spaces in its JSON': (forge) =>
    signed(JSON.stringify(genuineHeader(forge), null, 1), genuineClaims(forge), forge.ours.key),
  'a dot more': ({ token }) => `${token}.`,
  'a dot before': ({ token }) => `.${token}`,
  'a part more': (forge) => `${forge.token}.${parts(forge)[2]}`,
  'dots as percent signs': ({ token }) => token.replaceAll('.', '%2E'),
  'other letters': ({ token }) => token.toLowerCase(),
  'a tab within': ({ token }) => token.replace('.', '\t.'),
  'the JSON of a signature, flattened': (forge) => {
    const [header, payload, signature] = parts(forge);
    return JSON.stringify({ protected: header, payload, signature });
  },
  'the JSON of a signature, general': (forge) => {
    const [header, payload, signature] = parts(forge);
    return JSON.stringify({ payload, signatures: [{ protected: header, signature }] });
  },
  'a token within a token': (forge) => signed({ ...genuineHeader(forge), cty: 'JWT' }, forge.token, strange),
  'a token within our token': (forge) => signed(genuineHeader(forge), forge.token, forge.ours.key),
  'an encrypted token': (forge) =>
    [encode({ alg: 'dir', enc: 'A256GCM', kid: forge.ours.id }), '', 'AAAA', parts(forge)[1], 'AAAA'].join('.'),
  'an unsecured token of another issuer': (forge) => `${encode({ alg: 'none' })}.${encode(genuineClaims(forge))}.`,
};

const circumstances: Forgeries = {
  'the token of another environment': ({ apiKeyId }) =>
    issueToken(apiKeyId, tokenKeys(keyRing(strange, [])), new Date()),
  'no kid on our signature': (forge) => jwt.sign(genuineClaims(forge), forge.ours.key, { algorithm: 'HS256' }),
  'the token of another environment without a kid': (forge) =>
    jwt.sign(genuineClaims(forge), strange, { algorithm: 'HS256' }),
  'the kid of our key on the token of another environment': (forge) =>
    jwt.sign(genuineClaims(forge), strange, { algorithm: 'HS256', keyid: forge.ours.id }),
  'the kid of their key on our signature': (forge) =>
    jwt.sign(genuineClaims(forge), forge.ours.key, {
      algorithm: 'HS256',
      keyid: tokenKeys(keyRing(strange, []))[0].id,
    }),
  'a token of an hour ago': ({ apiKeyId, ours }) => issueToken(apiKeyId, [ours], new Date(Date.now() - HOUR * 1000)),
};

export const forgeries: Record<string, Forgeries> = {
  'its algorithm': algorithms,
  'its header': headers,
  'its claims': claims,
  'its form': shapes,
  'its key': circumstances,
};
