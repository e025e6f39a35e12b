import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { correlationId, traceId } from './correlation.ts';

export type Log = Logger;

const STANDARD_OUTPUT = 1;

/** Omits the error's other properties, where Postgres puts the offending values. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, ...code, stack: error.stack, ...cause };
}

/** Buffers lines, because writing one costs as much as composing it. In bytes and milliseconds. */
const TOGETHER = { minLength: 16_000, periodicFlush: 100, sync: false };

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

/** Logs one JSON object per line, with its correlation id. Writes to standard output by default. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: createTimestamp(),
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => ({ correlation_id: correlationId(), trace_id: traceId() }),
    serializers: { err: describeError },
  };
  return pino(options, destination ?? pino.destination({ dest: STANDARD_OUTPUT, ...TOGETHER }));
}
