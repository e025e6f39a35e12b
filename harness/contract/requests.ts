import { type ContractOperation, resolved } from './contract.ts';
import { requestExamples } from './named-examples.ts';

interface Taking {
  parameters?: { $ref?: string; name: string; in: string }[];
}

/** A request below the base path. */
export interface BuiltRequest {
  method: string;
  path: string;
  body?: string;
}

/** The names of an operation's path and query parameters. */
export function namesIn(operation: ContractOperation): string[] {
  const { parameters = [] }: ContractOperation & Taking = operation;
  return parameters.map((one) => resolved(one)).flatMap((one) => (['path', 'query'].includes(one.in) ? one.name : []));
}

/**
 * The request of an operation with these values, and the contract's first example as its body, whose addresses become `url`.
 * @throws when a parameter of the operation has no value
 */
export function buildRequest(
  operation: ContractOperation,
  values: Readonly<Record<string, string>>,
  url: string,
): BuiltRequest {
  const encodedValue = (name: string): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`${operation.operationId} takes ${name}, for which there is no value.`);
    return encodeURIComponent(value);
  };
  const path = operation.template.replace(/\{(\w+)\}/g, (_, name: string) => encodedValue(name));
  const query = namesIn(operation)
    .filter((name) => !operation.template.includes(`{${name}}`))
    .map((name) => `${name}=${encodedValue(name)}`);
  const example = requestExamples.find((one) => one.operation.operationId === operation.operationId)?.body;
  const body =
    example === undefined ? {} : { body: JSON.stringify(example, (name, value) => (name === 'url' ? url : value)) };
  return { method: operation.method, path: query.length > 0 ? `${path}?${query.join('&')}` : path, ...body };
}
