import { readFile } from 'node:fs/promises';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { parse } from 'yaml';
import type { OperationId } from '../handlers/handler.ts';
import { handlers } from '../handlers/index.ts';

const CONTRACT_FILE = new URL('../openapi.yaml', import.meta.url);

/** An operation of the contract, as much of it as the edge needs. */
export interface Operation {
  id: OperationId;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Template below the base path, such as `/applications/{applicationId}`. */
  path: string;
  /** Names of its security schemes. `authenticate` refuses to start with any but exactly one. */
  schemes: string[];
  takesBody: boolean;
  /** Whether its validation errors carry the `errors` array (product document 2.1). */
  listsFieldErrors: boolean;
}

export interface Contract {
  /** As written, with its references. */
  document: Document;
  /** The path that every server address of the contract ends with, `/api/v1`. */
  basePath: string;
  operations: Operation[];
}

/** Reads the contract and refuses what the service could not keep. */
export async function loadContract(): Promise<Contract> {
  const document: Document = parse(await readFile(CONTRACT_FILE, 'utf8'));
  const api = new OpenAPIBackend({ definition: structuredClone(document), strict: true, validate: false });
  await api.init();
  const operations = api.router.getOperations().map((operation): Operation => {
    const id = Object.keys(handlers).find((known): known is OperationId => known === operation.operationId);
    if (!id) throw new Error(`The contract's ${operation.method} ${operation.path} has no handler.`);
    const security = operation.security ?? document.security ?? [];
    if (security.some((requirement) => Object.keys(requirement).length > 1))
      throw new Error(`${id} asks for several security schemes at once, which nothing here checks.`);
    if (operation.requestBody && !('required' in operation.requestBody && operation.requestBody.required))
      throw new Error(`${id} has an optional body, which nothing here reads.`);
    return {
      id,
      method: asMethod(operation.method),
      path: operation.path,
      schemes: security.flatMap((requirement) => Object.keys(requirement)),
      takesBody: operation.requestBody !== undefined,
      listsFieldErrors: declaresFieldErrors(operation.responses?.['400']),
    };
  });
  return { document, basePath: basePathOf(document), operations };
}

/** Whether a schema of the (dereferenced) answer has the array `errors`. */
function declaresFieldErrors(answer: object | undefined): boolean {
  return (
    answer !== undefined && 'content' in answer && JSON.stringify(answer.content).includes('"errors":{"type":"array"')
  );
}

function basePathOf(document: Document): string {
  const paths = new Set((document.servers ?? []).map(({ url }) => new URL(url).pathname.replace(/\/$/, '')));
  const [basePath, ...others] = paths;
  if (basePath === undefined || others.length > 0) throw new Error('The contract’s servers must share one base path.');
  return basePath;
}

function asMethod(method: string): Operation['method'] {
  const known = (['get', 'post', 'put', 'patch', 'delete'] as const).find((candidate) => candidate === method);
  if (!known) throw new Error(`The contract uses the method ${method}, which nothing here binds.`);
  return known;
}
