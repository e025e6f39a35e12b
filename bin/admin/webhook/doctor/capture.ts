import { OperatorError } from '../../cli/faults.ts';
import type { HeaderList } from './diagnose.ts';

/** A request as it was captured. */
export interface Capture {
  headers: HeaderList;
  body: Buffer;
}

/**
 * Headers as people have them: lines of `name: value` (also those of `curl -v`, and of `print_r` in PHP), JSON (an object, or
 * a list of pairs, of names and values in turn, or of objects with `name` and `value`), or an object as a program prints it.
 * @throws OperatorError when there is none
 */
export function parseHeaders(text: string): HeaderList {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  const headers = fromJson(trimmed) ?? (AS_PRINTED.test(trimmed) ? fromPrinted(trimmed) : fromLines(trimmed));
  if (headers.length === 0)
    throw new OperatorError('the file of headers holds none; give lines of "name: value", or JSON');
  return headers;
}

/** A raw HTTP request: its head, an empty line, its body. @throws OperatorError when there is no empty line */
export function parseRequest(bytes: Buffer): Capture {
  const text = bytes.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (!end) throw new OperatorError('the request has no empty line between its headers and its body');
  return {
    headers: parseHeaders(bytes.subarray(0, end.index).toString()),
    body: bytes.subarray(end.index + end[0].length),
  };
}

type Header = readonly [string, string];

function fromJson(text: string): Header[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return fromArray(value);
    return typeof value === 'object' && value !== null ? Object.entries(value).flatMap(pairs) : undefined;
  } catch {
    return undefined;
  }
}

function fromArray(list: unknown[]): Header[] {
  // As Node gives rawHeaders.
  if (list.every((item) => typeof item === 'string'))
    return list.flatMap((name, index) => (index % 2 === 0 ? pairs([name, list[index + 1]]) : []));
  return list.flatMap((item) => {
    if (Array.isArray(item)) return pairs([String(item[0]), item[1]]);
    if (typeof item !== 'object' || item === null) return [];
    const { name, key, value }: Partial<Record<string, unknown>> = { ...item };
    return pairs([String(name ?? key), value]);
  });
}

/** A header that came twice has a list of values. */
function pairs([name, value]: [string, unknown]): Header[] {
  if (Array.isArray(value)) return value.flatMap((each) => pairs([name, each]));
  return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
}

/** As Node, Python, Ruby, Go (`%v` and `%#v`) and PHP (`var_dump`, `var_export`) print an object or a list of pairs. */
const AS_PRINTED = /^(?:[{[]|map\[|http\.Header\{|array\s*\()/;

const QUOTED = `b?(?:'([^']*)'|"([^"]*)")`;
const NAME = String.raw`(?:${QUOTED}|([\w-]+))\]?`;
const BEFORE_VALUE = String.raw`\s*(?::|=>|,)\s*(?:\[\]string\{|\[)?\s*(?:string\(\d+\)\s*)?`;
const PRINTED = new RegExp(String.raw`(?<=^|[{,[(\s])${NAME}${BEFORE_VALUE}(?:${QUOTED}|(\d+))`, 'g');
/** Go's `%v` quotes nothing. */
const GO_PRINTED = /(?<=[[ ])([\w-]+):\[([^\]]*)\]/g;

function fromPrinted(text: string): Header[] {
  if (text.startsWith('map[')) return [...text.matchAll(GO_PRINTED)].map(([, name = '', value = '']) => [name, value]);
  return [...text.matchAll(PRINTED)].map(([, a, b, c, x, y, z]) => [a ?? b ?? c ?? '', x ?? y ?? z ?? '']);
}

const LINE = /^(?:[<>*]\s*)?\[?([A-Za-z][\w-]*)\]?\s*(?:=>|:|=)\s?(.*)$/;

function fromLines(text: string): Header[] {
  return text.split(/\r?\n/).flatMap((line): Header[] => {
    const [, name, value] = LINE.exec(line.trimStart()) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}
