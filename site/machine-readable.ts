import { posix } from 'node:path';
import type { Contract, Json, JsonObject } from './contract.ts';
import { listOf, objectOf } from './json.ts';

/** What the index for language models says about a page. */
export interface IndexedPage {
  path: string;
  title: string;
  lead: string;
}

/** The address of a page's Markdown, beside the page. */
export function markdownPath(path: string): string {
  return path.replace(/\.html$/, '.md');
}

/** Maps a link's target, a repository path and a fragment, to its address in the site; undefined when only its path is shown. */
export type LinkResolver = (file: string, fragment: string) => string | undefined;

/** The Markdown of a page, with its links as the site has them. @param file path in the repository, the base of relative links */
export function siteMarkdown(text: string, file: string, resolveLink: LinkResolver): string {
  return text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, shown: string, href: string) => {
    if (/^[a-z][a-z+.-]*:/i.test(href) || href.startsWith('#')) return whole;
    const [target = '', fragment = ''] = href.split('#');
    const path = posix.join(posix.dirname(file), target);
    const address = resolveLink(path, fragment);
    if (address !== undefined) return `[${shown}](${address})`;
    return shown.includes(path) ? shown : `${shown} (\`${path}\`)`;
  });
}

/** `llms.txt` (llmstxt.org): every page as Markdown, and the contract. */
export function llmsIndex(
  { title, version }: Contract,
  pages: readonly IndexedPage[],
  forOperators: readonly IndexedPage[],
): string {
  const linesOf = (list: readonly IndexedPage[]) =>
    list.map(({ path, title: name, lead }) => `- [${name}](${markdownPath(path)}): ${lead}`).join('\n');
  return `# ${title}

> Version ${version}. Screen prospective renters: applications, identity verification, document analysis, signed webhooks.

## Contract

- [openapi.yaml](openapi.yaml): OpenAPI 3.0.3, every operation and event with examples
- [openapi.json](openapi.json): the same as JSON
- [events.schema.json](events.schema.json): JSON Schemas of the events
- [events.d.ts](events.d.ts): their TypeScript types

## Pages

${linesOf(pages)}

## For operators

${linesOf(forOperators)}
`;
}

/** The events' schemas by name, from the contract's components. */
function eventSchemas({ tree }: Contract): [string, JsonObject][] {
  const schemas = objectOf(objectOf(tree['components'])['schemas']);
  return Object.entries(schemas)
    .filter(([name]) => name.endsWith('Event'))
    .map(([name, schema]) => [name, objectOf(schema)]);
}

/** JSON Schema 2020-12 of a delivery's body. */
export function eventsSchema(contract: Contract): string {
  const schemas = eventSchemas(contract);
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Event',
    oneOf: schemas.map(([name]) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(schemas.map(([name, schema]) => [name, jsonSchema(schema)])),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** OpenAPI 3.0 says `nullable`, JSON Schema lists `null` among the types; ours are null only where an object would need a property. */
function jsonSchema(node: JsonObject): JsonObject {
  const { nullable, ...rest } = node;
  const own = Object.entries(rest).filter(([key]) => !key.startsWith('x-'));
  const copy: JsonObject = Object.fromEntries(
    own.map(([key, value]) => [key, key === 'properties' ? mapped(objectOf(value)) : value]),
  );
  return nullable === true ? { ...copy, type: [...listOf(rest['type']), 'null'] } : copy;
}

function mapped(properties: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, jsonSchema(objectOf(schema))]));
}

/** TypeScript types of the events. */
export function eventsTypes(contract: Contract): string {
  const schemas = eventSchemas(contract);
  const types = schemas.map(
    ([name, schema]) => `/** ${schema['description']} */\nexport interface ${name} ${typeOf(schema)}\n`,
  );
  return `${types.join('\n')}
/** The body of a delivery. Tell the events apart by \`event\`. */
export type ScreeningEvent = ${schemas.map(([name]) => name).join(' | ')};
`;
}

function typeOf(schema: JsonObject): string {
  const { type, enum: values, properties, required, additionalProperties, minProperties, nullable } = schema;
  if (values !== undefined)
    return listOf(values)
      .map((value: Json) => JSON.stringify(value))
      .join(' | ');
  // An object that may have no property, but needs one, is always null.
  if (nullable === true && additionalProperties === false && minProperties === 1) return 'null';
  if (type !== 'object') return type === 'integer' ? 'number' : String(type);
  const members = Object.entries(objectOf(properties ?? {})).map(([name, member]) => {
    const isRequired = listOf(required).includes(name);
    return `${name}${isRequired ? '' : '?'}: ${typeOf(objectOf(member))};`;
  });
  const open = additionalProperties === true ? ['[field: string]: unknown;'] : [];
  return `{ ${[...members, ...open].join(' ')} }`;
}
