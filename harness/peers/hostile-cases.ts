import { type Receiver, receivers, startReceiver, urlOf } from '@tenant-screening/webhook-tools/receivers';
import type { OutboundAnswer } from '../../providers/outbound/port.ts';

export const MEBIBYTE = 1024 * 1024;
/** Limits under which each case is distinguishable, even on a busy machine. */
export const SHORT = { connectTimeoutMs: 2000, attemptTimeoutMs: 4000 };

type Report = Partial<OutboundAnswer> | { kind: string; message?: string };

/** An endpoint's behaviour, and how it must be reported. */
interface HostileCase {
  receiver: Receiver;
  /** Where to post, if not to the receiver. */
  url?: string;
  expected: Report;
  limitMs?: number;
}

const closed = { kind: 'reset', message: 'the connection was closed before an answer' };
const late = { kind: 'timeout', message: 'no answer within 4 s' };
const invalid = { kind: 'protocol', message: 'the answer is not valid HTTP' };
const elsewhere = { hint: 'Location: https://elsewhere.example/hook' };

/** What the published list leaves to each sender: how ours reports a receiver, by its name. */
const REPORTS: Record<string, Report> = {
  ok: { excerpt: 'thanks' },
  'no-content': { excerpt: '' },
  'redirect-301': elsewhere,
  'redirect-302': elsewhere,
  'redirect-303': elsewhere,
  'redirect-307': elsewhere,
  'redirect-308': elsewhere,
  'method-not-allowed': { hint: 'Allow: GET, HEAD' },
  unauthorized: { hint: 'WWW-Authenticate: Basic realm="a"' },
  'too-many': { retryAfter: '120' },
  broken: { excerpt: 'down' },
  'status-999': { statusCode: 999 },
  'continue-unasked': { excerpt: 'ok' },
  'continue-only': late,
  'early-hints-only': late,
  'interim-forever': { kind: 'protocol', message: 'interim answers (1xx) without an end' },
  'switches-protocols': { kind: 'protocol', message: 'the answer is not one to a POST' },
  'endless-status-line': invalid,
  garbage: invalid,
  'http-0.9': invalid,
  'empty-body-never-begins': { excerpt: '' },
  'body-breaks-off': { excerpt: 'half' },
  'bad-chunk': { excerpt: '' },
  'large-body': { excerpt: 'a'.repeat(1024) },
  'endless-chunks': { excerpt: 'b'.repeat(1024) },
  'gzip-bomb': { excerpt: '(not shown: encoded as gzip)' },
  silent: late,
  'half-a-status-line': late,
  'empty-reply': closed,
  'reset-at-once': closed,
  'reset-after-request': closed,
  'half-status-then-closed': closed,
  'speaks-first': invalid,
  'no-tls': { kind: 'tls', message: 'no TLS connection came about (ERR_SSL_WRONG_VERSION_NUMBER)' },
  'tls-silent': { kind: 'timeout', message: 'no connection within 2 s' },
  'tls-closed': { kind: 'reset' },
  'tls-untrusted': { kind: 'tls' },
};

function caseOf(receiver: Receiver): HostileCase {
  const { status } = receiver.expected;
  const expected = { ...(status !== null && { statusCode: status }), ...REPORTS[receiver.name] };
  return { receiver, expected, ...(receiver.name === 'tls-silent' && { limitMs: SHORT.connectTimeoutMs }) };
}

const [silent] = receivers.filter(({ name }) => name === 'silent');
if (!silent) throw new Error('The list has no silent receiver.');

/** Keyed by the end of the sentence `an endpoint that`: each of the published list, and those that need our name server. */
export const hostileCases: Record<string, HostileCase> = {
  ...Object.fromEntries(receivers.map((receiver) => [receiver.does, caseOf(receiver)])),
  'has a name that does not exist': {
    receiver: silent,
    url: 'http://nowhere.example/',
    expected: { kind: 'dns', message: 'the name nowhere.example does not exist' },
  },
  'has a name without an address': {
    receiver: silent,
    url: 'http://empty.example/',
    expected: { kind: 'dns', message: 'the name empty.example has no address' },
  },
};

export async function startCase({ receiver, url }: HostileCase) {
  const server = await startReceiver(receiver);
  return { server, url: url ?? urlOf(receiver, server.port) };
}
