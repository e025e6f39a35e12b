import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Contract, isNode, pointerTo } from '../gate/document.ts';
import { marksOf } from './open-points.ts';
import { type Finding, list } from './redocly.ts';

const TABLE = 'docs/contract/sentences.yaml';
const table: unknown = parse(readFileSync(new URL(`../../${TABLE}`, import.meta.url), 'utf8'));

/** A sentence of a description, and the open points that its place is marked with. */
interface Sentence {
  text: string;
  pointer: string;
  marks: string[];
}

/** Every sentence of every description is listed as given, or as an open point that its place is marked with. */
export function classified(contract: Contract): Finding[] {
  const said = sentencesBelow(contract.root, '#', []);
  const unsaid = new Map(classes);
  for (const { text } of said) unsaid.delete(text);
  return [
    ...said.flatMap(({ text, pointer, marks }) => {
      const fault = faultOf(classes.get(text), marks);
      return fault === undefined ? [] : [{ pointer, message: `"${text}" ${fault}` }];
    }),
    ...[...unsaid.keys()].map((text) => ({
      pointer: '#/info',
      message: `${TABLE} lists "${text}", which the contract does not say: take it out there.`,
    })),
    ...faultsOfTable,
  ];
}

function faultOf(source: string | undefined, marks: string[]): string | undefined {
  if (source === undefined)
    return `is not in ${TABLE}. List it there by its section of the product document or by its open point, or take it out.`;
  const isMarked = isGiven(source) || marks.includes(source);
  return isMarked ? undefined : `belongs to the open point ${source}: mark its place with it.`;
}

/** `4.2, 8`: sections of the product document. */
const isGiven = (source: string) => /^\d(\.\d+)?(, \d(\.\d+)?)*$/.test(source);

const rows = Object.entries(isNode(table) ? table : {}).flatMap(([source, texts]) =>
  list(texts).map((text): [string, string] => [String(text), source]),
);
const classes = new Map(rows);
const faultsOfTable = [...Map.groupBy(rows, ([text]) => text)]
  .filter(([, twice]) => twice.length > 1)
  .map(([text]) => ({ pointer: '#/info', message: `${TABLE} lists "${text}" twice: once is enough.` }));

/** Examples show data, and have no descriptions. */
const EXAMPLES = ['example', 'examples'];

function sentencesBelow(value: unknown, pointer: string, above: string[]): Sentence[] {
  if (typeof value !== 'object' || value === null) return [];
  const marks = isNode(value) ? [...above, ...marksOf(value)] : above;
  return Object.entries(value).flatMap(([key, child]) => {
    if (EXAMPLES.includes(key)) return [];
    if (key === 'description' && typeof child === 'string')
      return sentencesOf(child).map((text) => ({ text, pointer, marks }));
    return sentencesBelow(child, pointerTo(pointer, key), marks);
  });
}

/** The sentences of a text in Markdown. An item of a list and a row of a table count as one; headings say nothing. */
function sentencesOf(text: string): string[] {
  const blocks = text
    .replaceAll(/^(#.*|\|.*\n\|-.*)$/gm, '')
    .split(/\n\s*\n|\n(?=[-|])/)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim());
  return blocks
    .filter((block) => block !== '')
    .flatMap((block) => (/^[-|]/.test(block) ? [block] : block.split(/(?<=[.?!]) /)));
}
