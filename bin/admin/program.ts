import { Command } from 'commander';
import { commandLine, entry, programName } from './cli/run-command.ts';
import { nouns } from './nouns.ts';

const DESCRIPTION =
  'Operates the Tenant Screening service on the database of DATABASE_URL and the files of DATA_DIR. The service may be running beside it.';

const epilogue = () => `
From landlord to key:
  ${commandLine('landlord create --name "Casa Clara"')}
  ${commandLine('key create --landlord <landlord id> --name "Website"')}

Check the service:
  ${commandLine('doctor')}

Exit codes: 0 done, 1 not done, 2 not understood.${entry() ? '' : "\n--silent keeps npm's own lines out of the output."}`;

/** Creates the program. Only the typed nouns are loaded with their commands; the others are only described. */
export async function createProgram(typed: readonly string[]): Promise<Command> {
  const program = new Command(programName())
    .description(DESCRIPTION)
    .option('--json', 'print one JSON document and nothing else')
    .option('--wide', 'show every column of a list in full, whatever the terminal’s width')
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 30 })
    // bin/admin.ts prints all errors.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('after', epilogue());
  for (const { name, alias, group, description, load } of nouns) {
    const noun = program.command(name).description(description).helpGroup(group);
    if (alias !== undefined) noun.alias(alias);
    const addCommands = [name, alias].some((word) => word !== undefined && typed.includes(word))
      ? await load()
      : undefined;
    addCommands?.(noun, createWholeProgram);
  }
  return program.commandsGroup('The service:').helpCommand('help [command]', 'show how a command is used');
}

/** With the commands of every noun. */
export function createWholeProgram(): Promise<Command> {
  return createProgram(nouns.map(({ name }) => name));
}
