import fc from 'fast-check';
import type { Call } from './curl.ts';

/** A way to corrupt the bytes of a valid request. */
interface Spoiling {
  what: string;
  /** @param body the original body of the request; @returns the dotted name of the corrupted field, '' when there is none */
  spoil: fc.Arbitrary<(call: Call, body: unknown) => { call: Call; field: string }>;
}

/** A placeholder for bytes that valid JSON cannot contain. */
const MARK = '\ue000MARK\ue000';

const halves = ['\\u0000', '\\ud800', '\\udfff', '\\udc00\\ud800', 'a\\u0000b', '\\ud83d\\u0020'];
const notUtf8 = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0x80]];
const notJson = ['\0', '\n', '\t', '\x1f', '\\x41', '\\u12', '\\u{41}', '\\', '"'];
const otherTypes = [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
  '',
  'application/problem+json',
  'application/json, text/plain',
  'application/json, application/json',
  'application/jsonp',
  '*/*',
];

export const spoilings: Spoiling[] = [
  inText('text that no database can hold', fc.constantFrom(...halves).map(Buffer.from), true),
  inText(
    'bytes that are not UTF-8',
    fc.constantFrom(...notUtf8).map((bytes) => Buffer.from(bytes)),
    false,
  ),
  inText('an escape or a character that JSON does not have', fc.constantFrom(...notJson).map(Buffer.from), false),
  ofBody(
    'a body cut short',
    fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map((part) => (text) => {
      const whole = text.toString().trim();
      return Buffer.from(whole.slice(0, Math.floor(part * whole.length)));
    }),
  ),
  ofBody(
    'something after the end',
    fc
      .constantFrom('x', '}', ',', '{}', 'null', '\0', '//')
      .map((more) => (text) => Buffer.concat([text, Buffer.from(more)])),
  ),
  ofBody(
    'a comma too many',
    fc.constant((text) => Buffer.from(text.toString().trim().replace(/\}$/, ',}'))),
  ),
  ofBody(
    'another encoding',
    fc.constantFrom('utf16le' as const).map((encoding) => (text) => Buffer.from(`\ufeff${text}`, encoding)),
  ),
  ofHeaders(
    'another media type',
    fc.constantFrom(...otherTypes).map((type) => [['content-type', type]]),
  ),
  ofHeaders('no media type', fc.constant([])),
  ofHeaders(
    'two media types',
    fc.constantFrom(...otherTypes, 'application/json').map((type) => [
      ['content-type', 'application/json'],
      ['content-type', type],
    ]),
  ),
  ofHeaders(
    'an encoding that it does not have',
    fc.constantFrom('gzip', 'br', 'deflate', 'compress', 'nonsense').map((encoding) => [
      ['content-type', 'application/json'],
      ['content-encoding', encoding],
    ]),
  ),
];

function ofBody(what: string, changes: fc.Arbitrary<(text: Buffer) => Buffer>): Spoiling {
  const spoil = changes.map((change) => (call: Call) => ({
    call: { ...call, body: change(call.body ?? Buffer.alloc(0)) },
    field: '',
  }));
  return { what, spoil };
}

function ofHeaders(what: string, headers: fc.Arbitrary<[string, string][]>): Spoiling {
  const spoil = headers.map((others) => (call: Call) => {
    const kept = call.headers.filter(([name]) => name !== 'content-type');
    return { call: { ...call, headers: [...kept, ...others] }, field: '' };
  });
  return { what, spoil };
}

/** Puts bytes into one of the body's texts, or into the name of a new field when it has none. */
function inText(what: string, fragments: fc.Arbitrary<Buffer>, namesField: boolean): Spoiling {
  const spoil = fc.tuple(fragments, fc.nat()).map(([fragment, which]) => (call: Call, body: unknown) => {
    const texts = textsOf(body);
    const way = texts[which % Math.max(texts.length, 1)];
    const marked = way ? withMark(body, way) : { ...Object(body), [MARK]: true };
    const [before = '', after = ''] = JSON.stringify(marked).split(MARK);
    const spoilt = Buffer.concat([Buffer.from(before), fragment, Buffer.from(after)]);
    return { call: { ...call, body: spoilt }, field: namesField && way ? way.join('.') : '' };
  });
  return { what, spoil };
}

function textsOf(value: unknown, way: string[] = []): string[][] {
  if (typeof value === 'string') return [way];
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => textsOf(child, [...way, key]))
    : [];
}

function withMark(value: unknown, [step, ...rest]: string[]): unknown {
  if (step === undefined) return `${value}${MARK}`;
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === step ? withMark(item, rest) : item));
  return { ...Object(value), [step]: withMark(Object(value)[step], rest) };
}
