import { basePath, type ContractOperation, checkSchema, resolved } from '../../harness/contract/contract.ts';
import {
  type NamedExample,
  namedExamples,
  requestExamples,
  type Seen,
  titleOf,
} from '../../harness/contract/named-examples.ts';
import { send } from '../../harness/service/client.ts';
import { startMock } from '../../scripts/mock/mock-server.ts';
import { preferOf } from '../../scripts/mock/preference.ts';
import { differenceFrom } from './compare.ts';

/** The part of an operation that defines its request; the harness does not read it. */
interface Asking {
  operationId: string;
  parameters?: { $ref?: string; name: string; in: string; example?: unknown }[];
}

/** Requests each example from the mock by `Prefer`, with the contract's own request. */
export async function seeFromMock(): Promise<Seen> {
  const mock = await startMock(0);
  const seen: Seen = {};
  try {
    for (const example of namedExamples) seen[titleOf(example)] = await faultOf(mock.url, example);
  } finally {
    await mock.stop();
  }
  return seen;
}

async function faultOf(url: string, example: NamedExample): Promise<string | null> {
  const { operation } = example;
  const { target, body } = requestOf(operation);
  const headers = {
    authorization: operation.operationId === 'generateToken' ? 'Basic YTpi' : 'Bearer any',
    'content-type': 'application/json',
    prefer: preferOf(example),
  };
  const answer = await send(url, operation.method, basePath + target, headers, JSON.stringify(body));
  const difference = differenceFrom(example, answer);
  return difference && `Prefer: ${preferOf(example)}: ${difference}`;
}

/** Builds a request from the contract's examples. */
function requestOf(operation: ContractOperation): { target: string; body?: unknown } {
  const { parameters = [] }: Asking = operation;
  const values = parameters.map((parameter) => resolved(parameter));
  const example = (name: string) => String(values.find((parameter) => parameter.name === name)?.example);
  const path = operation.template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example(name)));
  const query = values.filter((parameter) => parameter.in === 'query').map(({ name }) => `${name}=${example(name)}`);
  const first = requestExamples.find((example) => example.operation === operation);
  return { target: query.length > 0 ? `${path}?${query.join('&')}` : path, body: first?.body };
}

/** Whether each example is valid by its own schema. */
export function seeBySchema(): Seen {
  return Object.fromEntries(
    namedExamples.map((example) => {
      const title = titleOf(example);
      try {
        checkSchema(title, example.schema, example.value);
        return [title, null];
      } catch (error) {
        return [title, error instanceof Error ? error.message : String(error)];
      }
    }),
  );
}
