/** The Postman collection of the contract: openapi-to-postmanv2 builds it, and this makes its requests run in sequence. */
import { readFile } from 'node:fs/promises';
import { convertV2 } from 'openapi-to-postmanv2';
import { parse } from 'yaml';
import { resolved } from '../../harness/contract/contract.ts';
import { sandboxOf } from '../../site/contract.ts';

interface Example {
  $ref?: string;
  summary: string;
  value: unknown;
}

interface Body {
  $ref?: string;
  content?: { 'application/json': { examples: Record<string, Example> } };
}

interface Operation {
  operationId: string;
  summary: string;
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Variable {
  key: string;
  value: string;
}

interface PostmanRequest {
  url: { query: Variable[]; variable: Variable[] };
  body: { raw?: string };
  auth?: { type: string };
}

interface SavedAnswer {
  name: string;
  code: number;
  header: Variable[];
  body: string;
  originalRequest: PostmanRequest;
}

interface Item {
  name: string;
  request: PostmanRequest;
  response: SavedAnswer[];
  event: { listen: 'test'; script: { type: 'text/javascript'; exec: string[] } }[];
}

interface Collection {
  item: { item: Item[] }[];
  variable: Variable[];
}

/** Values that later requests need: the variable, and the path in `data`. */
const remembered: Record<string, { variable: string; found: string }> = {
  generateToken: { variable: 'accessToken', found: 'data.access_token' },
  createApplication: { variable: 'applicationId', found: 'data.application_id' },
  getApplication: { variable: 'tenantId', found: 'data.participants.find(({ id }) => id !== null)?.id' },
  listWorkspaces: { variable: 'workspace_id', found: 'data.workspaces[0]?.workspace_id' },
};

const yaml = await readFile(new URL('../../openapi.yaml', import.meta.url));
const contract = parse(yaml.toString());

/** The text of the collection; deterministic. */
export async function postmanCollection(): Promise<string> {
  const collection = await convert(yaml.toString());
  const items = collection.item.flatMap(({ item }) => item);
  collection.variable = [
    { key: 'baseUrl', value: sandboxOf(contract) },
    { key: 'accessToken', value: '' },
    ...parametersOf(items),
  ];
  for (const item of items) complete(item);
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function convert(data: string): Promise<Collection> {
  const options = { folderStrategy: 'Tags', parametersResolution: 'Example', includeAuthInfoInExample: false } as const;
  return new Promise((resolve, reject) => {
    convertV2({ type: 'string', data }, options, (error, result) => {
      const collection = result?.output?.[0]?.data;
      if (!collection) return reject(new Error(error?.message ?? result?.reason));
      resolve(JSON.parse(renamed(JSON.stringify(collection, tidied))));
    });
  });
}

const DROPPED = ['id', '_postman_id', 'cookie', 'protocolProfileBehavior'];

/** Without the random ids, and with descriptions that Postman shows as Markdown. */
function tidied(key: string, value: unknown): unknown {
  if (DROPPED.includes(key)) return undefined;
  const described = key === 'description' && typeof value === 'object' && value !== null && 'content' in value;
  return described ? value.content : value;
}

function renamed(text: string): string {
  return text
    .replaceAll('{{basicAuthUsername}}', '{{clientId}}')
    .replaceAll('{{basicAuthPassword}}', '{{clientSecret}}')
    .replaceAll('{{bearerToken}}', '{{accessToken}}');
}

/** Each parameter once, with the contract's example. */
function parametersOf(items: Item[]): Variable[] {
  const all = items.flatMap(({ request }) => [...request.url.variable, ...request.url.query]);
  return [...new Map(all.map(({ key, value }) => [key, { key, value }])).values()];
}

function operationOf({ name }: Item): Operation {
  const paths: Record<string, Record<string, Operation>> = contract.paths;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const found = operations.find(({ summary }) => summary === name);
  if (!found) throw new Error(`The contract has no operation with the summary "${name}".`);
  return found;
}

/** Completes a converted request so that it can be sent. */
function complete(item: Item): void {
  const operation = operationOf(item);
  const { request } = item;
  item.response = savedAnswers(item.response, operation);
  for (const parameter of [...request.url.variable, ...request.url.query]) parameter.value = `{{${parameter.key}}}`;
  // Requests without their own authorization inherit the collection's.
  if (request.auth?.type === 'bearer') delete request.auth;
  item.event = [{ listen: 'test', script: { type: 'text/javascript', exec: scriptOf(operation) } }];
}

/** Asserts success, and stores what later requests need. */
function scriptOf({ operationId }: Operation): string[] {
  const assertion = "pm.test('answers 200', () => pm.response.to.have.status(200));";
  const memory = remembered[operationId];
  if (!memory) return [assertion];
  const { variable, found } = memory;
  return [
    assertion,
    'if (pm.response.code === 200) {',
    '  const { data } = pm.response.json();',
    `  const found = ${found};`,
    `  if (found) pm.collectionVariables.set('${variable}', found);`,
    '}',
  ];
}

/** One saved response per named example: the converter keeps only the first. */
function savedAnswers(converted: SavedAnswer[], { requestBody, responses }: Operation): SavedAnswer[] {
  const asked = requestBody ? examplesOf(requestBody) : {};
  return Object.entries(responses).flatMap(([status, answer]) => {
    const model = converted.find(({ code }) => code === Number(status));
    if (!model) throw new Error(`The converter gave no answer for ${status}.`);
    return Object.entries(examplesOf(answer)).map(([name, { summary, value }]) => ({
      ...model,
      name: `${status} ${summary}`,
      header: model.header.filter((header) => header.value !== ''),
      body: JSON.stringify(value, null, 2),
      originalRequest: requestLike(model.originalRequest, asked[name]),
    }));
  });
}

/** An answer whose name is also a request's belongs to that request. */
function requestLike(request: PostmanRequest, example: Example | undefined): PostmanRequest {
  return example ? { ...request, body: { ...request.body, raw: JSON.stringify(example.value, null, 2) } } : request;
}

function examplesOf(body: Body): Record<string, Example> {
  const examples = Object.entries(resolved(body).content?.['application/json'].examples ?? {});
  return Object.fromEntries(examples.map(([name, example]) => [name, resolved(example)]));
}
