import type { operations as GeneratedOperations } from '../../generated/openapi.d.ts';
import type { OperationId } from '../../handlers/handler.ts';
import { type ContractOperation, type Header, operations, resolved } from './contract.ts';

/** A named example of an answer in the contract. */
export interface NamedExample {
  operation: ContractOperation;
  status: number;
  name: string;
  summary: string;
  value: unknown;
  /** The declared headers of the answer, by their names in lower case. */
  headers: Record<string, unknown>;
  /** The schema of the value. */
  schema: object;
}

/** Every named example of every answer, in the order of the contract. */
export const namedExamples: NamedExample[] = operations.flatMap((operation) =>
  Object.keys(operation.responses).flatMap((status) => examplesOf(operation, Number(status))),
);

/** The declared answers without an example, each as operation and status. */
export const withoutExample: string[] = operations.flatMap((operation) =>
  Object.keys(operation.responses)
    .filter((status) => examplesOf(operation, Number(status)).length === 0)
    .map((status) => `${operation.operationId} ${status}`),
);

function examplesOf(operation: ContractOperation, status: number): NamedExample[] {
  const { content: contents, headers } = resolved(operation.responses[status] ?? {});
  const content = contents?.['application/json'];
  if (!content) return [];
  return Object.entries(content.examples ?? {}).map(([name, example]) => {
    const { summary = '', value } = resolved(example);
    return { operation, status, name, summary, value, headers: headersOf(headers, name), schema: content.schema };
  });
}

/** A header has a single value, or one per example under the example's name. */
function headersOf(headers: Record<string, Header> = {}, example: string): Record<string, unknown> {
  const shown = Object.entries(headers).map(([name, header]) => {
    const { example: shared, examples, schema } = resolved(header);
    return [name.toLowerCase(), examples?.[example]?.value ?? shared ?? schema.enum?.[0]];
  });
  return Object.fromEntries(shown);
}

/** The part of an operation that shows requests and events. */
interface Speaking {
  operationId: string;
  requestBody?: Shown;
  callbacks?: Record<string, Record<string, { post: { requestBody: Shown<ShownEvent> } }>>;
}

interface Shown<Value = unknown> {
  content: { 'application/json': { examples: Record<string, { value: Value }> } };
}

interface ShownEvent {
  event: string;
  data: unknown;
}

/** Every named example of a request, with its operation. */
export const requestExamples = operations.flatMap((operation) => {
  const { requestBody }: Speaking = operation;
  return valuesOf(requestBody).map((body) => ({ operation, body }));
});

/** Every named example of an event. */
export const eventExamples: ShownEvent[] = operations.flatMap((operation) => {
  const { callbacks = {} }: Speaking = operation;
  return Object.values(callbacks).flatMap((expressions) =>
    Object.values(expressions).flatMap(({ post }) => valuesOf(post.requestBody)),
  );
});

function valuesOf<Value>(shown: Shown<Value> | undefined): Value[] {
  return Object.values(shown?.content['application/json'].examples ?? {}).map(({ value }) => value);
}

/** The name of an example in tables and messages: operation, status, name. */
export function titleOf({ operation, status, name }: NamedExample): string {
  return `${operation.operationId} ${status} ${name}`;
}

/** Why an example is not valid, or null, by the example's title. */
export type Seen = Record<string, string | null>;

type Success<Op extends OperationId> = GeneratedOperations[Op]['responses'][200]['content']['application/json'];

/** The data of a successful example, as its schema types it. @throws when the contract has no such example */
export function shownData<Op extends OperationId>(operationId: Op, name: string): Success<Op>['data'] {
  const found = namedExamples.find((example) => titleOf(example) === `${operationId} 200 ${name}`);
  if (!found) throw new Error(`The contract has no example ${operationId} 200 ${name}.`);
  return JSON.parse(JSON.stringify(found.value)).data;
}
