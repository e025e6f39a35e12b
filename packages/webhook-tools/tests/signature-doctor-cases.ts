import { createHmac } from 'node:crypto';
import { diagnose, type Finding, type Sent } from '../doctor/diagnose.ts';
import { signatureHeaders } from '../signatures.ts';

export const NOW = new Date('2026-03-02T09:40:03Z');
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const EVENT = {
  event: 'KYC_VERIFICATION_DATA',
  data: { tenant_id: '5d0c2a8e-3f57-4a4e-8f7e-0d6c1b2a3948', name: 'Zoë Núñez', url: 'https://letting.example/' },
};
export const BODY = JSON.stringify(EVENT);

type Headers = Record<string, string>;

export interface Given {
  headers?: (sent: Headers) => Headers;
  body?: string | Buffer;
  /** The receiver's. */
  secrets?: string[];
  /** The webhook's. */
  registered?: string;
  receivedAfterSeconds?: number;
  sentBody?: string | undefined;
  sent?: Partial<Sent>;
}

/** The doctor's findings for a delivery with this change. */
export function examined({ headers = (sent) => sent, registered = SECRET, ...given }: Given): Finding[] {
  const sent: Headers = signatureHeaders('msg_0d9c8b7a', NOW, given.sentBody ?? BODY, [registered]);
  const known = {
    body: given.sentBody ?? BODY,
    attemptedAt: [NOW],
    secrets: [{ secret: registered, until: undefined }],
  };
  return diagnose({
    headers: Object.entries(headers(sent)),
    body: Buffer.from(given.body ?? given.sentBody ?? BODY),
    secrets: given.secrets ?? [registered],
    now: NOW,
    receivedAt: new Date(NOW.getTime() + 1000 * (given.receivedAfterSeconds ?? 0)),
    ...(given.sent ? { sent: { ...known, ...given.sent } } : {}),
  });
}

export const faultsOf = (given: Given) =>
  examined(given)
    .filter(({ level }) => level === 'fault')
    .map(({ code }) => code);

const without = (name: string) => (sent: Headers) =>
  Object.fromEntries(Object.entries(sent).filter(([each]) => each !== name));
const renamed = (rename: (name: string) => string) => (sent: Headers) =>
  Object.fromEntries(Object.entries(sent).map(([name, value]) => [rename(name), value]));
const withSignature = (change: (value: string) => string) => (sent: Headers) => ({
  ...sent,
  'webhook-signature': change(sent['webhook-signature'] ?? ''),
});
const withTimestamp = (change: (value: string) => string) => (sent: Headers) => ({
  ...sent,
  'webhook-timestamp': change(sent['webhook-timestamp'] ?? ''),
});
const signedWith = (key: Buffer | string) => (sent: Headers) => ({
  ...sent,
  'webhook-signature': `v1,${createHmac('sha256', key)
    .update(`msg_0d9c8b7a.${sent['webhook-timestamp']}.${BODY}`)
    .digest('base64')}`,
});
const sorted = JSON.stringify({
  data: { name: EVENT.data.name, tenant_id: EVENT.data.tenant_id, url: EVENT.data.url },
  event: EVENT.event,
});
/** A body whose signature contains both characters that differ between base64 and base64url. */
const MARKED = Array.from({ length: 100 }, (_, index) => `${BODY}${' '.repeat(index)}`).find((body) =>
  /\+.*\/|\/.*\+/.test(signatureHeaders('msg_0d9c8b7a', NOW, body, [SECRET])['webhook-signature']),
);
export const PLAIN = 'correct horse battery staple';

