import {
  type ContractDocument,
  type Contract as ContractFiles,
  type DescribedOperation,
  type DescribedResponse,
  readContract,
} from '../core/contract.ts';

/** A node of the contract, as the YAML has it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export interface ListedOperation extends DescribedOperation {
  method: string;
  path: string;
}

export interface ListedEvent {
  name: string;
  summary: string;
}

/** The contract as the pages of the site show it. */
export interface Contract {
  /** Byte for byte. */
  yaml: Buffer;
  title: string;
  version: string;
  /** Every node, for the reference. */
  tree: JsonObject;
  operations: ListedOperation[];
  events: ListedEvent[];
  /** The default base address of try-it. */
  sandboxAddress: string;
}

/** @throws UnusableContract */
export function readSiteContract(): Contract {
  return contractOf(readContract());
}

/** @throws when the contract names no sandbox */
export function contractOf({ document, yaml }: Pick<ContractFiles, 'document' | 'yaml'>): Contract {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      responses: resolvedResponses(operation, document),
      method: method.toUpperCase(),
      path,
    })),
  );
  return {
    yaml,
    title: document.info.title,
    version: document.info.version,
    tree: JSON.parse(JSON.stringify(document)),
    operations,
    events: operations.flatMap(eventsOf),
    sandboxAddress: sandboxOf(document),
  };
}

/** The address of the sandbox. @throws when the contract names none */
export function sandboxOf({ servers }: Pick<ContractDocument, 'servers'>): string {
  const sandbox = servers.find(({ description }) => /sandbox/i.test(description));
  if (!sandbox) throw new Error('openapi.yaml: no server is described as the sandbox.');
  return sandbox.url;
}

/** The responses and their examples without references. */
function resolvedResponses(
  operation: DescribedOperation,
  { components }: ContractDocument,
): Record<string, DescribedResponse> {
  return mapValues(operation.responses, (reference) => {
    const response = resolved(reference, components.responses);
    const content = mapValues(response.content ?? {}, ({ examples = {} }) => ({
      examples: mapValues(examples, (example) => resolved(example, components.examples ?? {})),
    }));
    return { ...response, content };
  });
}

function resolved<Part extends { $ref?: string }>(part: Part, components: Record<string, Part>): Part {
  const name = part.$ref?.split('/').at(-1);
  return (name !== undefined && components[name]) || part;
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

function eventsOf({ callbacks = {} }: DescribedOperation): ListedEvent[] {
  return Object.entries(callbacks).flatMap(([name, expressions]) =>
    Object.values(expressions).map(({ post }) => ({ name, summary: post.summary })),
  );
}
