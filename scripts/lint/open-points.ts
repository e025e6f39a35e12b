import { existsSync, readFileSync } from 'node:fs';
import { type Contract, isNode, pointerTo } from '../gate/document.ts';
import type { Finding } from './redocly.ts';

const root = new URL('../../', import.meta.url);
const LEDGER = 'docs/open-points.md';

interface Row {
  id: string;
  cells: string[];
}

/** Every open point that the contract marks has a complete row in the ledger, and every row of the contract is marked. */
export function ledger(contract: Contract, text = readFileSync(new URL(LEDGER, root), 'utf8')): Finding[] {
  const [inContract = [], outside = []] = rowsOf(text);
  const marked = nodesBelow(contract.root, '#').flatMap(({ ids, pointer }) => ids.map((id) => ({ id, pointer })));
  const known = new Set(inContract.map(({ id }) => id));
  const unknown = marked.filter(({ id }) => !known.has(id));
  const ids = new Set(marked.map(({ id }) => id));
  return [
    ...unknown.map(({ id, pointer }) => ({
      pointer,
      message: `The open point ${id} has no row in ${LEDGER}: add one.`,
    })),
    ...inContract.filter(({ id }) => !ids.has(id)).map(({ id }) => say(`${id} is marked nowhere in the contract`)),
    ...outside.filter(({ id }) => ids.has(id)).map(({ id }) => say(`${id} is in the contract: move it up`)),
    ...[...inContract, ...outside].flatMap(faultsOf),
  ];
}

/** The identifiers that a node marks. */
export function marksOf(node: Record<string, unknown>): string[] {
  return [node['x-open-point'] ?? []].flat().map(String);
}

/** Faults of the ledger are reported at the top of the contract. */
function say(fault: string): Finding {
  return { pointer: '#/info', message: `${LEDGER}: ${fault}.` };
}

function faultsOf({ id, cells }: Row): Finding[] {
  const home = cells.at(-1) ?? '';
  return [
    ...(/^[a-z]+(-[a-z]+)*$/.test(id) ? [] : [say(`the identifier ${id} is not in lower case with hyphens`)]),
    ...(cells.length === 4 && !cells.includes('') ? [] : [say(`${id} needs what is open, the choice, why and where`)]),
    ...(existsSync(new URL(home, root)) ? [] : [say(`${id} lives in ${home}, which does not exist`)]),
  ];
}

/** The rows of the tables, section by section, without the marks of code around the first and the last cell. */
function rowsOf(text: string): Row[][] {
  const [, ...sections] = text.split(/^## .*$/m);
  return sections.map((section) => {
    const lines = section.split('\n').filter((line) => line.startsWith('| `'));
    return lines.map((line) => {
      const cells = line.split(' | ').map((cell) => cell.replaceAll(/^[|\s`]+|[|\s`]+$/g, ''));
      return { id: cells[0] ?? '', cells: cells.slice(1) };
    });
  });
}

/** Every object of the contract and the identifiers that it marks. */
export function nodesBelow(value: unknown, pointer: string): { pointer: string; ids: string[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, child]) => nodesBelow(child, pointerTo(pointer, key)));
  return isNode(value) ? [{ pointer, ids: marksOf(value) }, ...below] : below;
}
