import express, { type Request, type RequestHandler, type Response } from 'express';
import { unstorable, ValidationError } from '../../core/errors.ts';
import { canonicalId } from '../../core/ids.ts';
import { REFUSALS } from '../../core/messages.ts';
import { decodedUri, isStorableText } from '../../core/text.ts';
import { bounded, MAX_BODY_BYTES } from '../edge/bounded-body.ts';
import { onlyHeader } from '../edge/only-header.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Express decodes path parameters while it looks for the route, and would refuse a malformed escape before authentication. With each
 * percent sign escaped, it gets the text as sent, which `readPath` decodes.
 */
export function deferDecoding(basePath: string): RequestHandler {
  return (req, _res, next) => {
    if (req.url.startsWith(basePath) && req.url.includes('%'))
      req.url = req.url.replace(/^[^?#]+/, (path) => path.replaceAll('%', '%25'));
    next();
  };
}

/** A request as the contract describes it, once it is read. */
export function requestOf(req: Request, res: Response) {
  const { params, query } = res.locals;
  return { params, query, body: req.body };
}

/** Decodes the path parameters; UUIDs become lower case. @throws ValidationError */
export const readPath: RequestHandler = (req, res, next) => {
  const params: Record<string, string> = {};
  for (const name in req.params) params[name] = canonicalId(decodeSegment(name, String(req.params[name])));
  res.locals['params'] = params;
  next();
};

/** The reserved characters of RFC 3986, section 2.2, without the apostrophe, which clients leave as it is. */
const RESERVED = /[:/?#[\]@!$&()*+,;=]/;

/** Reads the query parameters of these names, UUIDs in lower case; others are ignored. @throws ValidationError for a reserved character (OpenAPI 3.0.3) */
export function readQuery(names: readonly string[]): RequestHandler {
  return (req, res, next) => {
    res.locals['query'] = names.length > 0 ? queryOf(req, names) : {};
    next();
  };
}

function queryOf({ url, query }: Request, names: readonly string[]): Record<string, unknown> {
  const [, text = ''] = /\?([^#]*)/.exec(url) ?? [];
  const pairs = text.split('&').map((pair) => pair.split('='));
  const unescaped = names.filter((name) => pairs.some(([key, value = '']) => key === name && RESERVED.test(value)));
  if (unescaped.length > 0)
    throw new ValidationError(unescaped.map((field) => ({ field, message: 'must be percent-encoded.' })));
  // Many clients write a list or an object with brackets.
  const isNested = (name: string) => Object.keys(query).some((key) => key.startsWith(`${name}[`));
  const canonical = (value: unknown) => (typeof value === 'string' ? canonicalId(value) : value);
  return Object.fromEntries(names.map((name) => [name, isNested(name) ? [] : canonical(query[name])]));
}

function decodeSegment(name: string, segment: string): string {
  const text = segment.includes('%') ? decodedUri(segment) : segment;
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
    next();
  },
  bounded(MAX_BODY_BYTES, express.raw({ type: () => true, limit: MAX_BODY_BYTES })),
  (req, _res, next) => {
    if (!Buffer.isBuffer(req.body) || req.body.length === 0)
      throw new ValidationError([{ field: 'body', message: 'is required.' }], REFUSALS.noBody);
    req.body = parseJson(req.body);
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
  const waiting: Place[] = [{ value: root, key: '', within: undefined }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value } = place;
    if (typeof value === 'string' && !isStorableText(value)) throw unstorable(pathTo(place));
    if (typeof value !== 'object' || value === null) continue;
    // The entries of an array would make a text of each index: most of the cost of a long list.
    for (const [key, child] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (typeof key === 'string' && !isStorableText(key)) throw unstorable(pathTo(place));
      if (typeof child === 'string' || typeof child === 'object') waiting.push({ value: child, key, within: place });
    }
  }
}

/** A value in a body. */
interface Place {
  value: unknown;
  key: string | number;
  within: Place | undefined;
}

function pathTo(place: Place): string {
  const keys: (string | number)[] = [];
  for (let at = place; at.within; at = at.within) keys.push(at.key);
  return keys.reverse().join('.') || 'body';
}
