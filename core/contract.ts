import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { SchemaObject } from 'ajv';

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

/** openapi.yaml and what was generated from it differ. */
export class StaleContract extends Error {
  constructor() {
    super(
      'openapi.yaml was edited, but generated/contract.json was not generated from it. Run `npm run generate`, then start again.',
    );
  }
}

let contract: Contract | undefined;

/**
 * The only reader of the contract: what is enforced and what is served come from here, once per process.
 * @throws StaleContract
 */
export function readContract(): Contract {
  contract ??= readFiles();
  return contract;
}

function readFiles(): Contract {
  const yaml = read('openapi.yaml');
  const generated: GeneratedContract = JSON.parse(read('generated/contract.json').toString());
  if (digestOf(yaml) !== generated.digest) throw new StaleContract();
  return { ...generated, yaml };
}

function read(file: string): Buffer {
  return readFileSync(new URL(`../${file}`, import.meta.url));
}

export function digestOf(yaml: Buffer): string {
  return createHash('sha256').update(yaml).digest('hex');
}
