import { fileURLToPath } from 'node:url';
import { createLogger } from '@stoplight/prism-core';
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpRequest,
  type IHttpResponse,
} from '@stoplight/prism-http';
import { basePath } from '../../harness/contract/contract.ts';
import type { NamedExample } from '../../harness/contract/named-examples.ts';
import { messageOf } from './server.ts';

const CONTRACT_FILE = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

/** Where a request or its response breaks the contract, and how. */
export interface Violation {
  side: 'request' | 'response';
  what: string;
}

interface Message {
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

export interface Prism {
  /** The response with this example, or the one for missing credentials. */
  show(example: NamedExample, authorization?: string): Promise<IHttpResponse>;
  /** Validates a request (target including the base path) and its response. */
  check(
    request: Message & { method: string; target: string },
    answer: Message & { status: number },
  ): Promise<Violation[]>;
}

/** Prism, loaded with the contract. */
export async function loadPrism(): Promise<Prism> {
  // Prism would send the events too, but unsigned, and for refused registrations as well.
  const operations = (await getHttpOperationsFromSpec(CONTRACT_FILE)).map(
    ({ callbacks: _, ...operation }) => operation,
  );
  const logger = createLogger('prism', { level: 'silent' });
  return {
    async show({ operation, status, name }, authorization = '') {
      const mock = { dynamic: false, code: status, exampleKey: name };
      const config: IHttpConfig = { ...validating(false), isProxy: false, mock };
      const url = { path: operation.template.replace(/\{\w+\}/g, 'any') };
      const request = { method: methodOf(operation.method), url, headers: { authorization } };
      const result = await createInstance(config, { logger }).request(request, operations)();
      if (result._tag === 'Left') throw result.left;
      return result.right.output;
    },
    async check(request, { status, headers, body }) {
      const response = { statusCode: status, headers: joined(headers), body: jsonOrText(body) };
      const forward = () => () => async () => ({ _tag: 'Right' as const, right: response });
      try {
        const result = await createInstance(PROXY, { logger, forward }).request(asPrism(request), operations)();
        if (result._tag === 'Left') throw result.left;
        const { input, output } = result.right.validations;
        return [...input.map(violation('request')), ...output.map(violation('response'))];
      } catch (error) {
        return [{ side: 'request', what: messageOf(error) }];
      }
    },
  };
}

function validating(all: boolean) {
  return { checkSecurity: true, validateRequest: all, validateResponse: all, errors: false, upstreamProxy: undefined };
}

/** Prism must not call the upstream: the response already exists. */
const PROXY: IHttpConfig = {
  ...validating(true),
  isProxy: true,
  mock: { dynamic: false },
  upstream: new URL('http://upstream.invalid'),
};

/**
 * @throws for requests that Prism cannot handle
 */
function asPrism({ method, target, headers, body }: Message & { method: string; target: string }): IHttpRequest {
  if (!target.startsWith(`${basePath}/`)) throw new Error(`is not below ${basePath}`);
  const { pathname, searchParams } = new URL(target.slice(basePath.length), 'http://mock.invalid');
  const query = Object.fromEntries([...searchParams.keys()].map((name) => [name, oneOrAll(searchParams.getAll(name))]));
  const parsed = body.length > 0 ? { body: jsonOrText(body) } : {};
  return { method: methodOf(method), url: { path: pathname, query }, headers: joined(headers), ...parsed };
}

function oneOrAll(values: string[]): string | string[] {
  return values.length === 1 ? values.join() : values;
}

function methodOf(method: string): IHttpRequest['method'] {
  const methods = ['get', 'post', 'patch', 'delete', 'put', 'head', 'options', 'trace'] as const;
  const known = methods.find((name) => name === method.toLowerCase());
  if (!known) throw new Error(`${method} is no method of the contract`);
  return known;
}

function joined(headers: Message['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function jsonOrText(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return body.toString();
  }
}

function violation(side: Violation['side']) {
  return ({ message, path = [] }: { message: string; path?: string[] }): Violation => ({
    side,
    what: `${path.join('.')} ${message}`.trim(),
  });
}
