import { createInterface } from 'node:readline';
import { Option } from 'commander';
import { OperatorError, UsageError } from './faults.ts';
import { plain } from './output.ts';

/** The options of a command that deletes data. */
export interface ConfirmOptions {
  yes?: boolean;
}

export function confirmOption(): Option {
  return new Option('--yes', 'do not ask for confirmation; required in scripts');
}

/**
 * Asks the operator to confirm a sentence that says what will be lost. Call it before anything changes, and never
 * within a transaction.
 * @throws UsageError without a terminal to ask on, OperatorError when the answer is no
 */
export async function confirmed(options: ConfirmOptions, sentence: string): Promise<void> {
  if (options.yes) return;
  // Standard output is reserved for the command's result.
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY)
    throw new UsageError(`${plain(sentence)} There is no terminal to confirm on: add --yes`);
  output.write(`${plain(sentence)}\nType yes to continue: `);
  if ((await firstLine(input)).trim().toLowerCase() !== 'yes') throw new OperatorError('nothing was changed.');
}

/** Empty at the end of the input. */
async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  try {
    // No `output`, so the terminal stays in its normal mode and Ctrl-C ends the program.
    for await (const line of createInterface({ input })) return line;
    return '';
  } finally {
    // An input that is still being read keeps the process alive.
    input.pause();
  }
}
