import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

const CONTRACT_FILE = new URL('../openapi.yaml', import.meta.url);

/** A node of the contract, as the YAML has it. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

interface Referable {
  $ref?: string;
}

interface Example extends Referable {
  summary?: string;
  value: { message?: string };
}

interface Answer extends Referable {
  description: string;
  content?: Record<string, { examples?: Record<string, Example> }>;
}

interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  responses: Record<string, Answer>;
  callbacks?: Record<string, Record<string, { post: { summary: string } }>>;
}

/** As much of the contract as the pages of our own show. */
interface Document {
  info: { title: string; version: string };
  servers: { url: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Answer>; examples?: Record<string, Example> };
}

export interface ListedOperation extends Operation {
  method: string;
  path: string;
}

export interface ListedEvent {
  name: string;
  summary: string;
}

export interface Contract {
  /** Byte for byte. */
  yaml: Buffer;
  title: string;
  version: string;
  /** Every node, for the reference. */
  tree: JsonObject;
  operations: ListedOperation[];
  events: ListedEvent[];
  /** Where try-it sends its requests when nothing else is said. */
  sandboxAddress: string;
}

export async function readContract(): Promise<Contract> {
  return contractOf(await readFile(CONTRACT_FILE));
}

/** @throws when the contract names no sandbox */
export function contractOf(yaml: Buffer): Contract {
  const parsed = parse(yaml.toString());
  const document: Document = parsed;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      responses: resolvedAnswers(operation, document),
      method: method.toUpperCase(),
      path,
    })),
  );
  const sandbox = document.servers.find(({ description }) => /sandbox/i.test(description));
  if (!sandbox) throw new Error('openapi.yaml: no server is described as the sandbox.');
  return {
    yaml,
    title: document.info.title,
    version: document.info.version,
    tree: parsed,
    operations,
    events: operations.flatMap(eventsOf),
    sandboxAddress: sandbox.url,
  };
}

/** The answers and their examples without references. */
function resolvedAnswers(operation: Operation, { components }: Document): Record<string, Answer> {
  return mapValues(operation.responses, (reference) => {
    const answer = resolved(reference, components.responses);
    const content = mapValues(answer.content ?? {}, ({ examples = {} }) => ({
      examples: mapValues(examples, (example) => resolved(example, components.examples ?? {})),
    }));
    return { ...answer, content };
  });
}

function resolved<Part extends Referable>(part: Part, components: Record<string, Part>): Part {
  const name = part.$ref?.split('/').at(-1);
  return (name !== undefined && components[name]) || part;
}

function mapValues<Value, Result>(
  values: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]));
}

function eventsOf({ callbacks = {} }: Operation): ListedEvent[] {
  return Object.entries(callbacks).flatMap(([name, expressions]) =>
    Object.values(expressions).map(({ post }) => ({ name, summary: post.summary })),
  );
}
