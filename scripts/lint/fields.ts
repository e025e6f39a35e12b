import { type Contract, isNode } from '../gate/document.ts';
import { marksOf } from './open-points.ts';
import { entries, type Finding, list } from './redocly.ts';

/** The given keywords of some fields, by path. `""` is the body itself, `tenants[].email` a field of an item. */
type Fields = ReadonlyMap<string, Record<string, unknown>>;

/** Reads `field: string` and `field: { type: string }` alike. */
export function readFields(table: unknown): Fields {
  if (!isNode(table)) return new Map();
  return new Map(Object.entries(table).map(([path, given]) => [path, isNode(given) ? given : { type: given }]));
}

interface Place {
  contract: Contract;
  /** The name of the body in messages: `createApplication request`. */
  name: string;
  given: Fields;
  /** Answers may additionally declare what is always present and that nothing else is. */
  isAnswer: boolean;
}

const PROSE = new Set(['description', 'title', 'example', 'properties', 'items', '$ref']);
const isWire = ([keyword]: [string, unknown]) => !PROSE.has(keyword) && !keyword.startsWith('x-');
/** Whether two values of a contract are deeply equal. */
export const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Compares a schema with its given parts, in both directions. */
export function compareFields(place: Place, schema: unknown, pointer: string): Finding[] {
  const seen = new Set<string>();
  const findings = visit(place, schema, '', false, seen);
  const missing = [...place.given.keys()].filter((path) => path !== '' && !seen.has(path));
  const lost = missing.map((path) => ({ pointer, where: place.name, message: `${path} is given and must be here.` }));
  return [...findings, ...lost];
}

/** `excused`: an ancestor is beyond what is given and marked as a whole. */
function visit(place: Place, schema: unknown, path: string, excused: boolean, seen: Set<string>): Finding[] {
  const node = place.contract.resolve(schema);
  if (!isNode(node) || seen.has(path)) return [];
  seen.add(path);
  const pointer = place.contract.pointerOf(node) ?? '#';
  const free = excused || marksOf(node).length > 0;
  const given = place.given.get(path) ?? (path === '' ? { type: 'object' } : undefined);
  const own = given ? keywordsOf(place, node, given, path, free) : free ? [] : [beyond(path)];
  const children = childrenOf(node, path);
  const anyGiven = children.some(([child]) => place.given.has(child));
  const below = given ? free && !anyGiven : true;
  return [
    ...own.map((message) => ({ pointer, where: place.name, message })),
    ...children.flatMap(([child, inner]) => visit(place, inner, child, below, seen)),
  ];
}

function childrenOf(node: Record<string, unknown>, path: string): [string, unknown][] {
  const fields = entries(node['properties']);
  return [
    ...fields.map(([name, inner]): [string, unknown] => [path === '' ? name : `${path}.${name}`, inner]),
    ...(node['items'] ? [[`${path}[]`, node['items']] satisfies [string, unknown]] : []),
  ];
}

function keywordsOf(
  { isAnswer }: Place,
  node: Record<string, unknown>,
  given: Record<string, unknown>,
  path: string,
  free: boolean,
): string[] {
  const isFree = ([keyword, value]: [string, unknown]) =>
    free || (isAnswer && (keyword === 'required' || (keyword === 'additionalProperties' && value === false)));
  const field = path === '' ? 'the body' : path;
  const wrong = Object.entries(given).filter(([keyword, value]) => !same(node[keyword], value));
  const surplus = Object.entries(node).filter((entry) => isWire(entry) && !(entry[0] in given) && !isFree(entry));
  return [
    ...wrong.map(([keyword, value]) => `${keyword} of ${field} is given as ${JSON.stringify(value)}.`),
    ...surplus.map(([keyword]) => beyond(`${keyword} of ${field}`)),
  ];
}

/** The advice for anything that the product document does not give. */
export function beyond(what: string): string {
  return `${what} is not in docs/contract/given.yaml. Take it out, or mark it here with x-open-point and give it a row in docs/open-points.md.`;
}

/** The parameters by place and name: `path tenantId`. */
export function parametersOf(contract: Contract, parameters: unknown): [string, Record<string, unknown>][] {
  const found = list(parameters).map((item) => contract.resolve(item));
  return found.filter(isNode).map((node) => [`${node['in']} ${node['name']}`, node]);
}
