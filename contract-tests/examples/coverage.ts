import { styleText } from 'node:util';
import { namedExamples, type Seen, titleOf, withoutExample } from '../../harness/contract/named-examples.ts';

const GOOD = styleText('green', '✔');
const BAD = styleText('red', '✘');

/** The result for each example, by the place that was searched. */
export type Sightings = Record<string, Seen>;

/** The faults: each example missing from a place, and each answer without an example. */
export function faultsOf(sightings: Sightings): string[] {
  const unseen = Object.entries(sightings).flatMap(([where, seen]) =>
    namedExamples.map(titleOf).flatMap((title) => {
      const fault = seen[title] === undefined ? 'not looked for' : seen[title];
      return fault === null ? [] : [`${title}, ${where}: ${fault}`];
    }),
  );
  return [...withoutExample.map((answer) => `${answer}: the contract shows no example`), ...unseen];
}

/** One line for each operation and status: a mark for each place, and the names of the examples. With faults, only their lines. */
export function coverageTable(sightings: Sightings): string {
  const places = Object.entries(sightings);
  const rows = Map.groupBy(namedExamples, ({ operation, status }) => `${operation.operationId} ${status}`);
  const width = Math.max(...[...rows.keys()].map((answer) => answer.length)) + 2;
  const head = `${'answer'.padEnd(width)}${places.map(([where]) => where.padEnd(where.length + 2)).join('')}examples`;
  const lines = [...rows].map(([answer, examples]) => {
    const seen = places.map(([, seen]) => examples.every((example) => seen[titleOf(example)] === null));
    const marks = places.map(([where], index) => (seen[index] ? GOOD : BAD) + ' '.repeat(where.length + 1));
    const names = examples.map(({ name }) => name).join(', ');
    return { isGood: seen.every(Boolean), line: `${answer.padEnd(width)}${marks.join('')}${names}` };
  });
  const bad = lines.filter(({ isGood }) => !isGood);
  return [head, ...(bad.length > 0 ? bad : lines).map(({ line }) => line)].join('\n');
}

/** `118 of 118 examples: ...`, counting the place with the fewest. */
export function summaryOf(sightings: Sightings): string {
  const everywhere = namedExamples
    .map(titleOf)
    .filter((title) => Object.values(sightings).every((seen) => seen[title] === null));
  return `${everywhere.length} of ${namedExamples.length} examples: ${Object.keys(sightings).join(', ')}`;
}
