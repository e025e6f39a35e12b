import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { correlationId, traceId } from './correlation.ts';
import { LogBudget } from './log-budget.ts';
import { type LogOutput, openLogOutput } from './log-output.ts';
import { isUnavailable } from './lost-connections.ts';

export interface Log extends Logger {
  /** For lines caused by unauthenticated callers: a hundred per second. */
  unauthenticated: LogBudget;
  /** Reports the lines left out so far. */
  reportSuppressed(): void;
}

const UNAUTHENTICATED = { lines: 100, everyMs: 1000 };
/** While the database or another peer is down, everything fails for the same reason. */
const OUTAGE = { lines: 1, everyMs: 1000 };
/** A request may fail because of it this long after its last error: it waits for a turn and an answer, with the default settings. */
const ECHO_MS = 10_000;

/** Keeps personal data out of log lines: omits the error's other properties, where Postgres puts the offending values. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, ...code, stack: error.stack, ...cause };
}

/** Formats each millisecond once: a flood has many lines in one. */
function createTimestamp(): () => string {
  let last = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
}

let output: LogOutput | undefined;

/** Logs one JSON object per line, with its correlation id. Writes to standard output by default. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const outage = new LogBudget(OUTAGE, (lines) => log.error({ lines }, 'connection failures suppressed'));
  const unauthenticated = new LogBudget(UNAUTHENTICATED, (lines) =>
    log.warn({ lines }, 'unauthenticated failures suppressed'),
  );
  let outageEndsAt = 0;
  const isSuppressed = (line: unknown) => {
    if (typeof line !== 'object' || line === null) return false;
    const isOutage = 'err' in line && isUnavailable(line.err);
    if (isOutage) outageEndsAt = performance.now() + ECHO_MS;
    const isOfOutage = isOutage || ('status' in line && isFailure(line.status) && performance.now() < outageEndsAt);
    return isOfOutage && !outage.spend();
  };
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: createTimestamp(),
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => ({ correlation_id: correlationId(), trace_id: traceId() }),
    serializers: { err: describeError },
    hooks: {
      logMethod(args, method) {
        if (!isSuppressed(args[0])) method.apply(this, args);
      },
    },
  };
  const standardOutput = () => {
    output ??= openLogOutput((lines) => log.warn({ lines }, 'log lines dropped: stdout blocked'));
    return output;
  };
  const log: Log = Object.assign(pino(options, destination ?? standardOutput()), {
    unauthenticated,
    reportSuppressed() {
      unauthenticated.report();
      outage.report();
    },
  });
  return log;
}

function isFailure(status: unknown): boolean {
  return status === 'aborted' || Number(status) >= 500;
}

/** Waits until standard output has taken all lines so far. @returns false when it did not in time */
export async function logWritten(limitMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const limit = setTimeout(() => resolve(false), limitMs);
  if (output) output.flush(() => resolve(true));
  else resolve(true);
  return promise.finally(() => clearTimeout(limit));
}
