import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { correlationId } from './correlation.ts';

export type Log = Logger;

/** What is logged of an error. Not its other properties: Postgres puts the offending values there. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, ...code, stack: error.stack, ...cause };
}

/** One JSON object a line, on standard output by default, each with the correlation id of what caused it. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => ({ correlation_id: correlationId() }),
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}
