import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SchemaObject } from 'ajv';
import { sentence } from './text.ts';

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** An operation as the edge binds it. */
export interface Operation {
  id: string;
  method: (typeof METHODS)[number];
  /** Template below the base path, such as `/applications/{applicationId}`. */
  path: string;
  /** Names of its security schemes. `authenticate` refuses to start with any but exactly one. */
  schemes: string[];
  takesBody: boolean;
  /** Names of its query parameters. */
  query: string[];
  /** The schema of `{ params, query, body }`; its references lead into the document's components. */
  request: SchemaObject;
  /** The schema of the body of its success. */
  success: SchemaObject;
  /** Whether its validation errors carry the `errors` array (product document 2.1). */
  listsFieldErrors: boolean;
}

interface Referable {
  $ref?: string;
}

export interface ResponseExample extends Referable {
  summary?: string;
  value: { message?: string };
}

export interface DescribedResponse extends Referable {
  description: string;
  content?: Record<string, { examples?: Record<string, ResponseExample> }>;
}

/** The request that an event is POSTed with. */
interface EventRequest {
  summary: string;
  description: string;
  requestBody: { content: Record<string, { examples: Record<string, { value: object }> }> };
}

export interface DescribedOperation {
  operationId: string;
  tags: [string];
  summary: string;
  responses: Record<string, DescribedResponse>;
  /** Events by name, each below an expression for the address. */
  callbacks?: Record<string, Record<string, { post: EventRequest }>>;
}

/** openapi.yaml, as far as code reads it. */
export interface ContractDocument {
  info: { title: string; version: string };
  servers: { url: string; description: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
  components: {
    schemas: Record<string, SchemaObject>;
    responses: Record<string, DescribedResponse>;
    examples?: Record<string, ResponseExample>;
  };
}

/** `generated/contract.json`: parsing and checking openapi.yaml takes longer than the rest of a start. */
export interface GeneratedContract {
  /** SHA-256 of the bytes of openapi.yaml, in hexadecimal. */
  digest: string;
  /** The path that every server address ends with, `/api/v1`. */
  basePath: string;
  operations: Operation[];
  document: ContractDocument;
}

export interface Contract extends GeneratedContract {
  /** openapi.yaml byte for byte, to be served. */
  yaml: Buffer;
}

/** What an operator can do about an unusable contract. Production installs lack the packages that generate it. */
export const CONTRACT_ADVICE =
  'Deploy openapi.yaml and generated/ from the same commit. After an edit, run `npm ci --include=dev && npm run generate`, then start again.';

/** openapi.yaml or the file generated from it is missing or damaged, or the two differ. */
export class UnusableContract extends Error {
  /** The message without the advice. */
  readonly fault: string;

  constructor(fault: string) {
    super(`${fault} ${CONTRACT_ADVICE}`);
    this.fault = fault;
  }
}

let contract: Contract | undefined;

/** The only reader of the contract, once per process, so that the enforced and the served contract are the same. @throws UnusableContract */
export function readContract(): Contract {
  contract ??= readFiles();
  return contract;
}

function readFiles(): Contract {
  const yaml = readAs('openapi.yaml', (bytes) => bytes);
  const generated = readAs('generated/contract.json', (bytes): GeneratedContract => JSON.parse(bytes.toString()));
  if (digestOf(yaml) !== generated.digest)
    throw new UnusableContract('openapi.yaml was edited, but generated/contract.json was not generated from it.');
  return { ...generated, yaml };
}

/** @throws UnusableContract */
function readAs<Content>(file: string, parse: (bytes: Buffer) => Content): Content {
  try {
    return parse(readFileSync(new URL(`../${file}`, import.meta.url)));
  } catch (error) {
    throw new UnusableContract(sentence(`${file} cannot be read: ${error instanceof Error ? error.message : error}`));
  }
}

export function digestOf(yaml: Buffer): string {
  return createHash('sha256').update(yaml).digest('hex');
}

/** A schema component of the contract. */
export function contractSchema(name: string): SchemaObject {
  const schema = readContract().document.components.schemas[name];
  if (!schema) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}