/** Faults, each with the finding that the doctor must name first. */
export const faults: Record<string, [code: string, given: Given][]> = {
  'the headers': [
    ['not-signed', { headers: () => ({ 'content-type': 'application/json' }) }],
    ['headers-missing', { headers: without('webhook-id') }],
    ['headers-missing', { headers: without('webhook-timestamp') }],
    ['headers-missing', { headers: without('webhook-signature') }],
    ['headers-missing', { headers: (sent) => ({ ...sent, 'webhook-id': ' ' }) }],
    ['header-renamed', { headers: renamed((name) => `HTTP_${name.toUpperCase().replaceAll('-', '_')}`) }],
    ['header-renamed', { headers: renamed((name) => name.replaceAll('-', '_')) }],
    ['header-quoted', { headers: (sent) => ({ ...sent, 'webhook-id': `"${sent['webhook-id']}"` }) }],
    ['header-quoted', { headers: withSignature((value) => `'${value}'`) }],
    ['id-changed', { headers: (sent) => ({ ...sent, 'webhook-id': '0D9C8B7A' }) }],
  ],
  'the timestamp': [
    ['timestamp-in-milliseconds', { headers: withTimestamp((value) => `${value}000`) }],
    ['timestamp-malformed', { headers: withTimestamp(() => NOW.toISOString()) }],
    ['timestamp-malformed', { headers: withTimestamp((value) => `${value}.0`) }],
    ['timestamp-old', { receivedAfterSeconds: 301 }],
    ['timestamp-in-the-future', { receivedAfterSeconds: -301 }],
    ['timestamp-changed', { headers: withTimestamp((value) => String(Number(value) + 7)), sent: {} }],
  ],
  'the signatures': [
    ['signature-other-version', { headers: withSignature((value) => value.replace('v1,', 'v1a,')) }],
    [
      'signatures-joined-by-commas',
      { headers: withSignature((value) => value.replaceAll(' ', ',')), registered: 'password' },
    ],
    [
      'signatures-joined-by-commas',
      { headers: withSignature((value) => value.replaceAll(' ', ', ')), registered: 'password' },
    ],
    ['signature-truncated', { headers: withSignature((value) => value.slice(0, 30)) }],
    ['signature-truncated', { headers: withSignature((value) => value.slice(0, -1)) }],
    ['signature-url-encoded', { headers: withSignature(encodeURIComponent) }],
    ['signature-without-version', { headers: withSignature((value) => value.slice(3)) }],
    ['signature-mark', { headers: withSignature((value) => value.replace('v1,', 'v1=')) }],
    ['signature-malformed', { headers: withSignature(() => '?') }],
    ['signature-plus-lost', { headers: withSignature((value) => value.replaceAll('+', ' ')), sentBody: MARKED }],
    [
      'signature-base64url',
      { headers: withSignature((value) => value.replaceAll('+', '-').replaceAll('/', '_')), sentBody: MARKED },
    ],
  ],
  'the body': [
    ['body-reserialised', { body: JSON.stringify(EVENT, null, 2) }],
    ['body-reserialised', { body: BODY.replaceAll('":', '": ').replaceAll(',"', ', "') }],
    ['body-reserialised', { body: BODY.replaceAll('/', '\\/') }],
    [
      'body-reserialised',
      { body: BODY.replaceAll('ë', '\\u00eb').replaceAll('ñ', '\\u00f1').replaceAll('ú', '\\u00fa') },
    ],
    ['body-reserialised', { body: sorted }],
    ['body-reserialised', { body: JSON.stringify(JSON.parse(sorted), null, 4) }],
    ['body-whitespace', { body: `${BODY}\n` }],
    ['body-whitespace', { body: `${BODY}\r\n` }],
    ['body-bom', { body: `\ufeff${BODY}` }],
    [
      'body-line-ends',
      { sentBody: '{\n"event": "EID_SUCCESS",\n"data": null}', body: '{\r\n"event": "EID_SUCCESS",\r\n"data": null}' },
    ],
    ['body-latin-1', { body: Buffer.from(BODY, 'latin1') }],
    ['body-utf-16', { body: Buffer.from(BODY, 'utf16le') }],
    ['body-utf-16', { body: Buffer.from(`\ufeff${BODY}`, 'utf16le').swap16() }],
    ['body-encoded-twice', { body: Buffer.from(Buffer.from(BODY).toString('latin1')) }],
    ['body-normalised', { body: BODY.normalize('NFD') }],
    ['body-url-encoded', { body: encodeURIComponent(BODY) }],
    ['body-url-encoded', { body: `payload=${encodeURIComponent(BODY)}` }],
    ['body-url-encoded', { body: `${BODY}=` }],
    ['body-base64', { body: Buffer.from(BODY).toString('base64') }],
    ['body-in-a-string', { body: JSON.stringify(BODY) }],
    [
      'body-in-a-literal',
      { sentBody: '{"event":"EID_SUCCESS","data":null}', body: `b'{"event":"EID_SUCCESS","data":null}'` },
    ],
    ['body-html-escaped', { body: BODY.replaceAll('"', '&quot;') }],
    ['body-object', { body: '[object Object]' }],
    ['body-printed', { body: "{'event': 'EID_SUCCESS', 'data': None}" }],
    ['body-empty', { body: '' }],
    ['body-truncated', { body: BODY.slice(0, 60) }],
    ['body-truncated', { body: 'x', headers: (sent) => ({ ...sent, 'content-length': '120' }) }],
    ['body-undecodable', { body: BODY.replaceAll('ë', '\ufffd') }],
    ['body-truncated', { body: BODY.slice(0, 60), sent: {} }],
    ['body-changed', { body: BODY.replace('Zoë', 'Zoe'), sent: {} }],
    ['body-reserialised', { body: sorted, sent: {} }],
    ['body-whitespace', { body: `${BODY}\n`, sent: {} }],
    ['body-bom', { body: `\ufeff${BODY}`, sent: {} }],
    ['body-reserialised', { body: JSON.stringify(EVENT, null, 2), sent: {}, secrets: [PLAIN] }],
  ],
  'the secret': [
    ['secret-newline', { secrets: [`${SECRET}\n`] }],
    ['secret-whitespace', { secrets: [` ${SECRET}`] }],
    ['secret-newline-escaped', { secrets: [`${SECRET}\\n`] }],
    ['secret-quoted', { secrets: [`"${SECRET}"`] }],
    ['secret-with-its-name', { secrets: [`WEBHOOK_SECRET=${SECRET}`] }],
    ['secret-with-its-name', { secrets: [`export WEBHOOK_SECRET="${SECRET}"`] }],
    ['secret-with-v1', { secrets: [`v1,${SECRET}`] }],
    ['secret-prefix-doubled', { secrets: [`whsec_${SECRET}`] }],
    ['secret-prefix-case', { secrets: [SECRET.replace('whsec', 'WHSEC')] }],
    ['secret-prefix', { registered: 'whsec_not base64!', secrets: ['not base64!'] }],
    ['secret-url-encoded', { registered: 'whsec_q83vASNFZ4k/+w==', secrets: ['whsec_q83vASNFZ4k%2F%2Bw%3D%3D'] }],
    ['secret-base64url', { registered: 'whsec_q83vASNFZ4k/+w==', secrets: ['whsec_q83vASNFZ4k_-w'] }],
    ['wrong-reading', { headers: signedWith(SECRET) }],
    ['wrong-reading', { headers: signedWith(SECRET.slice(6)) }],
    ['wrong-reading', { registered: PLAIN, headers: signedWith(Buffer.from(PLAIN, 'base64')) }],
    ['wrong-secret', { secrets: [PLAIN] }],
    ['secret-empty', { secrets: [' '] }],
    ['wrong-secret', { secrets: [PLAIN], sent: {} }],
    ['secret-empty', { secrets: [' '], sent: {} }],
    ['body-changed', { secrets: [`"${SECRET}"`], body: 'x', sent: { body: null } }],
    ['webhook-unsigned', { sent: { secrets: [] } }],
  ],
};
