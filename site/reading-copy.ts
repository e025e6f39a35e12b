import { openPoints } from './catalogue.ts';
import type { Contract, Json, JsonObject } from './contract.ts';

const EVENTS = {
  name: 'Events',
  description:
    'What your webhooks receive: signed `POST` requests. [Verifying webhooks](webhooks.html) shows how to check one.',
};

/**
 * The contract as the reference shows it: provisional parts are marked, events are listed beside the operations, and try-it
 * uses the given address. For reading only; generators and validators take the contract itself.
 */
export function readingCopy({ tree, sandboxAddress }: Contract, tryItAddress: string): JsonObject {
  const copy = marked(tree);
  const servers = listOf(copy['servers']).map(objectOf);
  const others = servers.filter(({ url }) => url !== sandboxAddress);
  return {
    ...copy,
    info: withNote(objectOf(copy['info']), introduction(others)),
    servers: servers.filter((server) => !others.includes(server)).map((server) => ({ ...server, url: tryItAddress })),
    tags: [...listOf(copy['tags']), EVENTS],
    webhooks: eventsOf(copy),
  };
}

/** Marks nodes with `x-open-point` in their description, and operations with a badge. */
function marked(node: JsonObject): JsonObject {
  const entries = Object.entries(node).map(([key, value]): [string, Json] => [
    key,
    key === 'example' ? value : mapped(value),
  ]);
  const { 'x-open-point': points, ...copy } = Object.fromEntries(entries);
  if (points === undefined) return copy;
  const links = listOf(points).map((point) => `[${point}](${openPoints.path}#${point})`);
  const noted = withNote(copy, `**Provisional:** ${links.join(', ')}.`);
  return 'operationId' in noted
    ? { ...noted, 'x-badges': [{ name: 'Provisional', position: 'after', color: '#f3c06b' }] }
    : noted;
}

function mapped(value: Json): Json {
  if (Array.isArray(value)) return value.map(mapped);
  return typeof value === 'object' && value !== null ? marked(value) : value;
}

function withNote(node: JsonObject, note: string): JsonObject {
  const description = typeof node['description'] === 'string' ? `${node['description'].trimEnd()}\n\n` : '';
  return { ...node, description: description + note };
}

/** The introduction of the reference. It names the servers that try-it cannot reach. */
function introduction(others: JsonObject[]): string {
  const addresses = others.map(
    ({ url, description }) =>
      ` ${String(description).split('\n')[0]}, \`${url}\`, is for servers: no page may call it.`,
  );
  return `Here such a part says **Provisional** and links to [its entry](${openPoints.path}).

### Trying requests
**Test Request** sends a request to the sandbox. Begin with
[Generate an access token](#tag/authentication/generateToken): its username is your \`client_id\`, its password your
\`client_secret\`. Copy \`access_token\` from the answer into **Bearer Token** of any other operation; this page keeps it
until you leave.${addresses.join('')}`;
}

/** Every description of the reading copy; the reference renders them as Markdown. */
export function descriptionsOf(node: Json): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptionsOf(value),
  );
}

function eventsOf(copy: JsonObject): JsonObject {
  const operations = Object.values(objectOf(copy['paths'])).flatMap((item) => Object.values(objectOf(item)));
  const callbacks = operations.flatMap((operation) => Object.entries(objectOf(objectOf(operation)['callbacks'] ?? {})));
  const events = callbacks.map(([name, expressions]): [string, JsonObject] => {
    const [item] = Object.values(objectOf(expressions));
    return [name, { post: readingEvent(name, objectOf(objectOf(item)['post'])) }];
  });
  return Object.fromEntries(events);
}

/** The lists of the reference show summaries, and receivers look for the event's name. */
function readingEvent(name: string, event: JsonObject): JsonObject {
  return {
    ...event,
    summary: name,
    description: `**${event['summary']}.** ${event['description']}`,
    tags: [EVENTS.name],
  };
}

function objectOf(value: Json | undefined): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Error(`openapi.yaml: an object was expected in place of ${JSON.stringify(value)}.`);
}

function listOf(value: Json | undefined): Json[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
