import { FileFault, UsageFault } from '@tenant-screening/forensics/cli/faults';
import { CommanderError } from 'commander';
import { StaleContract } from '../../../core/contract.ts';
import { Conflict, NotFound, ProviderUnavailable, ValidationError } from '../../../core/errors.ts';
import { BackupRefused } from '../../../core/rules/backup-manifest.ts';
import { ConfigError } from '../../../core/settings/config.ts';
import { oneLine } from '../../../core/text.ts';
import { NewerSchema, OlderSchema } from '../../../db/connection/schema-status.ts';
import { UnacceptableDocument, UnreadableDocument } from '../../../providers/documents/port.ts';
import { outsideTrouble } from '../../service/outside-trouble.ts';

/** Something a person can mend; the message says what is wrong and how. */
export class OperatorError extends Error {}

/** What was typed does not make sense, whatever the data is. */
export class UsageError extends Error {}

export interface Explanation {
  exitCode: 0 | 1 | 2;
  /** Empty when everything was said already. */
  message: string;
}

/** Their messages say all that there is to say. */
const speaking = [
  ...[OperatorError, NotFound, Conflict, ValidationError],
  ...[UnacceptableDocument, UnreadableDocument, ProviderUnavailable, NewerSchema, OlderSchema, BackupRefused],
  ...[FileFault, StaleContract],
];

/** What the program ends with after an error. Only what nobody foresaw shows a stack trace. */
export function explain(error: unknown): Explanation {
  if (error instanceof CommanderError) return explainUsage(error);
  if (error instanceof UsageError || error instanceof UsageFault)
    return { exitCode: 2, message: usageMessage(error.message) };
  if (error instanceof ConfigError) return { exitCode: 1, message: settingsMessage(error) };
  if (speaking.some((kind) => error instanceof kind))
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
