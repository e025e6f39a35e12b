import { CommanderError } from 'commander';
import { ToolFault, UsageFault } from '../faults.ts';

export interface Explanation {
  exitCode: 0 | 1 | 2;
  /** Empty when commander has printed the help. */
  message: string;
}

/** The message and exit code for an error. Only unexpected errors show a stack trace. */
export function explain(error: unknown): Explanation {
  if (error instanceof CommanderError && error.exitCode === 0) return { exitCode: 0, message: '' };
  if (error instanceof CommanderError || error instanceof UsageFault)
    return { exitCode: 2, message: usageMessage(error.message.replace(/^error: /, '')) };
  if (error instanceof ToolFault) return { exitCode: 1, message: `Error: ${error.message}` };
  return { exitCode: 1, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** The fault may quote an argument, so control characters are replaced. */
function usageMessage(fault: string): string {
  const sentence = fault.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return `Error: ${sentence.replace(/[^.?!)]$/, '$&.')} Add --help to see how the command is used.`;
}
