import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { ProviderUnavailable } from '../../core/errors.ts';
import {
  CALLBACK,
  completeAuthorization,
  documentsAfter,
  eidOf,
  FLOW,
  thrown,
} from '../../harness/browser/oidc-authorization.ts';
import { databases } from '../../harness/database/dialect.ts';
import { testFixture } from '../../harness/mocha/fixtures.ts';
import { type Endpoint, OidcProvider } from '../../harness/peers/oidc-provider.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import { identityDocuments } from '../../providers/identity/identity-documents.ts';
import type { CallbackOutcome } from '../../providers/identity/port.ts';

databases('none');

const CARD = Buffer.from('the front of a card');

describe('the identity documents of OpenID Connect, from a certified provider', () => {
  const provider = testFixture(() => OidcProvider.start(CALLBACK));
  beforeEach(() => {
    provider.people.set('ada', { level: 'high', claims: { name: 'Ada Lovelace', birthdate: '1815-12-10' } });
  });

  const found = (answer: CallbackOutcome) => documentsAfter(answer, eidOf(provider));
  const identity = async (answer: CallbackOutcome) => JSON.parse((await found(answer))['national-identity.json'] ?? '');

  it('state the issuer, the person and the assurance level, and contain the claims without those of the protocol', async () => {
    const told = await identity(
      await completeAuthorization(provider, { eid: eidOf(provider, { acrValues: ['high'] }) }),
    );
    expect(told).to.deep.include({ issuer: provider.issuer, subject: 'ada', acr: 'high' });
    expect(told.claims).to.deep.equal({ name: 'Ada Lovelace', birthdate: '1815-12-10' });
  });

  it('are the same bytes each time, so that a retry changes nothing', async () => {
    const answer = await completeAuthorization(provider);
    expect(await found(answer)).to.deep.equal(await found(answer));
  });

  it('come from the ID token alone when the provider has nothing more', async () => {
    const answer = await completeAuthorization(provider);
    provider.alterations.set('discovery', ({ userinfo_endpoint, ...metadata }) => metadata);
    expect(await identity(answer)).to.deep.include({ subject: 'ada', claims: {} });
    expect(provider.count('userinfo')).to.equal(0);
  });

  it('throw while the provider is down, and work afterwards', async () => {
    const answer = await completeAuthorization(provider);
    for (const endpoint of ['discovery', 'userinfo'] satisfies Endpoint[])
      for (const fault of ['unavailable', 'reset'] as const) {
        provider.faults.set(endpoint, fault);
        expect(await thrown(found(answer))).to.be.instanceOf(ProviderUnavailable);
        provider.faults.clear();
      }
    expect(await found(answer)).to.have.keys('national-identity.json');
  });

  it('throw when the claims are another person’s, and name no one', async () => {
    const answer = await completeAuthorization(provider);
    provider.alterations.set('userinfo', () => ({ sub: 'eve', name: 'Eve' }));
    const error = await thrown(found(answer));
    expect(String(error)).to.include('sub').and.not.include('eve').and.not.include('Eve');
    expect(error.cause).to.equal(undefined);
  });

  it('throw when the provider no longer knows the token', async () => {
    const answer = await completeAuthorization(provider);
    if (answer.state !== 'succeeded') throw new Error('The authorization failed.');
    const grant = { ...JSON.parse(answer.grant), accessToken: 'forgotten' };
    const error = await thrown(eidOf(provider).documents({ ...FLOW, memory: JSON.stringify(grant) }));
    expect(String(error)).to.include('invalid_token').and.not.include('forgotten');
  });

  const withEvidence = (...attachments: unknown[]) => {
    const verified_claims = {
      verification: { trust_framework: 'eidas', evidence: [{ type: 'document', attachments }] },
      claims: { given_name: 'Ada' },
    };
    provider.people.set('ada', { level: 'high', claims: { name: 'Ada', verified_claims } });
  };

  it('include embedded attachments as documents and keep their bytes out of the claims', async () => {
    withEvidence(
      {
        desc: 'Front of the ID card / Vorderseite: «Ada»',
        content_type: 'image/jpeg',
        content: CARD.toString('base64'),
      },
      { content_type: '../../etc/passwd', content: CARD.toString('base64') },
    );
    const files = await found(await completeAuthorization(provider));
    expect(files).to.have.keys(
      'national-identity.json',
      'national-identity-1-Front-of-the-ID-card-Vorderseite-Ada.jpg',
      'national-identity-2',
    );
    expect(files['national-identity-2']).to.equal(CARD.toString());
    const json = files['national-identity.json'] ?? '';
    expect(json).to.not.include(CARD.toString('base64'));
    const [evidence] = JSON.parse(json).verified_claims[0].verification.evidence;
    expect(evidence.attachments[1]).to.deep.equal({
      content_type: '../../etc/passwd',
      digest: { alg: 'sha-256', value: createHash('sha256').update(CARD).digest('base64') },
      document: 'national-identity-2',
    });
  });

  it('include external attachments, with their own token, none, or the claims’ token, and store no token', async () => {
    const address = provider.attach('card', CARD);
    withEvidence({ ...address, access_token: 'own-token' }, address);
    const files = await found(await completeAuthorization(provider));
    expect(files['national-identity-1']).to.equal(CARD.toString());
    expect(files['national-identity-2']).to.equal(CARD.toString());
    const userInfo = provider.requests.find(({ endpoint }) => endpoint === 'userinfo')?.authorization;
    const presented = provider.requests.filter(({ endpoint }) => endpoint === 'attachments');
    expect(presented.map(({ authorization }) => authorization)).to.deep.equal(['Bearer own-token', userInfo]);
    expect(files['national-identity.json']).to.not.include('own-token').and.not.include('/attachments/');
    withEvidence({ ...address, access_token: null });
    await thrown(completeAuthorization(provider).then((answer) => found(answer)));
    expect(provider.requests.at(-1)).to.deep.equal({ endpoint: 'attachments', authorization: undefined });
  });

  it('throw when an attachment does not match its digest, cannot be verified, or is unavailable', async () => {
    const { url, digest } = provider.attach('card', CARD);
    for (const attachment of [
      { url, digest: { ...digest, value: createHash('sha512').update('another').digest('base64') } },
      { url, digest: { alg: 'md5', value: createHash('md5').update(CARD).digest('base64') } },
      { url },
      { url: `${url}-gone`, digest },
      { url: 'file:///etc/passwd', digest },
      { url: 'http://', digest },
    ]) {
      withEvidence(attachment);
      const answer = await completeAuthorization(provider);
      const error = await thrown(found(answer));
      expect(String(error))
        .to.match(/attachment/)
        .and.not.include('/attachments/');
    }
  });

  it('never include an attachment larger than any document, nor read it to its end', async () => {
    withEvidence(provider.attach('huge', Buffer.alloc(33 * 1024 * 1024)));
    expect(String(await thrown(found(await completeAuthorization(provider))))).to.include('more than may be read');
  });

  it('require TLS for attachments when the provider uses it', () => {
    const attachments = [provider.attach('card', CARD)];
    const policy = { allowLoopback: true, requireHttps: true };
    const access = { accessToken: 'token', issuer: new URL('https://eid.example'), policy };
    expect(() => identityDocuments({ verified_claims: { attachments } }, {}, access)).to.throw('not https');
    expect(provider.count('attachments')).to.equal(0);
  });

  it('connect to no private address for an attachment, except the issuer’s', async () => {
    const policy = { allowLoopback: false, requireHttps: false };
    const accessOf = (issuer: string) => ({ accessToken: 'token', issuer: new URL(issuer), policy });
    const external = provider.attach('card', CARD);
    const named = { ...external, url: external.url.replace('127.0.0.1', 'localhost') };
    // The last one is on the same host.
    for (const issuer of ['https://eid.example', 'http://eid.example', 'http://127.0.0.1:1'])
      for (const attachments of [[external], [named]]) {
        const claims = { verified_claims: { attachments } };
        const [, document = expect.fail()] = identityDocuments(claims, {}, accessOf(issuer));
        expect(String(await thrown(Array.fromAsync(document.content)))).to.match(/refused|cannot be reached/);
      }
    expect(provider.count('attachments')).to.equal(0);
    const own = accessOf(provider.issuer);
    const [, card = expect.fail()] = identityDocuments({ verified_claims: { attachments: [external] } }, {}, own);
    await Array.fromAsync(card.content);
    expect(provider.count('attachments')).to.equal(1);
  });

  it('limit the number of attachments', () => {
    const policy = { allowLoopback: false, requireHttps: true };
    const access = { accessToken: 'token', issuer: new URL('https://eid.example'), policy };
    const attachments = Array.from({ length: 51 }, () => ({ content: 'YQ==' }));
    expect(() => identityDocuments({ attachments }, {}, access)).to.throw(UnacceptableDocument);
    expect(identityDocuments({ attachments: attachments.slice(1) }, {}, access)).to.have.length(51);
  });

  it('contain no token from other claims providers', async () => {
    const sources = {
      _claim_names: { a: 'x' },
      _claim_sources: { x: { endpoint: 'https://x.example', access_token: 'hush' } },
    };
    const policy = { allowLoopback: false, requireHttps: true };
    const [identity] = identityDocuments({ sub: 'ada' }, sources, {
      accessToken: 't',
      issuer: new URL('https://a.example'),
      policy,
    });
    const text = Buffer.concat(await Array.fromAsync(identity?.content ?? [])).toString();
    expect(text).to.not.include('hush').and.not.include('x.example');
  });

  it('follow no redirect to an attachment', async () => {
    const { digest } = provider.attach('card', CARD);
    withEvidence({ url: `${provider.issuer}/attachments/moved`, digest });
    expect(String(await thrown(found(await completeAuthorization(provider))))).to.include('answered 302');
  });
});
