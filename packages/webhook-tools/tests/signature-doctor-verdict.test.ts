import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { diagnose, verifies } from '../doctor/diagnose.ts';
import { signatureHeaders } from '../signatures.ts';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDkvGTRvHy1bQ=';
const BODY = '{"event":"EID_SUCCESS","data":null}';
const OTHER = `v1,${'A'.repeat(43)}=`;

/** Malformed values of webhook-signature. */
const written: Record<string, (signature: string) => string> = {
  'as it was sent': (signature) => signature,
  'with a space after the comma': (signature) => signature.replace(',', ', '),
  'in quotes inside': (signature) => signature.replace(/,(.*)/, ',"$1"'),
  'with a dot at its end': (signature) => `${signature}.`,
  'with an escaped line break': (signature) => `${signature}\\r\\n`,
  'with one = too many': (signature) => `${signature}=`,
  'with its code twice': (signature) => signature + signature.slice(3),
  'after a name': (signature) => `signature=${signature}`,
  'as a list': (signature) => `["${signature}"]`,
  'after another and a tab': (signature) => `${OTHER}\t${signature}`,
  'after another and a bar': (signature) => `${OTHER}|${signature}`,
  'after another and nothing': (signature) => OTHER + signature,
  'after another and two spaces': (signature) => `${OTHER}  ${signature}`,
};

describe('the signature doctor’s verdict', () => {
  // Made when the tests run: the public library refuses signatures older than five minutes.
  let sentAt: Date;
  let headers: ReturnType<typeof signatureHeaders>;
  before(() => {
    sentAt = new Date();
    headers = signatureHeaders('msg_1', sentAt, BODY, [SECRET]);
  });
  const examined = (list: [string, string][], body: string | Buffer = BODY) =>
    diagnose({ headers: list, body: Buffer.from(body), secrets: [SECRET], now: sentAt });
  const isAccepted = (given: Record<string, string>) => {
    try {
      new Webhook(SECRET).verify(BODY, given);
      return true;
    } catch {
      return false;
    }
  };

  for (const [how, write] of Object.entries(written))
    it(`agrees with the public library, and has a reason, for a signature ${how}`, () => {
      const given = { ...headers, 'webhook-signature': write(headers['webhook-signature']) };
      const findings = examined(Object.entries(given));
      expect(verifies(findings)).to.equal(isAccepted(given));
      expect(findings.some(({ level }) => level === 'fault')).to.equal(!isAccepted(given));
    });

  it('is yes for every signature as it was sent, whatever its base64 starts with', () => {
    const refused = Array.from({ length: 5000 }, (_, id) => signatureHeaders(`msg_${id}`, sentAt, BODY, [SECRET]))
      .filter((sent) => !verifies(examined(Object.entries(sent))))
      .map((sent) => sent['webhook-signature']);
    expect(refused).to.deep.equal([]);
  });

  it('is no for a duplicate id header, which servers join', () => {
    expect(verifies(examined([...Object.entries(headers), ['webhook-id', 'msg_2']]))).to.equal(false);
  });

  it('is reached for an endlessly nested body, and for a large one with many key orders', () => {
    examined(Object.entries(headers), '['.repeat(200_000) + ']'.repeat(200_000));
    examined(Object.entries(headers), '{"a":'.repeat(5000) + 1 + '}'.repeat(5000));
    examined(Object.entries(headers), JSON.stringify({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 'x'.repeat(1_000_000) }));
  });
});
