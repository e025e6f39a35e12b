import { FileFault, UsageFault } from '@tenant-screening/forensics/cli/faults';
import { ToolFault } from '@tenant-screening/webhook-tools/faults';
import { CommanderError } from 'commander';
import { UnusableContract } from '../../../core/contract.ts';
import { UnusableHeader } from '../../../core/csv-table.ts';
import { Conflict, NotFound, ProviderUnavailable, ValidationError } from '../../../core/errors.ts';
import { BackupRefused } from '../../../core/rules/backup-manifest.ts';
import { ConfigError } from '../../../core/settings/config-error.ts';
import { oneLine } from '../../../core/text.ts';
import { NoStandby } from '../../../db/connection/postgres/replica.ts';
import { UnfitRoute } from '../../../db/connection/postgres/route.ts';
import { NewerSchema, OlderSchema } from '../../../db/connection/schema-status.ts';
import { UnacceptableDocument, UnreadableDocument } from '../../../providers/documents/port.ts';
import { explainExternalError } from '../../service/explain-external-error.ts';

/** A fault that the operator can correct. The message says what is wrong and what to do. */
export class OperatorError extends Error {}

/** The arguments are wrong, regardless of the data. */
export class UsageError extends Error {}

export interface Explanation {
  exitCode: 0 | 1 | 2;
  /** Empty when commander has printed the help. */
  message: string;
}

/** Errors whose message is enough for the operator. */
const selfExplanatory = [
  ...[OperatorError, NotFound, Conflict, ValidationError],
  ...[
    UnacceptableDocument,
    UnreadableDocument,
    ProviderUnavailable,
    NewerSchema,
    OlderSchema,
    UnfitRoute,
    NoStandby,
    BackupRefused,
  ],
  ...[FileFault, ToolFault, UnusableContract, UnusableHeader],
];

/** The message and exit code for an error. Only unexpected errors show a stack trace. */
export function explain(error: unknown): Explanation {
  if (error instanceof CommanderError) return explainUsage(error);
  if (error instanceof UsageError || error instanceof UsageFault)
    return { exitCode: 2, message: usageMessage(error.message) };
  if (error instanceof ConfigError) return { exitCode: 1, message: settingsMessage(error) };
  if (selfExplanatory.some((kind) => error instanceof kind))
    return { exitCode: 1, message: `Error: ${error instanceof Error ? error.message : error}` };
  const explanation = explainExternalError(error);
  if (explanation) return { exitCode: 1, message: `Error: ${explanation}` };
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
