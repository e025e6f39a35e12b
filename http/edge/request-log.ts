import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { correlated } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';

const ACCEPTED_ID = /^[\w.-]{1,64}$/;

/** Names the operation in the request's log line. */
export function named(operation: string): RequestHandler {
  return (_req, res, next) => {
    res.locals['operation'] = operation;
    next();
  };
}

/**
 * Gives each request an id, for its response and its log lines, and logs it at its end, with the API key that authenticated. The operation's name is logged instead of the
 * path, which may contain an e-mail address or a link's token.
 */
export function requestLog(log: Log): RequestHandler {
  return (req, res, next) => {
    const given = req.get('X-Request-Id');
    const id = given && ACCEPTED_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    res.setHeader('X-Request-Id', id);
    correlated(id, () => {
      res.once('close', () => {
        const { method } = req;
        const { operation, apiKeyId } = res.locals;
        const status = res.writableFinished ? res.statusCode : 'aborted';
        const ms = Math.round(performance.now() - startedAt);
        log.info({ correlation_id: id, method, operation, api_key_id: apiKeyId, status, ms }, 'request');
      });
      next();
    });
  };
}
