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

async function operationsOf(document: Document): Promise<Operation[]> {
  // Initializing changes the definition.
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

/** Whether a schema of the (dereferenced) response has the array `errors`. */
function declaresFieldErrors(response: object | undefined): boolean {
  return (
    response !== undefined &&
    'content' in response &&
    JSON.stringify(response.content).includes('"errors":{"type":"array"')
  );
}

function basePathOf(document: Document): string {
  const paths = new Set((document.servers ?? []).map(({ url }) => new URL(url).pathname.replace(/\/$/, '')));
  const [basePath, ...others] = paths;
  if (basePath === undefined || others.length > 0) throw new Error('The contract’s servers must share one base path.');
  return basePath;
}
