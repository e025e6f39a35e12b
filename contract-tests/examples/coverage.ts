import { styleText } from 'node:util';
import { namedExamples, type Seen, titleOf, withoutExample } from './named-examples.ts';

/** What was seen of every example, by where it was looked for. */
export type Sightings = Record<string, Seen>;

/** What is not as it should be: each example not seen where it should be, and each answer that shows none. */
export function faultsOf(sightings: Sightings): string[] {
  const unseen = Object.entries(sightings).flatMap(([where, seen]) =>
    namedExamples.map(titleOf).flatMap((title) => {
      const fault = seen[title] === undefined ? 'not looked for' : seen[title];
      return fault === null ? [] : [`${title}, ${where}: ${fault}`];
    }),
  );
  return [...withoutExample.map((answer) => `${answer}: the contract shows no example`), ...unseen];
}

/** One line for each operation and status: a mark for each place, and the names of the examples. */
export function coverageTable(sightings: Sightings): string {
  const places = Object.entries(sightings);
  const rows = new Map<string, typeof namedExamples>();
  for (const example of namedExamples) {
    const answer = `${example.operation.operationId} ${example.status}`;
    rows.set(answer, [...(rows.get(answer) ?? []), example]);
  }
  const width = Math.max(...[...rows.keys()].map((answer) => answer.length)) + 2;
  const head = `${'answer'.padEnd(width)}${places.map(([where]) => where.padEnd(where.length + 2)).join('')}examples`;
  const lines = [...rows].map(([answer, examples]) => {
    const marks = places.map(([where, seen]) => {
      const all = examples.every((example) => seen[titleOf(example)] === null);
      const mark = all ? styleText('green', '✔') : styleText('red', '✘');
      return mark + ' '.repeat(where.length + 1);
    });
    return `${answer.padEnd(width)}${marks.join('')}${examples.map(({ name }) => name).join(', ')}`;
  });
  return [head, ...lines].join('\n');
}

/** `118 of 118 examples: ...`, the worst of the places counting. */
export function summaryOf(sightings: Sightings): string {
  const everywhere = namedExamples
    .map(titleOf)
    .filter((title) => Object.values(sightings).every((seen) => seen[title] === null));
  return `${everywhere.length} of ${namedExamples.length} examples: ${Object.keys(sightings).join(', ')}`;
}
