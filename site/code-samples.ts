import type { JsonObject } from './contract.ts';
import { listOf, objectOf } from './json.ts';

/** Stands for the base address, which only the page knows: it may be relative to the page. */
export const SERVER = '{server}';

/** How a shell gives the credentials of each security scheme, by the names that the guides use. */
const CREDENTIALS: Record<string, string> = {
  clientCredentials: '-u "$CLIENT_ID:$CLIENT_SECRET"',
  accessToken: '-H "Authorization: Bearer $TOKEN"',
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Gives each operation a line for curl that works when pasted; the reference would show a password as plain text in a header. */
export function withCodeSamples(document: JsonObject): JsonObject {
  const paths = Object.entries(objectOf(document['paths'])).map(([path, item]) => {
    const members = Object.entries(objectOf(item)).map(([method, node]) =>
      METHODS.includes(method) ? [method, withSample(document, path, method, objectOf(node))] : [method, node],
    );
    return [path, Object.fromEntries(members)];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function withSample(document: JsonObject, path: string, method: string, operation: JsonObject): JsonObject {
  const [scheme = ''] = listOf(operation['security']).flatMap((requirement) => Object.keys(objectOf(requirement)));
  const body = exampleBody(operation);
  const parts = [
    // The address comes first, where a phone shows it.
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${SERVER}${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(name))}${queryOf(document, operation)}"`,
    ...(CREDENTIALS[scheme] === undefined ? [] : [CREDENTIALS[scheme]]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${body.replaceAll("'", "'\\''")}'`]),
  ];
  return { ...operation, 'x-codeSamples': [{ lang: 'curl', label: 'curl', source: parts.join(' \\\n  ') }] };
}

function variable(name: string): string {
  return `$${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`;
}

function exampleBody({ requestBody }: JsonObject): string | undefined {
  if (requestBody === undefined) return undefined;
  const [media] = Object.values(objectOf(objectOf(requestBody)['content']));
  const [example] = Object.values(objectOf(objectOf(media)['examples']));
  return JSON.stringify(objectOf(example)['value'], null, 2);
}

/** The required parameters of the query. */
function queryOf(document: JsonObject, { parameters }: JsonObject): string {
  const names = listOf(parameters).flatMap((reference) => {
    const { $ref, ...own } = objectOf(reference);
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
    const parameter = name ? objectOf(objectOf(objectOf(document['components'])['parameters'])[name]) : own;
    return parameter['in'] === 'query' && parameter['required'] ? [String(parameter['name'])] : [];
  });
  return names.length > 0 ? `?${names.map((name) => `${name}=${variable(name)}`).join('&')}` : '';
}
