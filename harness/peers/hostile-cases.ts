import { gzipSync } from 'node:zlib';
import type { OutboundAnswer } from '../../providers/outbound/port.ts';
import { answer, type Behaviour, drip, flood } from './hostile-receiver.ts';

export const MEBIBYTE = 1024 * 1024;
/** Limits under which each case is distinguishable, even on a busy machine. */
export const SHORT = { connectTimeoutMs: 2000, attemptTimeoutMs: 4000 };

/** An endpoint's behaviour, and how it must be reported. */
interface HostileCase {
  behaviour: Behaviour;
  atOnce?: Behaviour;
  /** Where to post, if not to the receiver by plain http. */
  url?: (receiver: { port: number }) => string;
  expected: Partial<OutboundAnswer> | { kind: string; message: string };
  limitMs?: number;
}

const silence: Behaviour = () => {};
const nothingBut = (text: string): Behaviour => {
  return (socket) => socket.write(text);
};
const status = (line: string, headers: Record<string, string> = {}, body: string | Buffer = ''): HostileCase => ({
  behaviour: answer(line, headers, body),
  expected: { statusCode: Number(line.slice(0, 3)) },
});
const closed = { kind: 'reset', message: 'the connection was closed before an answer' };
const late = { kind: 'timeout', message: 'no answer within 4 s' };
const OK = 'HTTP/1.1 200 OK\r\n';

/** The status line accepts the event, whatever follows: RFC 9112, sections 2.2, 5.2 and 6.3, and RFC 9110, section 8.6. */
const accepting = (answers: Record<string, string>): Record<string, HostileCase> =>
  Object.fromEntries(
    Object.entries(answers).map(([title, text]) => {
      const statusCode = Number(/HTTP\/1[.][01] ([2-9]\d\d)/.exec(text)?.[1]);
      return [title, { behaviour: (socket) => socket.end(text), expected: { statusCode } }];
    }),
  );

