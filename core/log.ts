import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { correlationId } from './correlation.ts';

export type Log = Logger;

const STANDARD_OUTPUT = 1;

/** What is logged of an error. Not its other properties: Postgres puts the offending values there. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? { code: error.code } : {};
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  return { type: error.name, ...code, stack: error.stack, ...cause };
}

/** Lines are written together, this often or when this much has gathered: each by itself costs as much as to make it. */
const TOGETHER = { minLength: 16_000, periodicFlush: 100, sync: false };

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
  return pino(options, destination ?? pino.destination({ dest: STANDARD_OUTPUT, ...TOGETHER }));
}
