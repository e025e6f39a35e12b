import fc from 'fast-check';
import { basePath, type ContractOperation } from '../../harness/contract/contract.ts';
import { basicOf } from '../../harness/service/client.ts';
import { settled } from './beyond-schema.ts';
import type { Call } from './curl.ts';
import { bodySchemaOf, type Parameter, parametersOf, resolve } from './schema.ts';
import { valuesOf } from './values.ts';
import type { Caller } from './world.ts';

/** Equivalent spellings of a request. */
interface Spelling {
  segment: 'usual' | 'every byte' | 'lower-case hex' | 'only what must be';
  json: 'usual' | 'spacious' | 'ASCII';
  contentType: string;
  /** The scheme's name is case-insensitive. */
  scheme: (name: string) => string;
}

/** A request that an operation's schemas allow. */
export interface Asked {
  parameters: Record<string, unknown>;
  /** Undefined when the operation takes none. */
  body: unknown;
  spelling: Spelling;
}

/** The spelling that most clients use. */
export const usual: Spelling = {
  segment: 'usual',
  json: 'usual',
  contentType: 'application/json',
  scheme: (name) => name,
};

const spellings: fc.Arbitrary<Spelling> = fc.record({
  segment: fc.constantFrom('usual', 'every byte', 'lower-case hex', 'only what must be'),
  json: fc.constantFrom('usual', 'spacious', 'ASCII'),
  contentType: fc.constantFrom(usual.contentType, 'application/json; charset=utf-8', 'Application/JSON'),
  scheme: fc.constantFrom(
    usual.scheme,
    (name: string) => name.toLowerCase(),
    (name: string) => name.toUpperCase(),
  ),
});

export function askedOf(operation: ContractOperation): fc.Arbitrary<Asked> {
  const parameters = parametersOf(operation).map((parameter) => [parameter.name, parameterOf(parameter)]);
  const schema = bodySchemaOf(operation);
  const body = schema ? valuesOf(schema).map((made) => settled(operation, made)) : fc.constant(undefined);
  return fc.record({ parameters: fc.record(Object.fromEntries(parameters)), body, spelling: spellings });
}

/** Longer values would exceed Node's header limit. */
const PARAMETER_LIMIT = 200;

/** A value that a path or a query can carry: no path segment is empty. */
export function parameterOf({ schema, in: place }: Parameter): fc.Arbitrary<unknown> {
  const limited = resolve(schema);
  const values = valuesOf({
    ...limited,
    ...(limited.type === 'string' ? { maxLength: limited.maxLength ?? PARAMETER_LIMIT } : {}),
  });
  return place === 'path' ? values.filter((value) => value !== '') : values;
}

/** The path with its query. Parameters without a value are left out. */
export function pathOf(
  operation: ContractOperation,
  values: Record<string, unknown>,
  spelling: Spelling = usual,
): string {
  const segments = operation.template.replace(/\{(\w+)\}/g, (_, name: string) =>
    spelled(String(values[name]), spelling),
  );
  const query = parametersOf(operation)
    .filter(({ in: place, name }) => place === 'query' && values[name] !== undefined)
    .map(({ name }) => `${name}=${asUrlWrites(spelled(String(values[name]), spelling))}`);
  return `${basePath}${segments}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** @param values parameters that are known to exist, instead of made-up ones */
export function callOf(
  operation: ContractOperation,
  asked: Asked,
  values: Record<string, unknown>,
  caller: Caller,
): Call {
  const { parameters, body, spelling } = asked;
  return {
    method: operation.method,
    path: pathOf(operation, { ...parameters, ...values }, spelling),
    headers: [
      ['authorization', authorizationOf(operation, caller, spelling)],
      ...(body === undefined ? [] : [['content-type', spelling.contentType] satisfies [string, string]]),
    ],
    ...(body === undefined ? {} : { body: Buffer.from(written(body, spelling)) }),
  };
}

function authorizationOf(operation: ContractOperation, caller: Caller, spelling: Spelling): string {
  const { scheme } = spelling;
  if (schemeOf(operation) === 'Bearer') return `${scheme('Bearer')} ${caller.token}`;
  return `${scheme('Basic')} ${basicOf(caller.clientId, caller.clientSecret)}`;
}

interface Secured {
  operationId: string;
  security?: Record<string, unknown>[];
}

/** The HTTP name of the scheme that an operation requires. */
export function schemeOf(operation: ContractOperation): 'Basic' | 'Bearer' {
  const { security = [] }: Secured = operation;
  return security.some((requirement) => 'clientCredentials' in requirement) ? 'Basic' : 'Bearer';
}

function spelled(text: string, { segment }: Spelling): string {
  if (segment === 'usual') return encodeURIComponent(text);
  if (segment === 'only what must be')
    return encodeURIComponent(text).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
  const bytes = [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return segment === 'every byte' ? bytes.toUpperCase() : bytes;
}

/** The URL parser of clients escapes the apostrophe of a query; the service and the plain stack word a raw one differently. */
function asUrlWrites(query: string): string {
  return query.replaceAll("'", '%27');
}

function written(body: unknown, { json }: Spelling): string {
  if (json === 'spacious') return ` ${JSON.stringify(body, null, '\t')}\r\n`;
  const text = JSON.stringify(body);
  if (json === 'usual') return text;
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
