import { type Logger, pino } from 'pino';
import { correlationId } from './correlation.ts';

export type Log = Logger;

/** One JSON object a line on standard output, each with the correlation id of what caused it. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => ({ correlation_id: correlationId() }),
  });
}
