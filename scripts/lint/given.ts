import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Contract, isNode } from '../gate/document.ts';
import { beyond, compareFields, parametersOf, readFields, same } from './fields.ts';
import { marksOf } from './open-points.ts';
import { entries, type Finding, list, type Operation, operationsOf, resolvedEntries } from './redocly.ts';

const table: unknown = parse(readFileSync(new URL('../../docs/contract/given.yaml', import.meta.url), 'utf8'), {
  merge: true,
});
/** What the product document gives: docs/contract/given.yaml. */
export const given = isNode(table) ? table : {};
const isMarked = (node: Record<string, unknown>) => marksOf(node).length > 0;

/** The contract has everything that the product document gives, and marks everything else. */
export function completeAndMarked(contract: Contract): Finding[] {
  const operations = operationsOf(contract);
  const ids = new Set(operations.map(({ id }) => id));
  const missing = entries(given['operations']).filter(([id]) => !ids.has(id));
  return [
    ...missing.map(([id, { route }]) => ({
      pointer: '#/paths',
      where: id,
      message: `${route} is given and must be here.`,
    })),
    ...operations.flatMap((operation) => ofOperation(contract, operation)),
    ...eventsOf(contract, operations),
    ...serversOf(contract),
    ...statesOf(contract),
  ];
}

function ofOperation(contract: Contract, operation: Operation): Finding[] {
  const { id, node, pointer } = operation;
  const [, own] = entries(given['operations']).find(([known]) => known === id) ?? [];
  if (!own) return isMarked(node) ? [] : [{ pointer, where: id, message: beyond('the operation') }];
  const name = `${id} request`;
  const body = contract.resolve(node['requestBody']);
  const schema = isNode(body) ? schemaOf(body) : undefined;
  if (Boolean(schema) !== Boolean(own['request']))
    return [{ pointer, where: id, message: schema ? beyond('the request body') : 'a request body is given.' }];
  return [
    ...factsOf(contract, operation, own).map((message) => ({ pointer, where: id, message })),
    ...parameters(contract, id, node['parameters'], own['parameters'], pointer),
    ...compareFields({ contract, name, given: readFields(own['request']), isAnswer: false }, schema, pointer),
    ...answersOf(contract, operation, own),
  ];
}

function factsOf(contract: Contract, { node, route }: Operation, own: Record<string, unknown>): string[] {
  const [scheme = ''] = list(node['security']).flatMap((requirement) => Object.keys(requirement ?? {}));
  const definition = contract.resolve({ $ref: `#/components/securitySchemes/${scheme}` });
  const kind = isNode(definition) ? definition['scheme'] : undefined;
  const text = String(node['description']);
  return [
    ...(route === own['route'] ? [] : [`its route is given as ${own['route']}.`]),
    ...(kind === own['security'] ? [] : [`its security is given as HTTP ${own['security']}.`]),
    ...list(own['mentions']).flatMap((word) =>
      text.includes(`\`${word}\``) ? [] : [`${word} is given; mention it in the description.`],
    ),
  ];
}

function parameters(contract: Contract, name: string, actual: unknown, expected: unknown, pointer: string): Finding[] {
  const fields = readFields(expected);
  const found = parametersOf(contract, actual);
  const names = found.map(([key]) => key);
  return [
    ...[...fields.keys()]
      .filter((key) => !names.includes(key))
      .map((key) => ({
        pointer,
        where: name,
        message: `the parameter ${key} is given and must be here.`,
      })),
    ...found.flatMap(([key, node]) => {
      const own = fields.get(key);
      if (!own) return isMarked(node) ? [] : [{ pointer, where: name, message: beyond(`the parameter ${key}`) }];
      const place = { contract, name: `${name} parameter ${key}`, given: new Map([['', own]]), isAnswer: false };
      return compareFields(place, node['schema'], pointer);
    }),
  ];
}

