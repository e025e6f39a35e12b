import type { Command, Option } from 'commander';

/** What can be typed next, at one place of a command line. */
export interface Place {
  /** The noun and its command as far as they are typed, separated by a space: `webhook list`, `webhook ` or ` `. */
  typedWords: string;
  words: Word[];
  /** The options that take a value. */
  values: Value[];
  /** Whether an argument is a file. */
  takesFile: boolean;
}

export interface Word {
  text: string;
  description: string;
}

export interface Value {
  flags: string[];
  description: string;
  choices: readonly string[];
  isFile: boolean;
}

/** Every place of a program. Its nouns must be loaded. */
export function placesOf(program: Command): Place[] {
  const global = program.options;
  const nouns = program.commands.flatMap((noun) =>
    namesOf(noun).flatMap((name) => [
      placeOf(`${name} `, noun, global),
      ...noun.commands.map((leaf) => placeOf(`${name} ${leaf.name()}`, leaf, global)),
    ]),
  );
  return [placeOf(' ', program, []), ...nouns];
}

function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function placeOf(typedWords: string, command: Command, global: readonly Option[]): Place {
  const options = [...command.createHelp().visibleOptions(command), ...global];
  const below = command.commands.flatMap((child) =>
    namesOf(child).map((text) => ({ text, description: child.description() })),
  );
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((text) => ({ text, description })),
  );
  const flags = options.flatMap((option) => flagsOf(option).map((text) => ({ text, description: option.description })));
  return {
    typedWords,
    words: [...below, ...choices, ...flags],
    values: options.filter(({ required }) => required).map(valueAfter),
    takesFile: command.registeredArguments.some((argument) => isFile(argument.name())),
  };
}

function valueAfter(option: Option): Value {
  const { argChoices: choices = [], description, flags } = option;
  return { flags: flagsOf(option), description, choices, isFile: isFile(flags) };
}

function flagsOf({ long, short }: Option): string[] {
  return [short, long].filter((flag) => flag !== undefined && flag !== null);
}

function isFile(name: string): boolean {
  return /\b(file|folder)\b/.test(name);
}
