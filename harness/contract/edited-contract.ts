import { document } from './contract.ts';

/* Places of the contract that tests edit, as JSON pointers (RFC 6901). */
export const TOKEN = '/paths/~1authenticate~1token';
export const CREATE = '/paths/~1applications~1create-application/post';
export const GET = '/paths/~1applications~1{applicationId}/get';
export const REMOVE = '/paths/~1applications~1{applicationId}~1participants~1{email}/delete';
export const KYC_PATH = '/paths/~1tenants~1initiate-kyc~1{tenantId}';
export const KYC = `${KYC_PATH}/get`;
export const WORKSPACES = '/paths/~1property-management~1workspaces';
export const PROPERTY = '/paths/~1property-management~1properties~1{property_id}/get';
export const HOOK = '/paths/~1webhooks~1create-webhook/post';
export const EVENT = `${HOOK}/callbacks/EID_SUCCESS/{$request.body#~1url}`;

/** A place below a schema of the contract. */
export const schema = (...steps: string[]) => ['/components/schemas', ...steps].join('/');

/** An unexpected field. */
export const text = { type: 'string', description: 'A text.' };

type Container = Record<string, unknown> | unknown[];

/** One edit of the contract. Places are JSON pointers; `-` at the end of one appends to a list. */
export type Edit = { set: string; to: unknown } | { remove: string } | { move: string; to: string };

/** The contract after some edits. @throws for a place missing from the contract */
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

/** The parent of a place, and the key there. */
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
