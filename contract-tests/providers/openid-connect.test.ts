import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import {
  AUTHORIZATION_REQUEST,
  type Authorization,
  CALLBACK,
  completeAuthorization,
  eidOf,
  FLOW,
  receiveCallback,
  thrown,
} from '../../harness/browser/oidc-authorization.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { type Endpoint, OidcProvider } from '../../harness/peers/oidc-provider.ts';
import type { CallbackOutcome } from '../../providers/identity/port.ts';

databases('none');

describe('national eID over OpenID Connect, against a certified provider', () => {
  const provider = testFixture(() => OidcProvider.start(CALLBACK));
  beforeEach(() => {
    provider.people.set('ada', { level: 'high', claims: { name: 'Ada Lovelace', birthdate: '1815-12-10' } });
    provider.people.set('eve', { level: 'low', claims: {} });
  });

  const failed = (answer: CallbackOutcome, about: string) => {
    expect(answer).to.include({ state: 'failed' });
    expect(answer).to.have.property('reason').that.includes(about);
  };
  const levels = { acrValues: ['substantial', 'high'] };

  describe('an authorization request', () => {
    it('requests a code with state, nonce and PKCE S256, and sends nothing about the person', async () => {
      const authorization = await eidOf(provider, levels).startAuthorization(FLOW, AUTHORIZATION_REQUEST);
      const { verifier, nonce } = JSON.parse(authorization?.callbackChecks ?? '');
      const { origin, pathname, searchParams } = new URL(authorization?.address ?? '');
      expect(`${origin}${pathname}`).to.equal(`${provider.issuer}/auth`);
      expect(Object.fromEntries(searchParams)).to.deep.equal({
        client_id: provider.clientId,
        response_type: 'code',
        redirect_uri: CALLBACK,
        scope: 'openid profile',
        acr_values: 'substantial high',
        state: AUTHORIZATION_REQUEST.state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
    });

    it('requests the claims from the settings, and none without them', async () => {
      const claims = '{"userinfo":{"verified_claims":null}}';
      const authorization = await eidOf(provider, { claims }).startAuthorization(FLOW, AUTHORIZATION_REQUEST);
      expect(new URL(authorization?.address ?? '').searchParams.get('claims')).to.equal(claims);
    });

    it('never uses a nonce or a verifier twice', async () => {
      const [first, second] = await Promise.all([
        eidOf(provider).startAuthorization(FLOW, AUTHORIZATION_REQUEST),
        eidOf(provider).startAuthorization(FLOW, AUTHORIZATION_REQUEST),
      ]);
      const [one, other] = [first, second].map((authorization) => JSON.parse(authorization?.callbackChecks ?? ''));
      expect(one.nonce).to.not.equal(other.nonce);
      expect(one.verifier).to.not.equal(other.verifier);
    });

    for (const fault of ['unavailable', 'reset'] as const)
      it(`is postponed when the provider is ${fault}`, async () => {
        provider.faults.set('discovery', fault);
        expect(await thrown(eidOf(provider).startAuthorization(FLOW, AUTHORIZATION_REQUEST))).to.be.instanceOf(
          ProviderUnavailable,
        );
      });

    it('is refused for a provider that names another issuer', async () => {
      const elsewhere = eidOf(provider, { issuer: new URL(provider.issuer.replace('127.0.0.1', 'localhost')) });
      expect(await thrown(elsewhere.startAuthorization(FLOW, AUTHORIZATION_REQUEST))).to.be.instanceOf(
        ProviderUnavailable,
      );
    });

    it('is refused without TLS unless allowed', async () => {
      const strict = eidOf(provider, { allowHttp: false });
      expect(await thrown(strict.startAuthorization(FLOW, AUTHORIZATION_REQUEST))).to.be.instanceOf(
        ProviderUnavailable,
      );
      expect(provider.count('discovery')).to.equal(0);
    });
  });

  describe('a return', () => {
    it('is a cancellation when the person declined', async () => {
      for (const no of ['access_denied', 'login_required', 'account_selection_required', 'consent_required'])
        expect(await completeAuthorization(provider, { form: { no } })).to.deep.equal({
          state: 'cancelled',
          reason: `The person did not finish at the provider (${no}).`,
        });
    });

    it('is not a verdict when the provider reports its own fault, or one of our registration', async () => {
      for (const no of [
        'server_error',
        'temporarily_unavailable',
        'unauthorized_client',
        'invalid_scope',
        'invalid_request',
        'unsupported_response_type',
        'request_not_supported',
      ]) {
        const tampered = await receiveCallback(provider, { form: { no } });
        const error = await thrown(tampered.handleCallback());
        expect(error).to.be.instanceOf(ProviderUnavailable);
        expect(error.message, 'for the operator').to.include(no);
      }
    });

    it('fails when the provider could not assure enough, or for an unknown error, whose text is not repeated', async () => {
      const assured = 'unmet_authentication_requirements';
      failed(await completeAuthorization(provider, { form: { no: assured } }), assured);
      const told = await completeAuthorization(provider, {
        tamperCallback: (answer) => answer.set('error', 'Ada Lovelace, 1815-12-10'),
      });
      failed(told, 'an unknown error');
      expect(JSON.stringify(told)).to.not.include('Ada');
    });

    const forgeries: Record<string, [Authorization, string]> = {
      'another state': [{ tamperCallback: (answer) => answer.set('state', 'another') }, 'INVALID_RESPONSE'],
      'no state': [{ tamperCallback: (answer) => answer.delete('state') }, 'INVALID_RESPONSE'],
      'two states': [
        { tamperCallback: (answer) => answer.append('state', AUTHORIZATION_REQUEST.state) },
        'INVALID_RESPONSE',
      ],
      'no code': [{ tamperCallback: (answer) => answer.delete('code') }, 'INVALID_RESPONSE'],
      'two codes': [{ tamperCallback: (answer) => answer.append('code', 'another') }, 'INVALID_RESPONSE'],
      'a made-up code': [{ tamperCallback: (answer) => answer.set('code', 'made-up') }, 'invalid_grant'],
      'the issuer of another (RFC 9207)': [
        { tamperCallback: (answer) => answer.set('iss', 'https://other.example') },
        'INVALID_RESPONSE',
      ],
      'no issuer where one is promised': [{ tamperCallback: (answer) => answer.delete('iss') }, 'INVALID_RESPONSE'],
      'a token beside the code': [
        { tamperCallback: (answer) => answer.set('id_token', 'x.y.z') },
        'UNSUPPORTED_OPERATION',
      ],
      'a code for another verifier': [
        { tamperRequest: ({ searchParams }) => searchParams.set('code_challenge', 'A'.repeat(43)) },
        'invalid_grant',
      ],
      'a code for another nonce': [
        { tamperRequest: ({ searchParams }) => searchParams.set('nonce', 'another') },
        'nonce',
      ],
      'a code without a nonce': [
        { tamperRequest: ({ searchParams }) => searchParams.delete('nonce') },
        'INVALID_RESPONSE',
      ],
    };
    for (const [what, [tampered, about]] of Object.entries(forgeries))
      it(`fails with ${what}`, async () => failed(await completeAuthorization(provider, tampered), about));

    it('fails for a code that was already used', async () => {
      const tampered = await receiveCallback(provider);
      expect(await tampered.handleCallback()).to.include({ state: 'succeeded' });
      failed(await tampered.handleCallback(), 'invalid_grant');
    });

    it('is not a verdict when the provider rejects our secret', async () => {
      const { answer, callbackChecks } = await receiveCallback(provider);
      const mistaken = eidOf(provider, { clientSecret: 'mistyped' });
      expect(await thrown(mistaken.handleCallback(answer, AUTHORIZATION_REQUEST, callbackChecks))).to.be.instanceOf(
        ProviderUnavailable,
      );
    });

    const now = () => Math.floor(Date.now() / 1000);
    const tokens: Record<string, [() => Record<string, unknown>, string]> = {
      'of another issuer': [() => ({ iss: 'https://other.example' }), 'iss'],
      'for another client': [() => ({ aud: 'another' }), 'aud'],
      'for another client too': [() => ({ aud: ['screening', 'another'] }), 'aud'],
      'that has run out': [() => ({ exp: now() - 3600 }), 'exp'],
      'that is not valid yet': [() => ({ nbf: now() + 3600 }), 'nbf'],
      'with another nonce': [() => ({ nonce: 'another' }), 'nonce'],
    };
    for (const [what, [claims, about]] of Object.entries(tokens))
      it(`fails with an ID token ${what}`, async () => {
        provider.alterations.set('token', (body) => ({
          ...body,
          id_token: provider.resign(body['id_token'], claims()),
        }));
        failed(await completeAuthorization(provider), about);
      });

    it('fails for an ID token that is signed by another key, modified, or unsigned', async () => {
      const unsigned = (token: unknown) =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${String(token).split('.')[1]}.`;
      const changed = (token: unknown) => {
        const [header, , signature] = String(token).split('.');
        return [header, provider.resign(token, { acr: 'high' }).split('.')[1], signature].join('.');
      };
      for (const forge of [(token: unknown) => provider.resign(token, {}, true), changed, unsigned]) {
        provider.alterations.set('token', (body) => ({ ...body, id_token: forge(body['id_token']) }));
        expect(await completeAuthorization(provider)).to.include({ state: 'failed' });
      }
    });

    it('is not a verdict without an ID token, or without its subject', async () => {
      const lacking: ((body: Record<string, unknown>) => Record<string, unknown>)[] = [
        ({ id_token, ...body }) => body,
        (body) => ({ ...body, id_token: provider.resign(body['id_token'], { sub: undefined }) }),
      ];
      for (const lack of lacking) {
        provider.alterations.set('token', lack);
        expect(await thrown(completeAuthorization(provider))).to.be.instanceOf(ProviderUnavailable);
      }
    });

    it('fails below the requested assurance level, and when none is stated', async () => {
      const eid = eidOf(provider, levels);
      expect(await completeAuthorization(provider, { eid })).to.include({ state: 'succeeded' });
      expect(await completeAuthorization(provider, { eid, form: { login: 'eve' } })).to.deep.equal({
        state: 'failed',
        reason: 'The assurance level is too low.',
      });
      provider.alterations.set('token', (body) => ({
        ...body,
        id_token: provider.resign(body['id_token'], { acr: undefined }),
      }));
      failed(await completeAuthorization(provider, { eid }), 'assurance level');
    });

    for (const endpoint of ['discovery', 'token', 'jwks'] satisfies Endpoint[])
      for (const fault of ['unavailable', 'reset'] as const)
        it(`is not a verdict while the provider's ${endpoint} is ${fault}`, async () => {
          const tampered = await receiveCallback(provider);
          provider.faults.set(endpoint, fault);
          expect(await thrown(tampered.handleCallback())).to.be.instanceOf(ProviderUnavailable);
        });

    it('accepts the provider’s new key immediately, whenever it was rotated', async () => {
      const eid = eidOf(provider);
      expect(await completeAuthorization(provider, { eid }), 'before').to.include({ state: 'succeeded' });
      provider.rotateKey();
      expect(await completeAuthorization(provider, { eid }), 'between two authorizations').to.include({
        state: 'succeeded',
      });
      const tampered = await receiveCallback(provider, { eid });
      provider.rotateKey();
      expect(await tampered.handleCallback(), 'between request and callback').to.include({ state: 'succeeded' });
    });

    it('accepts no key that the provider has withdrawn', async () => {
      const tampered = await receiveCallback(provider);
      provider.alterations.set('token', (body) => {
        provider.rotateKey();
        return body;
      });
      const error = await thrown(tampered.handleCallback());
      expect(error).to.be.instanceOf(ProviderUnavailable);
      expect(error.message).to.include('not published the key');
    });

    it('sends the secret as the provider accepts it: by HTTP Basic, or in the form when it accepts only that', async () => {
      const shown = () => provider.requests.findLast(({ endpoint }) => endpoint === 'token')?.authorization;
      await completeAuthorization(provider);
      expect(shown()).to.match(/^Basic /);
      const { handleCallback: handleFormPost } = await receiveCallback(provider);
      provider.alterations.set('discovery', (metadata) => ({
        ...metadata,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }));
      expect(await handleFormPost()).to.include({ state: 'succeeded' });
      expect(shown()).to.equal(undefined);
    });
  });
});
