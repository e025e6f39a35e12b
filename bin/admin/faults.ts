import { CommanderError } from 'commander';
import { ConfigError } from '../../core/config.ts';
import { Conflict, NotFound, ValidationError } from '../../core/errors.ts';

/** Something a person can mend; the message says what is wrong and how. */
export class OperatorError extends Error {}

/** What was typed does not make sense, whatever the data is. */
export class UsageError extends Error {}

export interface Explanation {
  exitCode: 0 | 1 | 2;
  /** Empty when everything was said already. */
  message: string;
}

/** What the program ends with after an error. Only what nobody foresaw shows a stack trace. */
export function explain(error: unknown): Explanation {
  if (error instanceof CommanderError) return explainUsage(error);
  if (error instanceof UsageError) return { exitCode: 2, message: usageMessage(error.message) };
  if (error instanceof ConfigError) return { exitCode: 1, message: settingsMessage(error) };
  if ([OperatorError, NotFound, Conflict, ValidationError].some((kind) => error instanceof kind))
    return { exitCode: 1, message: `Error: ${error instanceof Error ? error.message : error}` };
  const trouble = outsideTrouble(error);
  if (trouble) return { exitCode: 1, message: `Error: ${trouble}` };
  return { exitCode: 1, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

function explainUsage({ exitCode, code, message }: CommanderError): Explanation {
  if (exitCode === 0) return { exitCode: 0, message: '' };
  return { exitCode: 2, message: code === 'commander.help' ? '' : usageMessage(message.replace(/^error: /, '')) };
}

function usageMessage(fault: string): string {
  const sentence = oneLine(fault).replace(/[^.?!)]$/, '$&.');
  return `Error: ${sentence} Add --help to see how the command is used.`;
}

function settingsMessage({ message }: ConfigError): string {
  const faults = message.split('\n').slice(1);
  return `Error: the settings cannot be used: ${faults.map((fault) => fault.replace(/^ *- /, '')).join(' ')}`;
}

const known: Record<string, string> = {
  ECONNREFUSED: 'the database of DATABASE_URL does not answer; is it running?',
  ENOTFOUND: 'the host of DATABASE_URL is unknown; check its spelling',
  ETIMEDOUT: 'the database of DATABASE_URL does not answer in time; is it running?',
  '28P01': 'Postgres refuses the user or password of DATABASE_URL',
  '3D000': 'the database of DATABASE_URL does not exist; create it first',
  '42501': 'the user of DATABASE_URL lacks a right',
  SQLITE_BUSY: 'the SQLite file was in use for too long; try again',
  SQLITE_CANTOPEN: 'the SQLite file cannot be opened; check DATABASE_URL and DATA_DIR',
  SQLITE_NOTADB: 'the file of DATABASE_URL is not an SQLite database',
};

/** Trouble with the database or the disk, as far as its code tells. A code of Node itself would be a mistake of ours. */
function outsideTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'KnexTimeoutError') return known['ETIMEDOUT'];
  const code = 'code' in error ? String(error.code) : '';
  const fallback = /^E(?!RR_)[A-Z0-9]+$/.test(code)
    ? 'the system refuses'
    : code.startsWith('SQLITE_')
      ? 'SQLite refuses'
      : /^[0-9A-Z]{5}$/.test(code)
        ? 'Postgres refuses'
        : undefined;
  const trouble = known[code] ?? fallback;
  return trouble && error.message ? `${trouble} (${oneLine(error.message)})` : trouble;
}

/** Commander and databases may speak in several lines. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
