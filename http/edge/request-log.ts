import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Network } from '../../core/addresses/address-ranges.ts';
import { clientAddress } from '../../core/addresses/client-address.ts';
import { correlated, traceIdIn } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';
import { partyOfAddress } from '../../core/party.ts';

const ACCEPTED_ID = /^[\w.-]{1,64}$/;

/** Called at the end of each request with its operation's name, if any, and its duration in milliseconds. */
export type RequestEnded = (operation: string | undefined, status: number | 'aborted', ms: number) => void;

/** Names the operation in the request's log line. */
export function named(operation: string): RequestHandler {
  return (_req, res, next) => {
    res.locals['operation'] = operation;
    next();
  };
}

interface Logged {
  log: Log;
  /** The proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly Network[];
  ended?: RequestEnded | undefined;
}

/**
 * Gives each request an id, for its response and its log lines, and a party: its address, until its caller is known. The lines also contain the caller's trace (`traceparent`). Logs the
 * request at its end, with the API key that authenticated. The operation's name is logged instead of the path, which may contain an e-mail
 * address or a link's token.
 */
export function requestLog({ log, trustedProxies, ended }: Logged): RequestHandler {
  return (req, res, next) => {
    const given = req.get('X-Request-Id');
    const id = given && ACCEPTED_ID.test(given) ? given : randomUUID();
    const trace_id = traceIdIn(req.headers['traceparent']);
    const startedAt = performance.now();
    res.setHeader('X-Request-Id', id);
    const serve = () => {
      res.once('close', () => {
        const { operation, apiKeyId } = res.locals;
        const status = res.writableFinished ? res.statusCode : 'aborted';
        const elapsedMs = performance.now() - startedAt;
        ended?.(operation, status, elapsedMs);
        if (apiKeyId === undefined && REFUSED.has(status) && !log.unauthenticated.spend()) return;
        const ms = Math.round(elapsedMs);
        const { method } = req;
        log.info({ correlation_id: id, trace_id, method, operation, api_key_id: apiKeyId, status, ms }, 'request');
      });
      next();
    };
    const party = () => partyOfAddress(clientAddress(req, trustedProxies), req.path);
    correlated({ id, traceId: trace_id, party }, serve);
  };
}

/** The outcomes of unauthenticated requests, which cost their callers nothing. */
const REFUSED = new Set<number | string>([400, 401, 404, 405, 'aborted']);
