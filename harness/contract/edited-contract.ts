import { document } from './contract.ts';

type Container = Record<string, unknown> | unknown[];

/** One edit of the contract. Places are JSON pointers; `-` at the end of one appends to a list. */
export type Edit = { set: string; to: unknown } | { remove: string } | { move: string; to: string };

/** The contract after some edits. @throws for a place that the contract does not have */
export function editedContract(...edits: Edit[]): Record<string, unknown> {
  const contract: Record<string, unknown> = { ...structuredClone(document) };
  for (const edit of edits) {
    if ('set' in edit) put(contract, edit.set, structuredClone(edit.to));
    else if ('remove' in edit) take(contract, edit.remove);
    else put(contract, edit.to, take(contract, edit.move));
  }
  return contract;
}

/** The same as the text of a file. */
export function textOf(contract: Record<string, unknown>): string {
  return JSON.stringify(contract, null, 2);
}

function put(contract: Container, pointer: string, value: unknown): void {
  const [parent, key] = locate(contract, pointer);
  if (Array.isArray(parent)) parent[key === '-' ? parent.length : Number(key)] = value;
  else parent[key] = value;
}

function take(contract: Container, pointer: string): unknown {
  const [parent, key] = locate(contract, pointer);
  if (!(key in parent)) throw new Error(`The contract has no ${pointer}.`);
  if (Array.isArray(parent)) return parent.splice(Number(key), 1)[0];
  const value = parent[key];
  delete parent[key];
  return value;
}

/** What holds a place, and the key there. */
function locate(contract: Container, pointer: string): [Container, string] {
  const steps = pointer.split('/').slice(1);
  const keys = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  const parent = keys.reduce((node, key) => {
    const child = Array.isArray(node) ? node[Number(key)] : node[key];
    if (!isContainer(child)) throw new Error(`The contract has no parent of ${pointer}.`);
    return child;
  }, contract);
  return [parent, last];
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