/** Each status and header is given or marked; each body is compared with what is given of answers or of errors. */
function answersOf(contract: Contract, { id, node, pointer }: Operation, own: Record<string, unknown>): Finding[] {
  const answers = resolvedEntries(contract, node['responses']);
  const declared = list(own['statuses']).map(String);
  const possible = [...declared, ...list(given['statuses']).map(String)];
  const lost = declared.filter((status) => !answers.some(([key]) => key === status));
  return [
    ...lost.map((status) => ({ pointer, where: id, message: `the status ${status} is given and must be here.` })),
    ...answers.flatMap(([status, answer]) => {
      const name = `${id} ${status}`;
      const isGiven = declared.includes(status) || (isMarked(node) && possible.includes(status));
      const table = readFields(status.startsWith('2') ? own['answer'] : own['error']);
      return [
        ...(isGiven || isMarked(answer) ? [] : [{ pointer, where: name, message: beyond('the status') }]),
        ...headersOf(contract, name, answer, pointer),
        ...compareFields({ contract, name, given: table, isAnswer: true }, schemaOf(answer), pointer),
      ];
    }),
  ];
}

function headersOf(contract: Contract, name: string, answer: Record<string, unknown>, pointer: string): Finding[] {
  return resolvedEntries(contract, answer['headers'])
    .filter(([, node]) => !isMarked(node))
    .map(([header]) => ({ pointer, where: name, message: beyond(`the header ${header}`) }));
}

/** Events are callbacks to the address that was registered. */
function eventsOf(contract: Contract, operations: Operation[]): Finding[] {
  const events = operations.flatMap(({ node }) => entries(node['callbacks']));
  const known = entries(given['events']);
  const missing = known.filter(([name]) => !events.some(([event]) => event === name));
  return [
    ...missing.map(([name]) => ({ pointer: '#/paths', where: name, message: 'the event is given and must be here.' })),
    ...events.flatMap(([name, addresses]) => {
      const pointer = contract.pointerOf(addresses) ?? '#';
      const [, own] = known.find(([event]) => event === name) ?? [];
      return entries(addresses).flatMap(([address, item]) => {
        const delivery = isNode(item['post']) ? item['post'] : {};
        if (!own) return isMarked(delivery) ? [] : [{ pointer, where: name, message: beyond('the event') }];
        const wrong = address === given['eventAddress'] ? [] : [`its address is given as ${given['eventAddress']}.`];
        const body = contract.resolve(delivery['requestBody']);
        const place = { contract, name, given: readFields(own), isAnswer: true };
        return [
          ...wrong.map((message) => ({ pointer, where: name, message })),
          ...parameters(contract, name, delivery['parameters'], given['eventParameters'], pointer),
          ...compareFields(place, isNode(body) ? schemaOf(body) : undefined, pointer),
        ];
      });
    }),
  ];
}

function serversOf(contract: Contract): Finding[] {
  const servers = list(contract.root['servers']).filter(isNode);
  const kinds = servers.map(({ description }) => String(description).split(/\W/, 1)[0]);
  const urls = servers.map(({ url }) => String(url));
  const wrong = urls.filter((url, index) => !url.endsWith(String(given['base'])) || urls.indexOf(url) < index);
  const faults = [
    ...wrong.map((url) => `${url} must end with ${given['base']} and be listed once.`),
    ...(same(kinds, given['servers']) ? [] : [`the descriptions must begin with ${list(given['servers'])}.`]),
  ];
  return faults.map((message) => ({ pointer: '#/servers', where: 'servers', message }));
}

function statesOf(contract: Contract): Finding[] {
  const states = isNode(given['states']) ? Object.entries(given['states']) : [];
  return states.flatMap(([name, values]) => {
    const pointer = `#/components/schemas/${name}`;
    const schema = contract.resolve({ $ref: pointer });
    const differ = !isNode(schema) || !same(schema['enum'], values);
    return differ ? [{ pointer: isNode(schema) ? pointer : '#', message: `${name} is given as ${list(values)}.` }] : [];
  });
}

function schemaOf(body: Record<string, unknown>): unknown {
  const [media] = entries(body['content']);
  return media?.[1]['schema'];
}
