import { expect } from 'chai';
import fc from 'fast-check';
import { diagnose, verifies } from '../doctor/diagnose.ts';
import { signatureHeaders } from '../signatures.ts';
import { BODY, EVENT, examined, faults, faultsOf, NOW, PLAIN, SECRET } from './signature-doctor-cases.ts';

/** Fixed, so that a failure is due to the change. */
const SEED = 20_261_121;

describe('the signature doctor', () => {
  for (const [about, cases] of Object.entries(faults))
    for (const [index, [code, given]] of cases.entries())
      it(`names what is wrong with ${about} first: ${code} (${index + 1})`, () => {
        const findings = examined(given);
        expect(verifies(findings)).to.equal(false);
        expect(findings[0]).to.include({ level: 'fault', code });
        for (const { found, why } of findings) expect(found).to.not.equal('').and.not.equal(why);
        const printed = JSON.stringify(findings);
        for (const secret of [SECRET, PLAIN, ...(given.secrets ?? [])].filter((each) => each.trim()))
          expect(printed).to.not.include(JSON.stringify(secret).slice(1, -1));
      });

  it('recognizes a signature that was used as the secret', () => {
    const { 'webhook-signature': sent = '' } = signatureHeaders('msg_0d9c8b7a', NOW, BODY, [SECRET]);
    for (const secret of [sent, sent.slice('v1,'.length)])
      expect(faultsOf({ secrets: [secret] })).to.deep.equal(['secret-is-a-signature']);
  });

  it('names several simultaneous faults', () => {
    expect(faultsOf({ secrets: [`"${SECRET}"`], body: JSON.stringify(EVENT, null, 2) })).to.have.members([
      'secret-quoted',
      'body-reserialised',
    ]);
    expect(faultsOf({ body: `\ufeff${JSON.stringify(EVENT, null, 2)}`, receivedAfterSeconds: 900 })).to.have.members([
      'body-bom',
      'body-reserialised',
      'timestamp-old',
    ]);
  });

  const right = [
    SECRET,
    SECRET.slice(6),
    'password',
    PLAIN,
    'sécrêt-🔑',
    'whsec_not base64!',
    'c2VjcmV0IGJ5dGVzIQ',
    'a',
    '\n',
  ];
  for (const registered of right)
    it(`finds no fault in a correct delivery with the secret ${JSON.stringify(registered)}`, () => {
      for (const given of [{ registered }, { registered, sent: {} }, { registered, receivedAfterSeconds: 299 }]) {
        const findings = examined(given);
        expect(faultsOf(given)).to.deep.equal([]);
        expect(verifies(findings)).to.equal(true);
        expect(findings.map(({ code }) => code)).to.include.members([
          'headers-present',
          'signature-verifies',
          'timestamp-in-time',
        ]);
      }
    });

  it('says how to read the secret where only one reading matches', () => {
    const fix = (registered: string) => examined({ registered }).find(({ code }) => code === 'signature-verifies')?.fix;
    expect(fix(SECRET)).to.include('new Webhook(secret);').and.include('NewWebhook(secret)');
    expect(fix(PLAIN)).to.include("{ format: 'raw' }").and.include('fromRaw').and.include('secret.encode()');
    expect(fix('password')).to.equal('');
    const withoutPrefix = examined({ secrets: [SECRET.slice('whsec_'.length)] });
    expect(verifies(withoutPrefix)).to.equal(true);
    expect(withoutPrefix[0]).to.include({ level: 'note', code: 'secret-prefix' });
  });

  it('reports what can be said without a secret, and that the verdict is unknown', () => {
    const alone = examined({ secrets: [] });
    expect(alone.map(({ code }) => code)).to.include.members(['secret-not-given', 'headers-present']);
    expect(verifies(alone)).to.equal(false);
    expect(examined({ secrets: [], sent: {} }).map(({ code }) => code)).to.include.members([
      'signature-ours',
      'body-as-sent',
    ]);
    expect(faultsOf({ secrets: [], sent: {}, body: `${BODY}\n` })).to.include('body-whitespace');
    expect(faultsOf({ secrets: [], body: '' })).to.deep.equal(['body-empty']);
  });

  it('shows a few characters where the body differs from what was sent', () => {
    const [first] = examined({ body: BODY.replace('Zoë', 'Zoe'), sent: {} });
    expect(first?.found)
      .to.include(`from byte ${BODY.indexOf('ë')} on:`)
      .and.include('Zo');
    expect(first?.found.length).to.be.below(300);
    const codes = examined({ body: 'x'.repeat(100), sent: {} }).map(({ code }) => code);
    expect(codes).to.include.members(['body-changed', 'secret-fits-what-was-sent', 'secret-current']);
    expect(examined({ sent: { body: null } }).map(({ code }) => code)).to.include('body-forgotten');
  });

  it('distinguishes a former secret from the current one, and says until when it signs', () => {
    const until = new Date('2026-03-03T00:00:00Z');
    const secrets = [
      { secret: SECRET, until: undefined },
      { secret: PLAIN, until },
    ];
    const former = examined({ registered: PLAIN, sent: { secrets } }).find(({ code }) => code === 'secret-former');
    expect(former?.why).to.include(until.toISOString());
    const ended = examined({ secrets: [PLAIN], receivedAfterSeconds: 100_000, sent: { secrets } });
    expect(ended.find(({ code }) => code === 'secret-former')?.why).to.include('not signed since');
    expect(ended.map(({ code }) => code)).to.include('wrong-secret');
  });

  it('never throws, whatever its input, and always reports something', () => {
    const name = fc.oneof(
      fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'HTTP_WEBHOOK_ID'),
      fc.string(),
    );
    const headers = fc.array(fc.tuple(name, fc.string({ unit: 'binary' })), { maxLength: 6 });
    const whole = fc.record({
      headers,
      body: fc.oneof(fc.uint8Array(), fc.json(), fc.constant(BODY)),
      secrets: fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant(SECRET)), { maxLength: 2 }),
      sentBody: fc.option(fc.string()),
    });
    const signed = signatureHeaders('msg_1', NOW, BODY, [SECRET]);
    fc.assert(
      fc.property(whole, fc.boolean(), ({ sentBody, body, ...received }, isSigned) => {
        const findings = diagnose({
          ...received,
          headers: [...received.headers, ...(isSigned ? Object.entries(signed) : [])],
          body: Buffer.from(body),
          now: NOW,
          sent: { body: sentBody, attemptedAt: [NOW], secrets: [{ secret: SECRET, until: undefined }] },
        });
        return findings.length > 0;
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('finishes a large body within seconds', () => {
    const large = JSON.stringify({ event: 'FORENSIC_ANALYSIS_DATA', data: { text: 'é\n'.repeat(100_000) } });
    const began = performance.now();
    expect(faultsOf({ sentBody: large, body: JSON.stringify(JSON.parse(large), null, 1) })).to.deep.equal([
      'body-reserialised',
    ]);
    expect(faultsOf({ sentBody: large, body: `${large.slice(0, -1)}!`, secrets: [`export A="${SECRET}"\n`] })).to.not.be
      .empty;
    expect(performance.now() - began).to.be.below(20_000);
  });
});
