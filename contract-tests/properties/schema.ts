import { type ContractOperation, document } from '../../harness/contract/contract.ts';

/** The schema keywords that the generators support. Any other throws, so none is silently ignored. */
export interface Schema {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
}

const known = [
  ...['type', 'nullable', 'enum', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['items', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties'],
  ...['description', 'default', 'example', 'title', 'deprecated'],
];

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Asking {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

interface Components {
  schemas: Record<string, Schema>;
  parameters?: Record<string, Parameter>;
}

const components: Components = document.components;

/** Resolves a reference to its schema. @throws on a keyword that the generators do not support */
export function resolve(schema: Schema): Schema {
  const found = schema.$ref === undefined ? schema : components.schemas[lastStep(schema.$ref)];
  if (!found) throw new Error(`The contract has no schema ${schema.$ref}.`);
  const unknown = Object.keys(found).filter((keyword) => !known.includes(keyword) && !keyword.startsWith('x-'));
  if (unknown.length > 0) throw new Error(`Teach the generators ${unknown.join(', ')}: a request's schema has it now.`);
  return found;
}

/** The path and query parameters of an operation. */
export function parametersOf(operation: ContractOperation): Parameter[] {
  const { parameters = [] }: Asking = operation;
  return parameters.map((parameter) => {
    const found = parameter.$ref === undefined ? parameter : components.parameters?.[lastStep(parameter.$ref)];
    if (!found || !['path', 'query'].includes(found.in))
      throw new Error(`Teach the generators ${JSON.stringify(parameter)}: neither of a path nor of a query.`);
    return found;
  });
}

/** The schema of an operation's body; undefined when it takes none. */
export function bodySchemaOf(operation: ContractOperation): Schema | undefined {
  const asking: Asking = operation;
  return asking.requestBody?.content['application/json']?.schema;
}

function lastStep(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}
