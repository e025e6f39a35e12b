import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CompactEncrypt } from 'jose';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { DecryptionKey } from '../../core/settings/eid-settings.ts';
import {
  CALLBACK,
  completeAuthorization,
  documentsAfter,
  eidOf,
  receiveCallback,
  thrown,
} from '../../harness/browser/oidc-authorization.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { type Endpoint, OidcProvider } from '../../harness/peers/oidc-provider.ts';

databases('none');

type Body = Record<string, unknown>;
type Alteration = (body: Body) => Body;

const listed = (value: unknown): Body[] => (Array.isArray(value) ? value : []);

/** As public reports show them; each is read by most client libraries. */
const lax: Record<string, [Endpoint, (provider: OidcProvider) => Alteration]> = {
  'null members in the metadata': [
    'discovery',
    () => (body) => ({
      ...body,
      token_endpoint_auth_methods_supported: null,
      end_session_endpoint: null,
      claims_supported: [null, 'sub'],
      mtls_endpoint_aliases: null,
      authorization_response_iss_parameter_supported: null,
    }),
  ],
  'null members in the token response': [
    'token',
    () => (body) => ({ ...body, refresh_token: null, scope: null, expires_in: null, error: null }),
  ],
  'a lifetime as text': ['token', () => (body) => ({ ...body, expires_in: '3600' })],
  'a lifetime as words': ['token', () => (body) => ({ ...body, expires_in: 'one hour', refresh_expires_in: '' })],
  'a scope as a list': ['token', () => (body) => ({ ...body, scope: ['openid', 'profile'] })],
  'no type of its token': [
    'token',
    () =>
      ({ token_type, ...body }) => ({ ...body, token_type: null }),
  ],
  'null members in keys': [
    'jwks',
    () => (body) => ({ keys: listed(body['keys']).map((key) => ({ ...key, x5c: null, alg: null, key_ops: null })) }),
  ],
  'a key of an unknown kind, and none at all, beside its keys': [
    'jwks',
    () => (body) => ({ keys: [null, { kty: 'future', kid: 'a' }, ...listed(body['keys'])], next: null }),
  ],
  'the same key twice, and another of its identifier': [
    'jwks',
    () => (body) => ({
      keys: listed(body['keys']).flatMap((key) => [{ ...otherKey(), kid: key['kid'] }, key, key]),
    }),
  ],
  'keys without identifiers': [
    'jwks',
    () => (body) => ({ keys: [otherKey(), ...listed(body['keys']).map(({ kid, ...key }) => key)] }),
  ],
  'null claims in the ID token': [
    'token',
    (provider) => resigned(provider, () => ({ auth_time: null, nbf: null, azp: null, acr: null, email: null })),
  ],
  'times as text in the ID token': [
    'token',
    (provider) =>
      resigned(provider, ({ exp, iat }) => ({ exp: String(exp), iat: String(iat), auth_time: ` ${iat}.5` })),
  ],
  'times as dates in the ID token': [
    'token',
    (provider) =>
      resigned(provider, ({ exp, iat }) => ({ exp: new Date(Number(exp) * 1000).toISOString(), nbf: `${iat}` })),
  ],
  'null claims': ['userinfo', () => (body) => ({ ...body, email: null, phone_number: null, updated_at: '1764000000' })],
};

const otherKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });

function claimsOf(token: unknown): Body {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}

function resigned(provider: OidcProvider, change: (claims: Body) => Body): Alteration {
  return (body) => ({ ...body, id_token: provider.resign(body['id_token'], change(claimsOf(body['id_token']))) });
}

