import express, { type RequestHandler } from 'express';
import { ValidationError } from '../../core/errors.ts';
import { basePath } from '../../harness/contract/contract.ts';

const LIMIT_BYTES = 100 * 1024;

/** Checks path parameters, which the validator covers less strictly. The handler gets the values that the validator decoded. */
export const readPath: RequestHandler = (req, res, next) => {
  const steps = req.path.slice(basePath.length).split('/');
  const template: string = res.locals['routed'].path;
  template.split('/').forEach((step, index) => {
    const field = /^\{(.+)\}$/.exec(step)?.[1];
    if (field !== undefined) expectStorable(field, decoded(field, steps[index] ?? ''));
  });
  next();
};

function decoded(field: string, step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    const message = 'holds a malformed escape sequence.';
    throw new ValidationError([{ field, message }], `The path ${message}`);
  }
}

/** Parses one JSON value, in UTF-8 and with storable texts, where the operation takes a body; ignores any body elsewhere. */
export const readBody: RequestHandler[] = [
  (req, res, next) => {
    const given = req.headersDistinct['content-type'] ?? [];
    delete req.headers['content-type'];
    if (!res.locals['routed'].requestBody) return next();
    const [type = ''] = (given[0] ?? '').split(';');
    if (given.length > 1 || type.trim().toLowerCase() !== 'application/json')
      throw new ValidationError([], 'Send the body as JSON, with Content-Type: application/json.');
    req.headers['content-type'] = 'application/json';
    next();
  },
  express.raw({ type: 'application/json', limit: LIMIT_BYTES }),
  (req, res, next) => {
    if (!res.locals['routed'].requestBody) return next();
    if (!Buffer.isBuffer(req.body) || req.body.length === 0)
      throw new ValidationError([{ field: 'body', message: 'is required.' }]);
    req.body = parsed(req.body);
    next();
  },
];

function parsed(bytes: Buffer): unknown {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ValidationError([], 'The body is not well-formed JSON in UTF-8.');
  }
  const waiting: [field: string, value: unknown][] = [['', body]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [field, value] = next;
    if (typeof value === 'string') expectStorable(field || 'body', value);
    else if (typeof value === 'object' && value !== null)
      for (const [name, child] of Object.entries(value)) {
        expectStorable(field || 'body', name);
        waiting.push([field ? `${field}.${name}` : name, child]);
      }
  }
  return body;
}

function expectStorable(field: string, text: string): void {
  const message = 'must not contain NUL or a lone surrogate.';
  if (text.includes('\0') || !text.isWellFormed()) throw new ValidationError([{ field, message }]);
}
