import { readFileSync } from 'node:fs';
import { eventAddress, operationAddress, slugOf } from '../addresses.ts';
import { type Audience, audienceOf, changelog, groups, openPoints, type Source } from '../catalogue.ts';
import type { Contract, Json, JsonObject } from '../contract.ts';
import { objectOf } from '../json.ts';
import type { Article } from '../markdown.ts';
import { ERROR_LIST } from '../page.ts';
import { wordsOf } from './sections.ts';

/** Something that the search finds. */
export interface SearchRecord {
  /** Relative to the top of the site. */
  address: string;
  /** Where it belongs, such as `Webhooks` or `Reference`. */
  area: string;
  title: string;
  /** The heading on that page; the method and path of an operation. */
  heading: string;
  text: string;
}

/** Everything that an audience finds: sections of its guides; for integrators operations with their fields, events, and errors, too. */
export function searchRecords(
  audience: Audience,
  articles: ReadonlyMap<Source, Article>,
  contract: Contract,
): SearchRecord[] {
  const pages = [...articles].filter(([{ path }]) => audienceOf(path) === audience);
  const found = pages.flatMap(([source, article]) => recordsOfArticle(source, article));
  return audience === 'operators' ? found : [...found, ...recordsOfContract(contract)];
}

function recordsOfContract(contract: Contract): SearchRecord[] {
  return [
    ...contract.operations.map((operation) => ({
      address: operationAddress(operation),
      area: 'Reference',
      title: operation.summary,
      heading: `${operation.method} ${operation.path}`,
      text: descriptionsIn(contract.tree, pathItem(contract, operation.path, operation.method), operation.operationId),
    })),
    ...contract.events.map(({ name, summary }) => ({
      address: eventAddress(name),
      area: 'Events',
      title: name,
      heading: summary,
      text: '',
    })),
    ...errorRecords(contract),
  ];
}

/** MiniSearch for browsers: the file that its package names for script elements. */
export function searchEngine(): string {
  const root = new URL('../../', import.meta.resolve('minisearch'));
  const { unpkg } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  return readFileSync(new URL(unpkg, root), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

function recordsOfArticle(source: Source, { title, sections }: Article): SearchRecord[] {
  const area =
    Object.values(groups)
      .flat()
      .find(({ guides }) => guides.includes(source))?.title ??
    new Map([
      [openPoints, 'Open points'],
      [changelog, 'Changelog'],
    ]).get(source) ??
    '';
  return sections.map(({ id, heading, text }) => ({
    address: id === undefined ? source.path : `${source.path}#${id}`,
    area,
    title,
    heading,
    text,
  }));
}

/** One for each message, however many operations answer with it. */
function errorRecords({ operations }: Contract): SearchRecord[] {
  const found = new Map<string, SearchRecord>();
  for (const { operationId, responses } of operations)
    for (const [status, { description, content = {} }] of Object.entries(responses)) {
      if (status.startsWith('2')) continue;
      for (const { summary = description, value } of Object.values(content['application/json']?.examples ?? {})) {
        const record = {
          address: `${ERROR_LIST}#${slugOf(operationId)}`,
          area: 'Errors',
          title: `${status}: ${summary}`,
          heading: '',
          text: String(value.message),
        };
        const key = `${status} ${record.text}`;
        if (!found.has(key)) found.set(key, record);
      }
    }
  return [...found.values()];
}

function pathItem({ tree }: Contract, path: string, method: string): JsonObject {
  return objectOf(objectOf(objectOf(tree['paths'])[path])[method.toLowerCase()]);
}

/** The operation's id, its own words, and the name and words of every field and parameter that it reaches. */
function descriptionsIn(tree: JsonObject, operation: JsonObject, operationId: string): string {
  const words = new Set([operationId]);
  const visited = new Set<Json>();
  const visit = (node: Json): void => {
    if (typeof node !== 'object' || node === null || visited.has(node)) return;
    visited.add(node);
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') visit(referenced(tree, String(value)));
      else if (key === 'description' && typeof value === 'string') words.add(wordsOf(value));
      else if (key === 'properties') words.add(Object.keys(objectOf(value)).join(' '));
      if (key !== 'callbacks' && !key.startsWith('example') && key !== 'x-open-point') visit(value);
    }
  };
  const { responses, ...asked } = operation;
  visit(asked);
  const succeeded = Object.entries(objectOf(responses)).filter(([status]) => status.startsWith('2'));
  for (const [, response] of succeeded) visit(response);
  return [...words].join(' ');
}

function referenced(tree: JsonObject, reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((node, name) => objectOf(node)[name] ?? null, tree);
}