describe('answers of a national eID provider that break its protocol', () => {
  const provider = testFixture(() => OidcProvider.start(CALLBACK));
  beforeEach(() => {
    provider.people.set('ada', { level: 'high', claims: { name: 'Ada Lovelace', birthdate: '1815-12-10' } });
  });

  const identity = async (eid = eidOf(provider)) => {
    const files = await documentsAfter(await completeAuthorization(provider, { eid }), eid);
    return JSON.parse(files['national-identity.json'] ?? '');
  };
  const trouble = async (work: Promise<unknown>, about: string) => {
    const error = await thrown(work);
    expect(error).to.be.instanceOf(ProviderUnavailable);
    expect(error.message).to.include(about);
  };

  for (const [what, [endpoint, alteration]] of Object.entries(lax))
    it(`are read with ${what}`, async () => {
      provider.alterations.set(endpoint, alteration(provider));
      const { subject, claims } = await identity();
      expect(subject).to.equal('ada');
      expect(claims).to.include({ name: 'Ada Lovelace', birthdate: '1815-12-10' });
      expect(Object.values(claims)).to.not.include(null);
    });

  it('are read with an identifier that is a number', async () => {
    provider.people.set('17', { level: 'high', claims: { name: 'Grace' } });
    provider.alterations.set(
      'token',
      resigned(provider, () => ({ sub: 17 })),
    );
    provider.alterations.set('userinfo', (body) => ({ ...body, sub: 17 }));
    const eid = eidOf(provider);
    const files = await documentsAfter(await completeAuthorization(provider, { eid, form: { login: '17' } }), eid);
    expect(JSON.parse(files['national-identity.json'] ?? '')).to.include({ subject: '17' });
  });

  it('do not weaken the checks: times and parties count in every form', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    for (const [claims, about] of [
      [{ exp: String(past) }, 'exp'],
      [{ exp: new Date(past * 1000).toISOString() }, 'exp'],
      [{ nbf: String(past + 7200) }, 'nbf'],
      [{ aud: ['another', null] }, 'aud'],
      [{ nonce: null }, 'nonce'],
    ] as const) {
      provider.alterations.set(
        'token',
        resigned(provider, () => claims),
      );
      const outcome = await completeAuthorization(provider);
      expect(outcome).to.include({ state: 'failed' });
      expect(outcome).to.have.property('reason').that.includes(about);
    }
  });

  it('are the provider’s trouble when they lack what a flow needs, and the operator reads what', async () => {
    for (const [endpoint, alteration] of [
      ['token', (body) => ({ ...body, access_token: null })],
      ['token', (body) => ({ ...body, id_token: 'not-a-token' })],
      ['token', (body) => ({ ...body, id_token: { a: 1 } })],
      ['token', resigned(provider, () => ({ exp: 'soon' }))],
      ['jwks', () => ({ keys: null })],
      ['jwks', () => ({ keys: [] })],
    ] satisfies [Endpoint, Alteration][]) {
      const { handleCallback } = await receiveCallback(provider);
      provider.alterations.set(endpoint, alteration);
      await trouble(handleCallback(), 'provider');
      provider.alterations.clear();
    }
  });

  it('may precede the publication of their key, by a moment', async () => {
    const { handleCallback } = await receiveCallback(provider);
    const old = [otherKey()];
    provider.alterations.set('jwks', (body) => (provider.count('jwks') === 1 ? { keys: old } : body));
    expect(await handleCallback()).to.include({ state: 'succeeded' });
    expect(provider.count('jwks')).to.equal(2);
  });

  it('may precede the publication of a key with the identifier of the one before', async () => {
    const { handleCallback } = await receiveCallback(provider);
    provider.alterations.set('jwks', (body) => {
      const late = provider.count('jwks') === 1;
      return late ? { keys: listed(body['keys']).map(({ kid }) => ({ ...otherKey(), kid })) } : body;
    });
    expect(await handleCallback()).to.include({ state: 'succeeded' });
  });

  it('are read when keys could not be fetched at first', async () => {
    const { handleCallback } = await receiveCallback(provider);
    provider.faults.set('jwks', 'unavailable');
    provider.alterations.set('token', (body) => {
      setTimeout(() => provider.faults.clear(), 300);
      return body;
    });
    expect(await handleCallback()).to.include({ state: 'succeeded' });
  });

  describe('that are encrypted', () => {
    const pair = (type: 'rsa' | 'ec') =>
      type === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const decryption = (key: KeyObject, kid?: string): DecryptionKey => ({ kid, key });
    const sealed = (token: unknown, key: KeyObject, alg: string, kid?: string) =>
      new CompactEncrypt(Buffer.from(String(token)))
        .setProtectedHeader({ alg, enc: 'A256GCM', cty: 'JWT', ...(kid ? { kid } : {}) })
        .encrypt(key);
    const encrypt = (key: KeyObject, alg: string, kid?: string, change: Alteration = (body) => body) =>
      provider.alterations.set('token', async (body) => {
        const { id_token, ...rest } = change(body);
        return { ...rest, id_token: await sealed(id_token, key, alg, kid) };
      });

    for (const [type, alg] of [
      ['rsa', 'RSA-OAEP-256'],
      ['ec', 'ECDH-ES+A256KW'],
    ] as const)
      it(`are read with the configured key (${alg}), of several the one they name`, async () => {
        const [{ publicKey, privateKey }, other] = [pair(type), pair(type)];
        const kid = randomUUID();
        encrypt(publicKey, alg, kid);
        const decryptionKeys = [decryption(other.privateKey, 'other'), decryption(privateKey, kid)];
        expect(await identity(eidOf(provider, { decryptionKeys }))).to.include({ subject: 'ada' });
      });

    it('name the setting when no key or another one is configured', async () => {
      const { publicKey } = pair('ec');
      encrypt(publicKey, 'ECDH-ES');
      await trouble(completeAuthorization(provider), 'EID_DECRYPTION_KEY is not set');
      const eid = eidOf(provider, { decryptionKeys: [decryption(pair('ec').privateKey)] });
      await trouble(completeAuthorization(provider, { eid }), 'EID_DECRYPTION_KEY does not decrypt');
    });

    it('are not trusted unless they are signed, too', async () => {
      const { publicKey, privateKey } = pair('ec');
      const eid = eidOf(provider, { decryptionKeys: [decryption(privateKey)] });
      const forge: Alteration = (body) => ({ ...body, id_token: provider.resign(body['id_token'], {}, true) });
      encrypt(publicKey, 'ECDH-ES', undefined, forge);
      expect(await completeAuthorization(provider, { eid })).to.include({ state: 'failed' });
    });
  });
});
