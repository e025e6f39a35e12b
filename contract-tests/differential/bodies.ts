import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Call } from '../properties/curl.ts';
import type { World } from '../properties/world.ts';
import { goodCalls, withHeader } from './good-calls.ts';

const nested = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Bodies for any operation. */
const bodies: (string | number[])[] = [
  ...[
    '',
    ' ',
    '\n',
    '{',
    '[',
    '{}',
    '[]',
    '{} {}',
    'null',
    'true',
    '0',
    '-0',
    '1e999',
    '""',
    '"text"',
    'nul',
    'NaN',
    'undefined',
  ],
  ...[
    "{'a':1}",
    '{"a":1,}',
    '{a:1}',
    '[1,]',
    '{"a":"\t"}',
    '{"a":"\\x41"}',
    '//',
    '\0',
    '{}\0',
    '\ufeff{}',
    '[{}]',
    '[null]',
  ],
  ...['{"__proto__":1}', '{"__proto__":{"title":"a"}}', '{"constructor":{"prototype":{}}}', '{"toString":1}', '{"":1}'],
  ...[
    '{"a":1,"b":2}',
    '{"a/b":1}',
    '{"a~b":1}',
    '{"a.b":1}',
    '{"a":"\\u0000"}',
    '{"\\u0000":1}',
    '{"a":"\\ud800"}',
    '{"\\udfff":1}',
  ],
  ...[nested('[', ']', 20_000), nested('{"a":', '}', 10_000), nested('{"a":', '}', 10_000).replace('1', '"\\u0000"')],
  ...[`[${'1,'.repeat(40_000)}1]`, `{"a":"${'a'.repeat(102_000)}"}`, `{"a":"${'a'.repeat(200_000)}"}`],
  [0xff],
  [0x7b, 0xc3, 0x7d],
  [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00],
];

/** Valid and almost valid spellings of a JSON body. */
const rewritten: ((text: string) => string | Buffer)[] = [
  (text) => ` ${text}\r\n`,
  (text) => `\ufeff${text}`,
  (text) => `${text}\0`,
  (text) => `${text}${text}`,
  (text) => text.slice(0, -1),
  (text) => `[${text}]`,
  (text) => JSON.stringify(text),
  (text) => text.replace('{', '{"surplus":1,'),
  (text) => text.replace('{', '{"__proto__":{"surplus":1},'),
  (text) => text.replace('{', '{"constructor":null,'),
  // The last duplicate wins.
  (text) => text.replace('{', '{"title":1,"name":1,"url":1,"redirect_url":1,"tenants":1,'),
  (text) => text.replace(/\}$/, ',"title":"again","name":"again"}'),
  (text) => text.replace(/"([^"]+)"/, (_, name) => `"${name.toUpperCase()}"`),
  (text) => text.replace(/[a-z]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => text + ' '.repeat(60_000),
  (text) => text + ' '.repeat(102_400 - text.length),
  (text) => text + ' '.repeat(102_401 - text.length),
];

const types = [
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;a="b;c"',
    'application/json;',
    'application/json ;x',
  ],
  ...['application/json; charset=latin1', 'application/json; charset=utf-16', 'application/json; charset=nonsense'],
  ...[
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
  ],
  ...[
    'application/json, text/plain',
    'application/*',
    '*/*',
    'nonsense',
    '',
    ' ',
    ';',
    'application/jsonp',
    'application/json\t',
  ],
];

const packed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

/** Bodies that no operation accepts, and alternative spellings of the operation's own. Sent to operations without a body too. */
export async function* oddBodies(world: World): AsyncGenerator<Call> {
  for await (const good of goodCalls(world)) {
    const call = withHeader(good.call, 'content-type', 'application/json');
    const text = JSON.stringify(good.body ?? {});
    const all =
      good.body === undefined ? bodies.slice(0, 6) : [...bodies, ...rewritten.map((rewrite) => rewrite(text))];
    for (const body of all) yield { ...call, body: Buffer.from(body as string) };
    yield withoutBody(call);
    yield withHeader({ ...call, body: Buffer.from('{') }, 'authorization');
  }
}

export async function* oddTypes(world: World): AsyncGenerator<Call> {
  for await (const { call, body } of goodCalls(world)) {
    const sent = { ...call, body: Buffer.from(JSON.stringify(body ?? {})) };
    yield withHeader(sent, 'content-type');
    yield withHeader(sent, 'content-type', 'application/json', 'text/plain');
    yield withHeader(sent, 'content-type', 'multipart/form-data; boundary=x');
    if (body === undefined) continue;
    for (const type of types) yield withHeader(sent, 'content-type', type);
    yield withHeader(sent, 'content-type', 'application/json', 'application/json');
    yield withHeader(sent, 'content-type', 'text/plain', 'application/json');
    yield* packedBodies(sent);
  }
}

function* packedBodies(sent: Call & { body: Buffer }): Generator<Call> {
  for (const [encoding, pack] of Object.entries(packed)) {
    const call = withHeader(withHeader(sent, 'content-type', 'application/json'), 'content-encoding', encoding);
    yield { ...call, body: pack(sent.body) };
    yield { ...call, body: pack(sent.body).subarray(0, 12) };
    yield { ...call, body: pack(Buffer.concat([sent.body, Buffer.alloc(300_000, ' ')])) };
    yield call;
  }
}

function withoutBody({ body: _body, ...call }: Call): Call {
  return call;
}
