import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { parse } from 'yaml';
import { type KeptContract, METHODS } from '../../http/api/contract.ts';

/**
 * All that a start of the service needs to know of the contract: its operations as openapi-backend parses them, and the rest as the
 * validator of requests reads it. Both check it against OpenAPI's own schema.
 * @throws what the service could not keep
 */
export async function keptContract(text: string): Promise<KeptContract> {
  const document: Document = parse(text);
  // Each has a copy of its own, because it changes what it is given.
  const { serial: _, ...spec } = await new OpenApiSpecLoader({ apiDoc: parse(text), validateApiSpec: true }).load();
  return { basePath: basePathOf(document), operations: await operationsOf(document), spec };
}

async function operationsOf(document: Document): Promise<KeptContract['operations']> {
  const api = new OpenAPIBackend({ definition: structuredClone(document), strict: true, validate: false });
  await api.init();
  return api.router.getOperations().map((operation) => {
    const { operationId: id = `${operation.method} ${operation.path}`, path, requestBody } = operation;
    const security = operation.security ?? document.security ?? [];
    if (security.some((requirement) => Object.keys(requirement).length > 1))
      throw new Error(`${id} asks for several security schemes at once, which nothing here checks.`);
    if (requestBody && !('required' in requestBody && requestBody.required))
      throw new Error(`${id} has an optional body, which nothing here reads.`);
    const method = METHODS.find((known) => known === operation.method);
    if (!method) throw new Error(`${id} uses the method ${operation.method}, which nothing here binds.`);
    return {
      id,
      method,
      path,
      schemes: security.flatMap((requirement) => Object.keys(requirement)),
      takesBody: requestBody !== undefined,
      listsFieldErrors: declaresFieldErrors(operation.responses?.['400']),
    };
  });
}

/** Whether a schema of the (dereferenced) answer has the array `errors`. */
function declaresFieldErrors(answer: object | undefined): boolean {
  return (
    answer !== undefined && 'content' in answer && JSON.stringify(answer.content).includes('"errors":{"type":"array"')
  );
}

function basePathOf(document: Document): string {
  const paths = new Set((document.servers ?? []).map(({ url }) => new URL(url).pathname.replace(/\/$/, '')));
  const [basePath, ...others] = paths;
  if (basePath === undefined || others.length > 0) throw new Error('The contract’s servers must share one base path.');
  return basePath;
}