/** Keyed by the end of the sentence `an endpoint that`. */
export const hostileCases: Record<string, HostileCase> = {
  'answers 200': { ...status('200 OK', {}, 'thanks'), expected: { statusCode: 200, excerpt: 'thanks' } },
  'answers 204': { ...status('204 No Content'), expected: { statusCode: 204, excerpt: '' } },
  'answers 500': { ...status('500 Broken', {}, 'down'), expected: { statusCode: 500, excerpt: 'down' } },
  'answers 410': status('410 Gone'),
  'answers 429 with Retry-After': {
    ...status('429 Too Many', { 'retry-after': '120' }),
    expected: { statusCode: 429, retryAfter: '120' },
  },
  'leads to the metadata service': status('301 Moved', { location: 'http://169.254.169.254/latest/meta-data/' }),
  'answers nothing': { behaviour: silence, expected: late },
  'answers 200 and then a byte of its headers at a time': {
    behaviour: drip(OK, 'x-slow: ', 50),
    expected: { statusCode: 200 },
  },
  'answers half of a status line': { behaviour: nothingBut('HTTP/1.1 2'), expected: late },
  'answers one interim answer and no other': {
    behaviour: nothingBut('HTTP/1.1 103 Early Hints\r\n\r\n'),
    expected: late,
  },
  'answers interim answers without end': {
    behaviour: flood('', Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n')),
    expected: { kind: 'protocol', message: 'interim answers (1xx) without an end' },
  },
  'asks to continue, and nothing else': { behaviour: nothingBut('HTTP/1.1 100 Continue\r\n\r\n'), expected: late },
  'asks to continue and answers 200': {
    behaviour: nothingBut(`HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\nok`),
    expected: { statusCode: 200, excerpt: 'ok' },
  },
  'sends early hints, asks to continue and answers 200': {
    behaviour: nothingBut(
      `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\nx: y\r\n\r\n${OK}content-length: 0\r\n\r\n`,
    ),
    expected: { statusCode: 200 },
  },
  'switches protocols': {
    behaviour: nothingBut('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    expected: { kind: 'protocol', message: 'the answer is not one to a POST' },
  },
  'answers 200 and then a byte of its body at a time': {
    behaviour: drip(`${OK}content-length: 5000\r\n\r\n`, 'drip', 50),
    expected: { statusCode: 200 },
  },
  'answers 200 and never begins its body': {
    behaviour: nothingBut(`${OK}content-length: 5\r\n\r\n`),
    expected: { statusCode: 200, excerpt: '' },
  },
  'answers 200 and breaks off in its body': {
    behaviour: (socket) => socket.write(`${OK}content-length: 5000\r\n\r\nhalf`, () => socket.destroy()),
    expected: { statusCode: 200, excerpt: 'half' },
  },
  'answers 200 and a body that breaks the protocol': {
    behaviour: nothingBut(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`),
    expected: { statusCode: 200, excerpt: '' },
  },
  'sends 300 MB': {
    behaviour: flood(`${OK}content-length: ${300 * MEBIBYTE}\r\n\r\n`, Buffer.alloc(MEBIBYTE, 'a'), 300 * MEBIBYTE),
    expected: { statusCode: 200, excerpt: 'a'.repeat(1024) },
  },
  'sends a body without end in large chunks': {
    behaviour: flood(`${OK}transfer-encoding: chunked\r\n\r\n`, Buffer.from(`100000\r\n${'b'.repeat(MEBIBYTE)}\r\n`)),
    expected: { statusCode: 200, excerpt: 'b'.repeat(1024) },
  },
  'sends a gzip bomb': {
    ...status('200 OK', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(100 * MEBIBYTE))),
    expected: { statusCode: 200, excerpt: '(not shown: encoded as gzip)' },
  },
  'resets the connection before anything': {
    behaviour: silence,
    atOnce: (socket) => socket.resetAndDestroy(),
    expected: closed,
  },
  'resets the connection when it has read the request': {
    behaviour: (socket) => socket.resetAndDestroy(),
    expected: closed,
  },
  'closes the connection after half of its status line': {
    behaviour: (socket) => socket.end('HTTP/1.1 20'),
    expected: closed,
  },
  ...accepting({
    'answers 200 and closes the connection after half of its headers': `${OK}content-le`,
    'answers 200 with Content-Length and Transfer-Encoding': `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'answers 200 with two equal lengths': `${OK}content-length: 2\r\ncontent-length: 2\r\n\r\nok`,
    'answers 200 with two different lengths': `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
    'answers 200 with a length that is no number': `${OK}content-length: two\r\n\r\nok`,
    'answers 200 with a folded line': `${OK}x-name: a\r\n b\r\ncontent-length: 2\r\n\r\nok`,
    'answers 200 with lines that end with LF alone': 'HTTP/1.1 200 OK\ncontent-length: 2\n\nok',
    'answers 200 with a space before a colon': `${OK}content-length : 2\r\n\r\nok`,
    'answers 200 with a header without a name': `${OK}: nameless\r\ncontent-length: 0\r\n\r\n`,
    'answers 200 with a control character in a header': `${OK}x-name: a\u0001b\r\ncontent-length: 0\r\n\r\n`,
    'answers 200 without a reason and without headers': 'HTTP/1.1 200\r\n\r\n',
    'asks to continue and answers 200 with two equal lengths': `HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\ncontent-length: 2\r\n\r\nok`,
    'answers 202 by HTTP/1.0 without a length': 'HTTP/1.0 202 Accepted\r\n\r\nlater',
  }),
  'answers 500 with two equal lengths': {
    behaviour: nothingBut('HTTP/1.1 500 Broken\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok'),
    expected: { statusCode: 500 },
  },
  'answers what is not HTTP': {
    behaviour: nothingBut('\u0000\u0001\u0002 garbage\r\n\r\n'),
    expected: { kind: 'protocol', message: 'the answer is not valid HTTP' },
  },
  'speaks first, and another protocol': {
    behaviour: silence,
    atOnce: nothingBut('SSH-2.0-OpenSSH_9.2\r\n'),
    expected: { kind: 'protocol', message: 'the answer is not valid HTTP' },
  },
  'answers enormous headers': {
    behaviour: flood(`${OK}x-large: `, Buffer.alloc(MEBIBYTE, 'h')),
    expected: { statusCode: 200 },
  },
  'answers headers without end': {
    behaviour: flood(OK, Buffer.from('x-many: y\r\n'.repeat(1000))),
    expected: { statusCode: 200 },
  },
  'answers a status line without end': {
    behaviour: flood('HTTP/1.1 2', Buffer.alloc(MEBIBYTE, '0')),
    expected: { kind: 'protocol', message: 'the answer is not valid HTTP' },
  },
  'accepts the connection and never shakes hands': {
    behaviour: silence,
    url: ({ port }) => `https://127.0.0.1:${port}/`,
    expected: { kind: 'timeout', message: 'no connection within 2 s' },
    limitMs: SHORT.connectTimeoutMs,
  },
  'is no TLS server where one is expected': {
    behaviour: silence,
    atOnce: nothingBut('HTTP/1.1 400 Bad Request\r\n\r\n'),
    url: ({ port }) => `https://127.0.0.1:${port}/`,
    expected: { kind: 'tls', message: 'no TLS connection came about (ERR_SSL_WRONG_VERSION_NUMBER)' },
  },
  'has a name that does not exist': {
    behaviour: silence,
    url: () => 'http://nowhere.example/',
    expected: { kind: 'dns', message: 'the name nowhere.example does not exist' },
  },
  'has a name without an address': {
    behaviour: silence,
    url: () => 'http://empty.example/',
    expected: { kind: 'dns', message: 'the name empty.example has no address' },
  },
};
