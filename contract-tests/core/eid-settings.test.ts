import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { readConfig } from '../../core/settings/config.ts';
import { ConfigError } from '../../core/settings/config-error.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';

databases('none');

const OIDC = {
  EID_PROVIDER: 'oidc',
  EID_ISSUER: 'https://eid.example/realms/citizens',
  EID_CLIENT_ID: 'screening',
  EID_CLIENT_SECRET: 'hush',
};

describe('the national eID settings', () => {
  const folder = suiteFixture(temporaryFolder);

  const eid = (env: Record<string, string>) => readConfig({ DATA_DIR: folder.path, ...env }).eid;
  const faults = (env: Record<string, string>): string => {
    try {
      eid(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return '';
  };

  it('simulate it by default', () => {
    expect(eid({})).to.deep.equal({ provider: 'sandbox' });
  });

  it('name an OpenID Connect provider, its scopes and claims, and the assurance required', () => {
    expect(eid(OIDC)).to.deep.equal({
      provider: 'oidc',
      issuer: new URL(OIDC.EID_ISSUER),
      clientId: 'screening',
      clientSecret: 'hush',
      scopes: 'openid profile',
      acrValues: [],
      claims: undefined,
      allowHttp: true,
    });
    expect(eid({ ...OIDC, EID_CLAIMS: '{ "userinfo": { "birthdate": null } }' })).to.deep.include({
      claims: '{"userinfo":{"birthdate":null}}',
    });
    const asked = { EID_SCOPES: 'openid  profile\temail', EID_ACR_VALUES: ' urn:level:high urn:level:substantial ' };
    expect(eid({ ...OIDC, ...asked })).to.deep.include({
      scopes: 'openid profile email',
      acrValues: ['urn:level:high', 'urn:level:substantial'],
    });
  });

  it('are all checked at once, and each invalid or missing one is named', () => {
    for (const name of ['EID_ISSUER', 'EID_CLIENT_ID', 'EID_CLIENT_SECRET'])
      expect(faults({ EID_PROVIDER: 'oidc' })).to.include(`${name} is missing`);
    expect(faults({ EID_PROVIDER: 'saml' })).to.include('EID_PROVIDER is "saml"');
    for (const text of ['birthdate', '[]', 'null', '{"userinfo"'])
      expect(faults({ ...OIDC, EID_CLAIMS: text }), text).to.include('EID_CLAIMS is not a JSON object');
    expect(faults({ ...OIDC, EID_SCOPES: 'profile' })).to.include('EID_SCOPES must contain openid');
  });

  it('take a private key, or a set of them, for encrypted tokens, and nothing else', () => {
    const jwk = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
    const read = (key: unknown) => eid({ ...OIDC, EID_DECRYPTION_KEY: JSON.stringify(key) });
    const { d, ...isPublic } = jwk;
    for (const set of [{ ...jwk, kid: 'now' }, { keys: [{ ...jwk, kid: 'now' }] }])
      expect(read(set)).to.have.nested.property('decryptionKeys[0].kid', 'now');
    expect(read({ keys: [jwk, jwk] }))
      .to.have.property('decryptionKeys')
      .with.length(2);
    for (const key of [isPublic, { kty: 'oct', k: 'c2VjcmV0' }, { keys: [] }, { keys: [jwk, isPublic] }, 'pem', null])
      expect(faults({ ...OIDC, EID_DECRYPTION_KEY: JSON.stringify(key) })).to.include(
        'EID_DECRYPTION_KEY is not a private JSON Web Key',
      );
    expect(faults({ ...OIDC, EID_DECRYPTION_KEY: JSON.stringify({ ...jwk, d: '' }) })).to.not.include(String(d));
  });

  it('accept only an address as the issuer, over TLS in live', () => {
    for (const issuer of [
      'ftp://eid.example',
      'https://me:hush-hush@eid.example',
      'https://eid.example/?tenant=1',
      'https://eid.example/#here',
      'https://eid.example/.well-known/openid-configuration',
    ]) {
      const message = faults({ ...OIDC, EID_ISSUER: issuer });
      expect(message, issuer).to.include('EID_ISSUER must be the http or https address');
      expect(message).to.not.include('hush-hush');
    }
    expect(faults({ ...OIDC, EID_ISSUER: 'eid.example' })).to.include('EID_ISSUER must begin with its scheme');
    expect(faults({ ...OIDC, EID_ISSUER: 'http://127.0.0.1:9000' })).to.equal('');
    expect(faults({ ...OIDC, MODE: 'live', EID_ISSUER: 'http://eid.example' })).to.include('the https address');
  });

  it('never show the secret', () => {
    expect(faults({ ...OIDC, EID_ISSUER: 'nowhere' })).to.not.include('hush');
  });
});
