import express, { type Request, type RequestHandler } from 'express';
import { ValidationError } from '../../core/errors.ts';
import { decodedUri, isStorableText } from '../../core/text.ts';
import { BODY_LIMIT_BYTES, bounded } from '../edge/bounded-body.ts';
import { onlyHeader } from '../edge/only-header.ts';

/** Answers to a page's form are short. */
const FORM_LIMIT_BYTES = 8 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Makes a reader of a template's path parameters, decoded. The reader throws ValidationError. */
export function pathParameters(template: string): (path: string) => Record<string, string> {
  const segments = template.split('/');
  const places = segments.flatMap((segment, index) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    return name === undefined ? [] : [{ name, fromEnd: index - segments.length }];
  });
  return (path) => {
    const values = places.length > 0 ? path.split('/') : [];
    return Object.fromEntries(places.map(({ name, fromEnd }) => [name, decodeSegment(name, values.at(fromEnd) ?? '')]));
  };
}

function decodeSegment(name: string, segment: string): string {
  const text = decodedUri(segment);
  if (text === undefined)
    throw new ValidationError(
      [{ field: name, message: 'holds a malformed escape sequence.' }],
      'The path holds a malformed escape sequence.',
    );
  if (!isStorableText(text)) throw unstorable(name);
  return text;
}

/** JSON of the right type, in UTF-8, well-formed, with text that can be stored throughout. @throws ValidationError */
export const readJsonBody: RequestHandler[] = [
  (req, _res, next) => {
    const [type = ''] = onlyHeader(req, 'content-type')?.split(';') ?? [];
    if (type.trim().toLowerCase() !== 'application/json')
      throw new ValidationError([], 'Send the body as JSON, with Content-Type: application/json.');
    // The validator compiles and caches its schemas per spelling of the media type.
    req.headers['content-type'] = 'application/json';
    next();
  },
  bounded(BODY_LIMIT_BYTES, express.raw({ type: () => true, limit: BODY_LIMIT_BYTES })),
  (req, _res, next) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0)
      throw new ValidationError([{ field: 'body', message: 'is required.' }]);
    req.body = parseJson(req.body);
    next();
  },
];

/** For the hosted pages' forms. */
export const readForm = bounded(
  FORM_LIMIT_BYTES,
  express.text({ type: 'application/x-www-form-urlencoded', limit: FORM_LIMIT_BYTES }),
);

/** The fields of a form; none when the body is of another type. */
export function formOf({ body }: Request): URLSearchParams {
  return new URLSearchParams(typeof body === 'string' ? body : '');
}

/** Operations without a body ignore whatever body is sent. */
export const ignoreBody: RequestHandler[] = [
  (req, _res, next) => {
    delete req.headers['content-type'];
    next();
  },
];

function parseJson(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    throw new ValidationError([], 'The body is not well-formed JSON in UTF-8.');
  }
  checkText(value);
  return value;
}

/** Iterative: a deeply nested body must not exhaust the stack. */
function checkText(root: unknown): void {
  const waiting: { value: unknown; path: string }[] = [{ value: root, path: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !isStorableText(value)) throw unstorable(path || 'body');
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (!isStorableText(key)) throw unstorable(path || 'body');
      waiting.push({ value: child, path: path ? `${path}.${key}` : key });
    }
  }
}

function unstorable(field: string): ValidationError {
  return new ValidationError([
    { field, message: 'holds a character that text cannot hold (NUL or half a surrogate pair).' },
  ]);
}
