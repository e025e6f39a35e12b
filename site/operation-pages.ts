import { operationAddress } from './addresses.ts';
import { SERVER } from './code-samples.ts';
import type { Contract, Json, JsonObject, ListedOperation } from './contract.ts';
import { listOf, objectOf } from './json.ts';
import { renderMarkdown } from './markdown.ts';
import type { Page } from './page.ts';

/** A page that is written in Markdown, which the site publishes beside the page. */
export interface WrittenPage {
  page: Page;
  markdown: string;
}

export const OPERATIONS = 'operations.html';

const pathOf = ({ operationId }: ListedOperation) => `operation-${operationId}.html`;

/** A page for each operation, beside the whole reference, and their list. @param shown the reading copy of the contract */
export function operationPages({ operations }: Contract, shown: JsonObject): WrittenPage[] {
  const lines = operations.map(
    (operation) => `| [${operation.summary}](${pathOf(operation)}) | \`${operation.method} ${operation.path}\` |`,
  );
  const list = [
    '# Operations',
    `Each operation on a page of its own. [The reference](reference.html) has them all, with a console.`,
    ['| Operation | Request |', '|---|---|', ...lines].join('\n'),
  ];
  return [
    written(OPERATIONS, list.join('\n\n')),
    ...operations.map((operation) => written(pathOf(operation), textOf(operation, shown))),
  ];
}

function written(path: string, markdown: string): WrittenPage {
  // Descriptions link within the reference, which is another page here.
  const text = markdown.replaceAll('](#', '](reference.html#');
  const { title, lead, html, headings } = renderMarkdown(text);
  return { page: { path, title, description: lead, html, headings, layout: 'article' }, markdown: `${text}\n` };
}

function textOf(listed: ListedOperation, shown: JsonObject): string {
  const operation = objectOf(objectOf(objectOf(shown['paths'])[listed.path])[listed.method.toLowerCase()]);
  const follow = (node: Json) => resolved(shown, objectOf(node));
  const parameters = listOf(operation['parameters']).map(follow);
  const parts = [
    `# ${listed.summary}`,
    String(operation['description']).trim(),
    `\`${listed.method} ${listed.path}\` · [in the reference, with a console](${operationAddress(listed)})`,
    ...(parameters.length > 0
      ? ['## Parameters', tableOf(['Name', 'In', 'Meaning'], parameters.map(parameterRow))]
      : []),
    '## Request',
    fenced('sh', sampleOf(operation)),
    '## Responses',
    ...Object.entries(listed.responses).flatMap(([status, { description = '', content = {} }]) => {
      const examples = Object.values(content['application/json']?.examples ?? {});
      const shownExamples = status.startsWith('2') ? examples : examples.slice(0, 1);
      return [
        `### ${status}`,
        inOneLine(description),
        ...shownExamples.flatMap(({ summary = '', value }) => [
          `${summary}:`,
          fenced('json', JSON.stringify(value, null, 2)),
        ]),
      ];
    }),
    'Every message is in the [list of errors](error-list.html).',
  ];
  return parts.join('\n\n');
}

function parameterRow(parameter: JsonObject): string[] {
  return [`\`${parameter['name']}\``, String(parameter['in']), inOneLine(String(parameter['description']))];
}

function sampleOf(operation: JsonObject): string {
  const [sample] = listOf(operation['x-codeSamples']);
  return String(objectOf(sample)['source']).replace(SERVER, '$BASE_URL');
}

function resolved(shown: JsonObject, node: JsonObject): JsonObject {
  const { $ref } = node;
  if (typeof $ref !== 'string') return node;
  return $ref
    .slice(2)
    .split('/')
    .reduce((found, key) => objectOf(found[key]), shown);
}

function tableOf(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function fenced(language: string, code: string): string {
  return [`\`\`\`${language}`, code, '```'].join('\n');
}

function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
