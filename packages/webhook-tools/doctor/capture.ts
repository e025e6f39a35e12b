import { ToolFault } from '../faults.ts';
import type { HeaderList } from './headers.ts';

/** A captured request. */
export interface Capture {
  headers: HeaderList;
  body: Buffer;
}

/**
 * Reads headers in the formats that people capture: lines of `name: value` (also from `curl -v` and PHP's `print_r`),
 * JSON (an object, a list of pairs, a flat list of names and values, or objects with `name` and `value`), or an
 * object printed by a program.
 * @throws ToolFault when the text holds no header
 */
export function parseHeaders(text: string): HeaderList {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  const headers = fromJson(trimmed) ?? (AS_PRINTED.test(trimmed) ? fromPrinted(trimmed) : fromLines(trimmed));
  if (headers.length === 0) throw new ToolFault('the headers file holds none; give lines of "name: value", or JSON');
  return headers;
}

/** A raw HTTP request: head, empty line, body. @throws ToolFault when there is no empty line */
export function parseRequest(bytes: Buffer): Capture {
  const text = bytes.toString('latin1');
  const end = /\r?\n\r?\n/.exec(text);
  if (!end) throw new ToolFault('the request has no empty line between its headers and its body');
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
  // The format of Node's rawHeaders.
  if (list.every((item) => typeof item === 'string'))
    return list.flatMap((name, index) => (index % 2 === 0 ? pairs([name, list[index + 1]]) : []));
  return list.flatMap((item) => {
    if (Array.isArray(item)) return pairs([String(item[0]), item[1]]);
    if (typeof item !== 'object' || item === null) return [];
    const { name, key, value }: Partial<Record<string, unknown>> = { ...item };
    return pairs([String(name ?? key), value]);
  });
}

/** A repeated header has a list of values. */
function pairs([name, value]: [string, unknown]): Header[] {
  if (Array.isArray(value)) return value.flatMap((each) => pairs([name, each]));
  return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
}

/** As printed by Node, Python, Ruby, Go (`%v` and `%#v`) or PHP (`var_dump`, `var_export`). */
const AS_PRINTED = /^(?:[{[]|map\[|http\.Header\{|array\s*\()/;

const QUOTED = `b?(?:'([^']*)'|"([^"]*)")`;
const NAME = String.raw`(?:${QUOTED}|([\w-]+))\]?`;
const BEFORE_VALUE = String.raw`\s*(?::|=>|,)\s*(?:\[\]string\{|\[)?\s*(?:string\(\d+\)\s*)?`;
const PRINTED = new RegExp(String.raw`(?<=^|[{,[(\s])${NAME}${BEFORE_VALUE}(?:${QUOTED}|(\d+))`, 'g');
/** Go's `%v` does not quote. */
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
