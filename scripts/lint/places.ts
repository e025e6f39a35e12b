import { type Contract, isNode } from '../gate/document.ts';
import { given } from './given.ts';
import { nodesBelow } from './open-points.ts';
import { type Finding, list, operationsOf } from './redocly.ts';

const provisional = isNode(given['provisional']) ? Object.entries(given['provisional']) : [];

/** Each open point is marked where docs/contract/given.yaml lists it, and nowhere else. */
export function marksInPlace(contract: Contract): Finding[] {
  const nodes = new Map(nodesBelow(contract.root, '#').map((node) => [placeOf(contract, node.pointer), node]));
  const listed = (id: string, place: string) =>
    provisional.some(([known, places]) => known === id && list(places).includes(place));
  const gained = [...nodes].flatMap(([place, { pointer, ids }]) =>
    ids.filter((id) => !listed(id, place)).map((id) => ({ pointer, message: `${place} has gained the mark ${id}` })),
  );
  const lost = provisional.flatMap(([id, places]) =>
    list(places)
      .map((place) => ({ place: String(place), node: nodes.get(String(place)) }))
      .filter(({ node }) => !node?.ids.includes(id))
      .map(({ place, node }) => ({ pointer: node?.pointer ?? '#/info', message: `${place} has lost the mark ${id}` })),
  );
  return [...gained, ...lost].map(({ pointer, message }) => ({
    pointer,
    message: `${message}. Put it right here, or below \`provisional\` in docs/contract/given.yaml.`,
  }));
}

/** `getApplication/responses/200`, `schemas/Email`, `servers/0`. */
function placeOf(contract: Contract, pointer: string): string {
  const operation = operationsOf(contract).find((each) => `${pointer}/`.startsWith(`${each.pointer}/`));
  if (operation) return operation.id + pointer.slice(operation.pointer.length);
  return pointer.replace(/^#\/(components\/)?/, '');
}
