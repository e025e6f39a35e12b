/** `screening-forensics <command>`: the analysis from the command line, without the service. Try --help. */
import { resolve } from 'node:path';
import { styleText } from 'node:util';
import { Command, CommanderError } from 'commander';
import stringWidth from 'string-width';
import { defaultSettings } from '../analyse.ts';
import { addAnalyseCommand } from './analyse-files.ts';
import { FileFault, UsageFault } from './faults.ts';
import type { Host } from './host.ts';
import { addRulesCommand } from './list-rules.ts';

const NAME = 'screening-forensics';

const host: Host = {
  action: (work) =>
    async function action(...input) {
      const { json, text, exitCode } = await work(...input);
      const wantsJson = this.optsWithGlobals()['json'] === true;
      process.stdout.write(`${wantsJson ? JSON.stringify(json, null, 2) : text}\n`);
      process.exitCode = exitCode;
    },
  example: (...commands) => `\nExample:\n${commands.map((command) => `  ${NAME} ${command}`).join('\n')}`,
  resolve: (typed) => resolve(typed),
  settings: () => defaultSettings(),
  async withProgress(title, total, work) {
    if (!process.stderr.isTTY) return work(() => undefined);
    const show = (done: number) => process.stderr.write(`\r${title} ${done}/${total}`);
    show(0);
    try {
      return await work(show);
    } finally {
      process.stderr.write('\r\u001b[K');
    }
  },
  table(rows, { columns, empty }) {
    if (rows.length === 0) return empty;
    const cells = [columns as readonly string[], ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
    const widths = columns.map((_, index) => Math.max(...cells.map((line) => stringWidth(line[index] ?? ''))));
    const lines = cells.map((line) =>
      line
        .map((cell, index) => cell + ' '.repeat((widths[index] ?? 0) - stringWidth(cell)))
        .join('  ')
        .trimEnd(),
    );
    return [styleText('bold', lines[0] ?? ''), ...lines.slice(1)].join('\n');
  },
};

const program = new Command(NAME)
  .description('Looks for signs of tampering in documents: PDF, JPEG and PNG.')
  .option('--json', 'print one JSON document and nothing else')
  .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30 })
  // Faults are printed below.
  .configureOutput({ outputError: () => {} })
  .exitOverride();
addAnalyseCommand(program, host);
addRulesCommand(program, host);

// The reader of the output may stop early, as `| head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = fail(error);
}

/** Prints what went wrong, with a stack trace only for unexpected errors. */
function fail(error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommanderError || error instanceof UsageFault) {
    const fault = error.message.replace(/^error: /, '').replace(/[^.?!)]$/, '$&.');
    if (!(error instanceof CommanderError && error.code === 'commander.help'))
      console.error(`Error: ${fault} Add --help to see how the command is used.`);
    return 2;
  }
  console.error(error instanceof FileFault ? `Error: ${error.message}` : error);
  return 1;
}
