import { readFile } from 'node:fs/promises';
import { namedExamples } from '../../harness/contract/named-examples.ts';
import { preferOf } from './preference.ts';

const GUIDE = new URL('../../docs/guides/mocking.md', import.meta.url);
const BEGIN = '<!-- generated: states -->\n';
const END = '<!-- /generated -->';

/** The mocking guide with a table of every state that the contract shows. @throws when the guide has no place for it */
export async function guideWithStates(): Promise<string> {
  const guide = await readFile(GUIDE, 'utf8');
  const [begin, end] = [guide.indexOf(BEGIN), guide.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`docs/guides/mocking.md has no ${BEGIN.trim()} before ${END}.`);
  return `${guide.slice(0, begin)}${BEGIN}\n${statesTables()}\n${guide.slice(end)}`;
}

/** One table for each operation. */
function statesTables(): string {
  const ids = [...new Set(namedExamples.map(({ operation }) => operation.operationId))];
  return ids.map(tableOf).join('\n');
}

function tableOf(operationId: string): string {
  const examples = namedExamples.filter(({ operation }) => operation.operationId === operationId);
  const { method, template } = examples[0]?.operation ?? {};
  return [
    `### [${operationId}](../../openapi.yaml#${operationId})`,
    '',
    `\`${method} ${template}\``,
    '',
    '| Status | Example | State | `Prefer` |',
    '|---|---|---|---|',
    ...examples.map((example) => {
      const { status, name, summary } = example;
      return `| ${status} | \`${name}\` | ${summary} | \`${preferOf(example)}\` |`;
    }),
    '',
  ].join('\n');
}
