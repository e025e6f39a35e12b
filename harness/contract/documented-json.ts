import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const DOCUMENT = new URL('../../docs/command-line.md', import.meta.url);

/** The documented output of a command with --json. */
interface DocumentedJson {
  command: string;
  isList: boolean;
  /** Always present. */
  fields: string[];
  /** Present with an option, or in a case, that the document names. */
  sometimes: string[];
}

/** The rows of its tables, each for one command or for several with the same noun. */
export function documentedJson(): DocumentedJson[] {
  const rows = [...readFileSync(DOCUMENT, 'utf8').matchAll(/^\| (`[a-z-]+(?: [a-z-]+)?`.*?) \| (.*) \|$/gm)];
  const commands = rows.flatMap(([, named = '', cell = '']) => {
    const [first = '', ...verbs] = [...named.matchAll(/`([a-z -]+)`/g)].map(([, name = '']) => name);
    const [noun = ''] = first.split(' ');
    const isMarked = named.endsWith(' (list)');
    return [first, ...verbs.map((verb) => `${noun} ${verb}`)].map((command) => ({ command, cell, isMarked }));
  });
  const cells = new Map(commands.map(({ command, cell }) => [command, cell]));
  return commands.map(({ command, cell, isMarked }) => {
    const [always = '', sometimes = ''] = cell.split('; ');
    const [, other = ''] = /those of `([^`]+)`/.exec(always) ?? [];
    const fields = [...namesIn(cells.get(other) ?? ''), ...namesIn(always)];
    return { command, isList: isMarked || command.endsWith(' list'), fields, sometimes: namesIn(sometimes) };
  });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

let documented: DocumentedJson[] | undefined;

/** Checks a command's output against the document. */
export function expectDocumented(args: readonly string[], printed: unknown): void {
  documented ??= documentedJson();
  const [noun = '', verb = ''] = args.filter((arg) => !arg.startsWith('-'));
  const name = noun === 'forensic' ? 'forensics' : noun;
  const found = documented.find(({ command }) => command === `${name} ${verb}` || command === name);
  if (!found) throw new Error(`docs/command-line.md does not list ${name} ${verb}`);
  const { command, isList, fields, sometimes } = found;
  expect(Array.isArray(printed), `docs/command-line.md: ${command} prints a list`).to.equal(isList);
  for (const one of Array.isArray(printed) ? printed : [printed]) {
    const keys = Object.keys(one).filter((key) => !sometimes.includes(key));
    expect(keys, `docs/command-line.md: the fields of ${command}`).to.have.members(fields);
  }
}
