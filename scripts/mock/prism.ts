import { fileURLToPath } from 'node:url';
import { createLogger } from '@stoplight/prism-core';
import { createInstance, getHttpOperationsFromSpec, type IHttpConfig } from '@stoplight/prism-http';
import { basePath } from '../../contract-tests/harness/contract.ts';
import type { Violation } from './refusals.ts';

const CONTRACT_FILE = fileURLToPath(new URL('../../openapi.yaml', import.meta.url));

export interface PrismRequest {
  method: string;
  /** Path with the base path, and query. */
  target: string;
  headers: Record<string, string>;
  body?: unknown;
}

/** What Prism makes of a request: the answer, and where request and answer break the contract. */
export interface PrismAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
  requestViolations: Violation[];
  responseViolations: Violation[];
}

/** What a front end prefers to see: `Prefer: code=404, example=notFound`. */
export interface Preference {
  code?: number;
  example?: string;
}

/** @throws what Prism cannot handle, such as a service that is not there */
export type AskPrism = (request: PrismRequest, preference?: Preference) => Promise<PrismAnswer>;

/**
 * Prism on the contract, below its base path as the real service is. With an origin, such as `http://127.0.0.1:3000`, it
 * hands each request on to the service there and validates both ways; without, it answers from the examples.
 */
export async function loadPrism(origin?: string): Promise<AskPrism> {
  const operations = (await getHttpOperationsFromSpec(CONTRACT_FILE)).map(
    ({ callbacks: _callbacks, ...operation }) => ({
      ...operation,
      path: basePath + operation.path,
    }),
  );
  const prism = createInstance(configFor({}, origin), { logger: createLogger('prism', { level: 'silent' }) });
  return async (request, preference = {}) => {
    const result = await prism.request(toPrism(request), operations, configFor(preference, origin))();
    if (result._tag === 'Left') throw result.left;
    const { output, validations } = result.right;
    return {
      status: output.statusCode,
      headers: output.headers ?? {},
      body: output.body,
      requestViolations: validations.input,
      responseViolations: validations.output,
    };
  };
}

function configFor({ code, example }: Preference, origin: string | undefined): IHttpConfig {
  const mock = { dynamic: false, ...(code ? { code } : {}), ...(example ? { exampleKey: example } : {}) };
  const validation = { checkSecurity: true, validateRequest: true, validateResponse: true, errors: false };
  const shared = { ...validation, upstreamProxy: undefined, mock };
  return origin ? { ...shared, isProxy: true, upstream: new URL(origin) } : { ...shared, isProxy: false };
}

function toPrism({ method, target, headers, body }: PrismRequest) {
  const { pathname, searchParams } = new URL(target, 'http://mock.invalid');
  const url = { path: pathname, query: Object.fromEntries(searchParams) };
  return { method: methodOf(method), url, headers, body };
}

function methodOf(method: string) {
  const known = (['get', 'post', 'patch', 'delete', 'put', 'head'] as const).find(
    (name) => name === method.toLowerCase(),
  );
  if (!known) throw new Error(`${method} is a method that Prism does not know.`);
  return known;
}
