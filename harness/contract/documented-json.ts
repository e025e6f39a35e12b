import { readFileSync } from 'node:fs';
import { expect } from 'chai';

const DOCUMENT = new URL('../../docs/command-line.md', import.meta.url);

/** What the document says that a command prints with --json. */
interface DocumentedJson {
  command: string;
  isList: boolean;
  /** Always there. */
  fields: string[];
  /** There with an option, or in a case, that the document names. */
  sometimes: string[];
}

/** The rows of its tables. */
export function documentedJson(): DocumentedJson[] {
  const rows = readFileSync(DOCUMENT, 'utf8').matchAll(/^\| `([a-z]+(?: [a-z-]+)?)` \| (a list of )?(.*) \|$/gm);
  return [...rows].map(([, command = '', list, cell = '']) => {
    const [always = '', sometimes = ''] = cell.split('; ');
    return { command, isList: list !== undefined, fields: namesIn(always), sometimes: namesIn(sometimes) };
  });
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

let documented: DocumentedJson[] | undefined;

/** Expects of what a command printed that the document says so. */
export function expectDocumented(args: readonly string[], printed: unknown): void {
  documented ??= documentedJson();
  const [noun = '', verb = ''] = args.filter((arg) => !arg.startsWith('-'));
  const name = noun === 'forensic' ? 'forensics' : noun;
  const found = documented.find(({ command }) => command === `${name} ${verb}` || command === name);
  if (!found) throw new Error(`docs/command-line.md does not tell of ${name} ${verb}`);
  const { command, isList, fields, sometimes } = found;
  expect(Array.isArray(printed), `docs/command-line.md: ${command} prints a list`).to.equal(isList);
  for (const one of Array.isArray(printed) ? printed : [printed]) {
    const keys = Object.keys(one).filter((key) => !sometimes.includes(key));
    expect(keys, `docs/command-line.md: the fields of ${command}`).to.have.members(fields);
  }
}
