import type { Request, RequestHandler, Response } from 'express';
import { correlationId, traceId } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';

/** Called at the end of each request with its operation's name, if any, and its duration in milliseconds. */
export type RequestEnded = (operation: string | undefined, status: number | 'aborted', ms: number) => void;

/** Names the operation in the request's log line. */
export function named(operation: string): RequestHandler {
  return (_req, res, next) => {
    res.locals['operation'] = operation;
    next();
  };
}

/**
 * Logs a request at its end, with the API key, member or operator that authenticated. The operation's name is logged instead of the path, which may contain an
 * e-mail address or a link's token.
 */
export function logAtEnd(
  { method }: Request,
  res: Response,
  { log, ended }: { log: Log; ended?: RequestEnded | undefined },
): void {
  const [correlation_id, trace_id] = [correlationId(), traceId()];
  const startedAt = performance.now();
  res.once('close', () => {
    const { operation, apiKeyId, accountId } = res.locals;
    const status = res.writableFinished ? res.statusCode : 'aborted';
    const elapsedMs = performance.now() - startedAt;
    ended?.(operation, status, elapsedMs);
    if ((apiKeyId ?? accountId) === undefined && isRefusal(status) && !log.unauthenticated.spend()) return;
    const ms = Math.round(elapsedMs);
    const who = { api_key_id: apiKeyId, account_id: accountId };
    log.info({ correlation_id, trace_id, method, operation, ...who, status, ms }, 'request');
  });
}

/** Whether an outcome of an unauthenticated request costs its caller nothing. */
function isRefusal(status: number | 'aborted'): boolean {
  return status === 'aborted' || status === 503 || (status >= 400 && status < 500);
}
