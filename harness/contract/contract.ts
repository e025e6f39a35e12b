import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { REFUSALS } from '../../core/messages.ts';

interface Referable {
  $ref?: string;
}

interface Content {
  schema: object;
  examples?: Record<string, Referable & { summary?: string; value?: unknown }>;
}

interface Body extends Referable {
  content?: Record<string, Content>;
  headers?: Record<string, Header>;
}

/** A header of an answer; each of several examples has the name of the body's example that it belongs to. */
export interface Header extends Referable {
  schema: { enum?: unknown[] };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

/** The contract, read independently of the service's own code. */
export interface ContractOperation {
  operationId: string;
  method: string;
  template: string;
  responses: Record<string, Body>;
}

interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, ContractOperation>>;
  components: { schemas: Record<string, object> };
}

const parsed = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));

export const document: Document = parsed;

export const basePath = new URL(document.servers[0]?.url ?? '').pathname;

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ $id: 'contract', ...document });

export const operations: ContractOperation[] = Object.entries(document.paths).flatMap(([template, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), template })),
);

export function operationById(operationId: string): ContractOperation {
  const found = operations.find((operation) => operation.operationId === operationId);
  if (!found) throw new Error(`The contract has no operation ${operationId}.`);
  return found;
}

/** The operation a request is for; concrete paths go before templates. */
export function operationOf(method: string, path: string): ContractOperation | undefined {
  const matches = (template: string) =>
    new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path.split('?', 1).join(''));
  const candidates = operations.filter(({ template }) => matches(template));
  const concrete = candidates.filter(({ template }) => !template.includes('{'));
  return (concrete.length > 0 ? concrete : candidates).find((operation) => operation.method === method);
}

/**
 * Checks an answer strictly: a declared status (or 503 under load, which is outside the contract), the type exactly `application/json`, and a body valid against the schema, including
 * formats, enums and surplus fields.
 * @throws with the differences
 */
export function checkAnswer(
  operation: ContractOperation,
  status: number,
  contentType: string | null,
  text: string,
): void {
  const where = `${operation.operationId} ${status}`;
  const isOf = (message: string) => text === JSON.stringify({ status: 'error', message });
  if (status === 503 && (isOf(REFUSALS.overloaded) || isOf(REFUSALS.busy))) return;
  const response = resolved(operation.responses[String(status)] ?? {});
  if (!operation.responses[String(status)])
    throw new Error(`${where}: the contract does not declare this status; body ${text}`);
  if (contentType !== 'application/json') throw new Error(`${where}: Content-Type is ${contentType}`);
  const schema = response.content?.['application/json']?.schema;
  if (!schema) throw new Error(`${where}: the contract declares no body`);
  checkSchema(where, schema, JSON.parse(text));
}

const validators = new Map<object, ValidateFunction>();

/** Checks a value against a schema of the contract. @throws with the differences */
export function checkSchema(where: string, schema: object, value: unknown): void {
  const validate = validatorOf(schema);
  if (!validate(value)) throw new Error(`${where}: ${ajv.errorsText(validate.errors)}; value ${JSON.stringify(value)}`);
}

export function isValid(schema: object, value: unknown): boolean {
  return validatorOf(schema)(value);
}

function validatorOf(schema: object): ValidateFunction {
  const validate = validators.get(schema) ?? ajv.compile(absolute(schema));
  validators.set(schema, validate);
  return validate;
}

/** The schema of a component by its name. */
export function componentSchema(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"contract#/components'));
}

/** Resolves a reference of the contract; returns any other value unchanged. */
export function resolved<Part extends Referable>(part: Part): Part {
  const [, ...keys] = part.$ref?.split('/') ?? [];
  return keys.reduce((value, key) => value[key], keys.length > 0 ? parsed : part);
}
