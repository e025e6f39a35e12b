import type { SchemaObject } from 'ajv';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { parse } from 'yaml';
import { digestOf, type GeneratedContract, METHODS, type Operation } from '../../core/contract.ts';

/**
 * The text of `generated/contract.json`. openapi-backend checks the document against OpenAPI's own schema and parses the operations.
 * @throws when the document uses a feature that the service does not implement
 */
export async function generatedContract(yaml: Buffer): Promise<string> {
  const document = parse(yaml.toString());
  const contract: GeneratedContract = {
    digest: digestOf(yaml),
    basePath: basePathOf(document),
    operations: await operationsOf(document),
    document,
  };
  return `${JSON.stringify(contract, null, 1)}\n`;
}

/** An operation with every reference resolved. */
interface Dereferenced {
  operationId: string;
  method: string;
  path: string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema?: SchemaObject }[];
  requestBody?: Body & { required?: boolean };
  responses: Record<string, Body>;
}

interface Body {
  content?: Record<string, { schema?: SchemaObject }>;
}

async function operationsOf(document: Document): Promise<Operation[]> {
  // Initializing changes the definition.
  const api = new OpenAPIBackend({ definition: structuredClone(document), strict: true, validate: false });
  await api.init();
  const operations: Dereferenced[] = JSON.parse(JSON.stringify(api.router.getOperations()));
  return operations.map((operation) => {
    const { operationId: id, path, requestBody } = operation;
    const security = operation.security ?? document.security ?? [];
    if (security.some((requirement) => Object.keys(requirement).length > 1))
      throw new Error(`${id} asks for several security schemes at once, which nothing here checks.`);
    if (requestBody && !requestBody.required) throw new Error(`${id} has an optional body, which nothing here reads.`);
    const method = METHODS.find((known) => known === operation.method);
    if (!method) throw new Error(`${id} uses the method ${operation.method}, which nothing here binds.`);
    return {
      id,
      method,
      path,
      schemes: security.flatMap((requirement) => Object.keys(requirement)),
      takesBody: requestBody !== undefined,
      ...schemasOf(operation),
      listsFieldErrors: declaresFieldErrors(operation.responses['400']),
    };
  });
}

type Schemas = Pick<Operation, 'query' | 'request' | 'success'>;

/** @throws when the operation has a parameter that nothing here reads */
function schemasOf({ operationId: id, parameters = [], requestBody, responses }: Dereferenced): Schemas {
  const unread = parameters.find(
    ({ in: place, schema }) => !/^(path|query)$/.test(place) || schema?.['type'] !== 'string',
  );
  if (unread) throw new Error(`${id} has the parameter ${unread.name}; only strings in the path or query are read.`);
  const [params, query] = ['path', 'query'].map((place) => parameters.filter((parameter) => parameter.in === place));
  const body = jsonSchema(requestBody);
  if (requestBody && !body) throw new Error(`${id} takes a body that is not JSON, which nothing here reads.`);
  const success = jsonSchema(responses['200']);
  if (!success) throw new Error(`${id} declares no JSON body for its success.`);
  const properties = { params: objectOf(params), query: objectOf(query), ...(body ? { body } : {}) };
  return {
    query: (query ?? []).map(({ name }) => name),
    request: { type: 'object', properties },
    success,
  };
}

function jsonSchema(body: Body | undefined): SchemaObject | undefined {
  return body?.content?.['application/json']?.schema;
}

function objectOf(parameters: Dereferenced['parameters'] = []): SchemaObject {
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
  };
}

/** Whether a schema of the response has the array `errors`. */
function declaresFieldErrors(response: Body | undefined): boolean {
  return response !== undefined && JSON.stringify(response.content ?? {}).includes('"errors":{"type":"array"');
}

function basePathOf(document: Document): string {
  const paths = new Set((document.servers ?? []).map(({ url }) => new URL(url).pathname.replace(/\/$/, '')));
  const [basePath, ...others] = paths;
  if (basePath === undefined || others.length > 0) throw new Error('The contract’s servers must share one base path.');
  return basePath;
}
