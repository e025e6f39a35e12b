import { openPoints } from './catalogue.ts';
import { withCodeSamples } from './code-samples.ts';
import type { Contract, Json, JsonObject } from './contract.ts';
import { listOf, objectOf } from './json.ts';

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
  const copy = withCodeSamples(marked(tree));
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

/** Marks nodes with `x-open-point` at the end of their description. */
function marked(node: JsonObject): JsonObject {
  const entries = Object.entries(node).map(([key, value]): [string, Json] => [
    key,
    key === 'example' ? value : mapped(value),
  ]);
  const { 'x-open-point': points, ...copy } = Object.fromEntries(entries);
  if (points === undefined) return copy;
  const links = listOf(points).map((point) => `[provisional: ${point}](${openPoints.path}#${point})`);
  return withNote(copy, links.join(' · '));
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
  return `Here such a part links to its entry among the [open points](${openPoints.path}), in small print.

### Trying requests
**Test Request** sends a request to the sandbox. Begin with
[Generate an access token](#tag/authentication/generateToken): its username is your \`client_id\`, its password your
\`client_secret\`. The token serves every other operation until you leave this page. The lines for curl take \`CLIENT_ID\`,
\`CLIENT_SECRET\`, \`TOKEN\` and ids from your shell.${addresses.join('')}`;
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
