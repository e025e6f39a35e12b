import express, { type RequestHandler } from 'express';
import { ValidationError } from '../core/errors.ts';
import { isStorableText } from '../core/text.ts';

/** Larger bodies are refused with 400 (product document 8). */
export const BODY_LIMIT_BYTES = 100 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The path's parameters, decoded. @throws ValidationError */
export function readPathParameters(template: string, path: string): Record<string, string> {
  const values = path.split('/').slice(-template.split('/').length);
  const parameters: Record<string, string> = {};
  template.split('/').forEach((segment, index) => {
    const name = /^\{(.+)\}$/.exec(segment)?.[1];
    if (name) parameters[name] = decodeSegment(name, values[index] ?? '');
  });
  return parameters;
}

function decodeSegment(name: string, segment: string): string {
  let text: string;
  try {
    text = decodeURIComponent(segment);
  } catch {
    throw new ValidationError(
      [{ field: name, message: 'holds a malformed escape sequence.' }],
      'The path holds a malformed escape sequence.',
    );
  }
  if (!isStorableText(text)) throw unstorable(name);
  return text;
}

/**
 * Reads the JSON body of an operation that takes one: the right type, UTF-8, well-formed, and text that can be stored
 * throughout. @throws ValidationError
 */
export const readJsonBody: RequestHandler[] = [
  (req, _res, next) => {
    const [given = '', ...others] = req.headersDistinct['content-type'] ?? [];
    const [type = ''] = given.split(';');
    if (type.trim().toLowerCase() !== 'application/json' || others.length > 0)
      throw new ValidationError([], 'Send the body as JSON, with Content-Type: application/json.');
    // The validator compiles anew for each spelling it sees and keeps what it compiled.
    req.headers['content-type'] = 'application/json';
    next();
  },
  express.raw({ type: () => true, limit: BODY_LIMIT_BYTES }),
  (req, _res, next) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0)
      throw new ValidationError([{ field: 'body', message: 'is required.' }]);
    req.body = parseJson(req.body);
    next();
  },
];

/** An operation without a body looks at nothing of what is sent along. */
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

/** Walks without recursion: a deeply nested body must not exhaust the stack. */
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
