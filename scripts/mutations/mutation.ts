/** One line of the service, broken so that a guarantee no longer holds. The named tests must notice. */
export interface Mutation {
  /** Unique. */
  id: string;
  /** What would happen to whom, in one sentence. */
  hurts: string;
  file: string;
  /** Occurs exactly once in the file. */
  text: string;
  /** Passes the type check: what the compiler finds needs no test. */
  replacement: string;
  /** The narrowest tests that must notice, in `contract-tests` unless the path begins with `packages/`, without `.test.ts`. */
  tests: readonly string[];
}

/** The texts of a table and its file have drifted apart. */
export class StaleMutation extends Error {}

/** The layer of the mutated file; packages count one by one. */
export function roomOf({ file }: Pick<Mutation, 'file'>): string {
  return /^packages\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file;
}

export function testFilesOf({ tests }: Pick<Mutation, 'tests'>): string[] {
  return tests.map((test) => `${test.startsWith('packages/') ? '' : 'contract-tests/'}${test}.test.ts`);
}

/**
 * The source of a file with these mutations, all of the same file.
 * @throws StaleMutation when a text does not occur exactly once, or two overlap
 */
export function mutated(source: string, mutations: readonly Mutation[]): string {
  const places = mutations
    .map((mutation) => ({ mutation, start: placeOf(source, mutation) }))
    .sort((one, other) => one.start - other.start);
  let result = '';
  let end = 0;
  for (const { mutation, start } of places) {
    if (start < end) throw new StaleMutation(`${mutation.id}: its text overlaps that of another mutation.`);
    result += source.slice(end, start) + mutation.replacement;
    end = start + mutation.text.length;
  }
  return result + source.slice(end);
}

function placeOf(source: string, { id, file, text }: Mutation): number {
  const start = source.indexOf(text);
  if (start < 0) throw new StaleMutation(`${id}: its text is not in ${file} any more; update the table.`);
  if (source.includes(text, start + 1)) throw new StaleMutation(`${id}: its text is more than once in ${file}.`);
  return start;
}
