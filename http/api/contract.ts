import { readFile } from 'node:fs/promises';
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import type { OperationId } from '../../handlers/handler.ts';
import { handlers } from '../../handlers/index.ts';

/** Made of openapi.yaml by `npm run generate`: to read and check that one takes longer than the rest of a start. */
const CONTRACT_FILE = new URL('../../generated/contract.json', import.meta.url);

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation of the contract, as much of it as the edge needs. */
export interface Operation {
  id: OperationId;
  method: (typeof METHODS)[number];
  /** Template below the base path, such as `/applications/{applicationId}`. */
  path: string;
  /** Names of its security schemes. `authenticate` refuses to start with any but exactly one. */
  schemes: string[];
  takesBody: boolean;
  /** Whether its validation errors carry the `errors` array (product document 2.1). */
  listsFieldErrors: boolean;
}

export interface Contract {
  /** As the validator of requests has read it. */
  spec: Omit<Spec, 'serial'>;
  /** The path that every server address of the contract ends with, `/api/v1`. */
  basePath: string;
  operations: Operation[];
}

/** The contract as it is kept: it does not know the handlers. */
export interface KeptContract extends Omit<Contract, 'operations'> {
  operations: (Omit<Operation, 'id'> & { id: string })[];
}

let loading: Promise<Contract> | undefined;

/** The contract, read once a process. @throws when an operation has no handler */
export function loadContract(): Promise<Contract> {
  loading ??= readContract();
  return loading;
}

async function readContract(): Promise<Contract> {
  const kept: KeptContract = JSON.parse(await readFile(CONTRACT_FILE, 'utf8'));
  const operations = kept.operations.map((operation): Operation => {
    const id = Object.keys(handlers).find((known): known is OperationId => known === operation.id);
    if (!id) throw new Error(`The contract's ${operation.method} ${operation.path} has no handler.`);
    return { ...operation, id };
  });
  return { ...kept, operations };
}
