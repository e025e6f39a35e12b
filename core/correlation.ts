import { AsyncLocalStorage } from 'node:async_hooks';

interface Correlation {
  id: string;
  traceId: string | undefined;
}

const storage = new AsyncLocalStorage<Correlation>();

/** Runs `work` under a correlation id, which its log lines and jobs carry. @param traceId of the caller's trace, which its log lines carry */
export function correlated<T>(id: string, work: () => T, traceId?: string): T {
  return storage.run({ id, traceId }, work);
}

/** The correlation id of the current request or job, if any. */
export function correlationId(): string | undefined {
  return storage.getStore()?.id;
}

/** The trace id of the current request or job, if its caller traces. */
export function traceId(): string | undefined {
  return storage.getStore()?.traceId;
}

/** W3C Trace Context, section 3.2: version, trace id, span id and flags. Later versions may append more. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|-)/;
const LENGTH = 55;

/**
 * @returns undefined for a header that is missing or invalid; the standard says to ignore the latter
 */
export function traceIdIn(traceparent: string | string[] | undefined): string | undefined {
  if (typeof traceparent !== 'string' || traceparent.length < LENGTH) return undefined;
  if (traceparent.startsWith('00') && traceparent.length > LENGTH) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/** Runs `work` without a context: a timer that serves several requests belongs to none of them. */
export function uncorrelated<T>(work: () => T): T {
  return storage.exit(work);
}
