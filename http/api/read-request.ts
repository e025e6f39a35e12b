import express, { type RequestHandler } from 'express';
import { ValidationError } from '../../core/errors.ts';
import { fieldMessage, REFUSALS } from '../../core/messages.ts';
import { decodedUri, isStorableText } from '../../core/text.ts';
import { BODY_LIMIT_BYTES, bounded } from '../edge/bounded-body.ts';
import { onlyHeader } from '../edge/only-header.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Express decodes path parameters while it looks for the route, and would refuse a malformed escape before authentication. It decodes an
 * escaped escape to the text as sent, which `readPath` decodes.
 */
export function escapeEscapes(basePath: string): RequestHandler {
  return (req, _res, next) => {
    if (req.url.startsWith(basePath) && req.url.includes('%'))
      req.url = req.url.replace(/^[^?#]+/, (path) => path.replaceAll('%', '%25'));
    next();
  };
}

/** Decodes the path parameters. @throws ValidationError */
export const readPath: RequestHandler = (req, res, next) => {
  res.locals['params'] = Object.fromEntries(
    Object.entries(req.params).map(([name, segment]) => [name, decodeSegment(name, String(segment))]),
  );
  next();
};

function decodeSegment(name: string, segment: string): string {
  const text = decodedUri(segment);
  if (text === undefined)
    throw new ValidationError([{ field: name, message: 'holds a malformed escape sequence.' }], REFUSALS.malformedPath);
  if (!isStorableText(text)) throw unstorable(name);
  return text;
}

/** Parses JSON: requires the right media type, well-formed UTF-8, and text that can be stored. @throws ValidationError */
export const readJsonBody: RequestHandler[] = [
  (req, _res, next) => {
    const [type = ''] = onlyHeader(req, 'content-type')?.split(';') ?? [];
    if (type.trim().toLowerCase() !== 'application/json') throw new ValidationError([], REFUSALS.notJsonType);
    // The validator compiles and caches its schemas per spelling of the media type.
    req.headers['content-type'] = 'application/json';
    next();
  },
  bounded(BODY_LIMIT_BYTES, express.raw({ type: () => true, limit: BODY_LIMIT_BYTES })),
  (req, _res, next) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0)
      throw new ValidationError([{ field: 'body', message: 'is required.' }], REFUSALS.noBody);
    req.body = parseJson(req.body);
    next();
  },
];

/** Operations without a body ignore any body that is sent. */
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
    throw new ValidationError([], REFUSALS.notJson);
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
  return new ValidationError([{ field, message: `${fieldMessage('storableText')}.` }]);
}
