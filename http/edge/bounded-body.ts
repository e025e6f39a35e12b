import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { continueInTurn } from '../../core/correlation.ts';
import { ValidationError } from '../../core/errors.ts';
import { tooLargeBody } from '../../core/messages.ts';
import { end, lingerAtEnd, lingerLonger } from './raw-refusal.ts';

/** Larger bodies are refused with 400 (product document 8). */
export const MAX_BODY_BYTES = 100 * 1024;

/** How much of a body is read after its request was answered. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Requests of which more is discarded. */
const discardable = new WeakMap<IncomingMessage, number>();

/**
 * Reads up to `bytes` of a request's body after its answer. For uploads: a browser shows no answer before it has sent the file, and takes
 * a connection that ends earlier for a broken line.
 */
export function discardUpTo(req: IncomingMessage, bytes: number): void {
  discardable.set(req, bytes);
}

/** Whether a request declares a body longer than operations accept. */
export function isOverLimit(req: IncomingMessage): boolean {
  return declaredBytes(req) > MAX_BODY_BYTES;
}

/** Whether the unread rest of a request's body may exceed what is read and discarded. */
export function mayBeLong(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || isOverLimit(req);
}

function hasBody(req: IncomingMessage): boolean {
  return req.headers['transfer-encoding'] !== undefined || declaredBytes(req) > 0;
}

function declaredBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/**
 * Makes a body parser refuse a body over the limit as soon as that is known. Express's parsers read the whole body before they answer. The
 * request continues in a turn of its party, because the bodies of many arrive together.
 */
export function bounded(limit: number, parse: RequestHandler): RequestHandler {
  return (req, res, next) => {
    let isOver = false;
    let bytes = 0;
    const refuse = () => {
      if (isOver) return;
      isOver = true;
      res.shouldKeepAlive = false;
      next(new ValidationError([], tooLargeBody(limit)));
    };
    if (declaredBytes(req) > limit) return refuse();
    // The server holds back the 100 until the body's size has been checked.
    if (isOverLimit(req) && /\b100-continue\b/i.test(req.headers.expect ?? '')) res.writeContinue();
    if (req.headers['transfer-encoding'] !== undefined)
      req.on('data', ({ length }: Buffer) => {
        bytes += length;
        if (bytes > limit) refuse();
      });
    parse(req, res, (fault) => {
      if (isOver) return;
      if (fault || !hasBody(req)) next(fault);
      else continueInTurn().then(next, next);
    });
  };
}

/**
 * Limits how much of a body is read after its request was answered, so that callers can read the answer and stop sending. The answer to a
 * body of known length over the limit is the last on its connection.
 */
export function boundRest(req: IncomingMessage, res: ServerResponse): void {
  const { socket } = req;
  if (isOverLimit(req)) res.shouldKeepAlive = false;
  lingerAtEnd(socket, () => req.complete || req.destroyed);
  res.once('prefinish', () => {
    if (req.complete || req.destroyed) return;
    let bytes = 0;
    req.on('data', ({ length }: Buffer) => {
      bytes += length;
      if (bytes <= (discardable.get(req) ?? MAX_DISCARDED_BYTES)) return lingerLonger(socket);
      req.pause();
      end(socket);
    });
    req.once('end', () => {
      if (!res.shouldKeepAlive) socket.destroySoon();
    });
    // Node reads an unconsumed body to its end.
    req.read(0);
    req.resume();
  });
}
