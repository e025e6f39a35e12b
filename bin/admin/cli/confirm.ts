import { createInterface } from 'node:readline';
import { Option } from 'commander';
import { OperatorError, UsageError } from './faults.ts';
import { plain } from './output.ts';

/** Among the options of a command that destroys something. */
export interface ConfirmOptions {
  yes?: boolean;
}

export function confirmOption(): Option {
  return new Option('--yes', 'do not ask; a script must say so');
}

/**
 * Returns once the operator agrees to what the sentence says will be lost. Ask before anything is changed, and never within a
 * transaction.
 * @throws UsageError where nobody can be asked, OperatorError when the answer is no
 */
export async function confirmed(options: ConfirmOptions, sentence: string): Promise<void> {
  if (options.yes) return;
  // Standard output belongs to what the command tells.
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY)
    throw new UsageError(`${plain(sentence)} Nobody can be asked here, so add --yes if this is meant`);
  output.write(`${plain(sentence)}\nType yes to go on: `);
  if ((await firstLine(input)).trim().toLowerCase() !== 'yes') throw new OperatorError('nothing was changed.');
}

/** Empty when the input ended. */
async function firstLine(input: NodeJS.ReadableStream): Promise<string> {
  try {
    // Edited by the terminal itself, so that Ctrl-C ends the program as ever.
    for await (const line of createInterface({ input })) return line;
    return '';
  } finally {
    // A terminal that is still read keeps the program from ending.
    input.pause();
  }
}
