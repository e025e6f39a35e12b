import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { verify } from '../../../harness/peers/receiver.ts';
import { type SignatureHeaders, signatureHeaders } from '../signatures.ts';

const BODY = '{"event":"EID_SUCCESS","data":null}';

/** One signature, computed with `node:crypto` alone. */
function byHand(key: string | Buffer, headers: SignatureHeaders, body = BODY): string {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('signatures', () => {
  const sign = (secret: string) => signatureHeaders('msg_1', new Date(), BODY, [secret]);

  it('match the scheme, computed by hand over id, timestamp and body', () => {
    const headers = sign('whsec_c2VjcmV0IGJ5dGVz');
    expect(headers['webhook-signature']).to.equal(byHand('secret bytes', headers));
  });

  it('match the vector published by Standard Webhooks', () => {
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
    const sentAt = new Date(1614265330 * 1000);
    const headers = signatureHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt, '{"test": 2432232314}', secrets);
    expect(headers).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  const complete = ['whsec_c2VjcmV0IGJ5dGVz', 'c2VjcmV0IGJ5dGVz', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'];
  const withoutPadding = ['whsec_c2VjcmV0IGJ5dGVzIQ', 'c2VjcmV0IGJ5dGVzIQ', 'secretwith15cha'];
  for (const secret of [...complete, ...withoutPadding])
    it(`verify for a receiver that reads the secret ${secret} as base64`, () => {
      verify({ headers: sign(secret), body: BODY }, secret);
    });

  const plain = ['c2VjcmV0IGJ5dGVz', 'correct horse battery', 'sécrêt-🔑', 'whsec_not base64!', 'whsec_', 'a'];
  for (const secret of [...plain, ...withoutPadding])
    it(`verify for a receiver that reads ${secret} as characters`, () => {
      const headers = sign(secret);
      expect(headers['webhook-signature'].split(' ')).to.include(byHand(secret, headers));
    });

  it('are single for an unambiguous secret', () => {
    expect(sign('whsec_c2VjcmV0IGJ5dGVz')['webhook-signature']).to.match(/^v1,\S+$/);
  });

  it('include every secret during a rotation, the current one first, without duplicates', () => {
    const [current, former] = ['whsec_c2VjcmV0IGJ5dGVz', 'correct horse battery'];
    const at = new Date();
    const headers = signatureHeaders('msg_1', at, BODY, [current, former, current, 'secret bytes', former]);
    const keys = ['secret bytes', former];
    expect(headers['webhook-signature'].split(' ')).to.deep.equal(keys.map((key) => byHand(key, headers)));
    // The characters of one secret equal the decoded bytes of another.
    const alone = [current, former].map((secret) => sign(secret)['webhook-signature']);
    expect(headers['webhook-signature'].split(' ').length).to.equal(2);
    expect(signatureHeaders('msg_1', at, BODY, [current, former])).to.deep.equal(headers);
    expect(alone.join(' ').length).to.equal(headers['webhook-signature'].length);
  });

  it('fit into one short header however many secrets were replaced, and the latest ones sign', () => {
    const secrets = Array.from({ length: 500 }, (_, index) => Buffer.from(`secret ${index}`).toString('base64'));
    const headers = signatureHeaders('msg_1', new Date(), BODY, secrets);
    expect(headers['webhook-signature'].length).to.be.below(1000);
    for (const secret of secrets.slice(0, 5)) verify({ headers, body: BODY }, secret);
  });

  it('are never made with an empty key', () => {
    for (const secret of ['=', '==', '====', 'a', 'a=', 'whsec_', 'whsec_=', 'whsec_a', '\n', '-_', '\ud800']) {
      const { 'webhook-signature': signature, 'webhook-timestamp': timestamp } = sign(secret);
      const forged = createHmac('sha256', '').update(`msg_1.${timestamp}.${BODY}`).digest('base64');
      expect(signature, secret)
        .to.match(/^v1,\S{44}$/)
        .and.not.include(forged);
    }
  });

  it('do not verify over another body or with another secret', () => {
    const headers = sign('whsec_c2VjcmV0IGJ5dGVz');
    expect(() => verify({ headers, body: `${BODY} ` }, 'whsec_c2VjcmV0IGJ5dGVz')).to.throw();
    expect(() => verify({ headers, body: BODY }, 'whsec_b3RoZXIgc2VjcmV0')).to.throw();
  });
});
