import { type Contract, isNode } from '../gate/document.ts';
import { type Finding, list, type Operation, operationsOf, resolvedEntries } from './redocly.ts';

const ERRORS = ['#/components/schemas/Error', '#/components/schemas/PropertyManagementError'];
const ALWAYS = ['200', '401', '500'];
const ENVELOPE = ['status', 'message', 'data'];

/** Every answer of every operation, by its status. */
function answersOf(contract: Contract) {
  return operationsOf(contract).flatMap(({ id, node }) =>
    resolvedEntries(contract, node['responses']).map(([status, answer]) => ({
      status,
      answer,
      where: `${id} ${status}`,
      pointer: contract.pointerOf(answer) ?? '#',
    })),
  );
}

/** Errors use one of the error schemas, successes the envelope of status, message and data. */
export function envelope(contract: Contract): Finding[] {
  return answersOf(contract).flatMap(({ status, answer, where, pointer }) => {
    const [media] = resolvedEntries(contract, answer['content']).map(([, type]) => type);
    const schema = media?.['schema'];
    if (/^[45]/.test(status)) {
      const isError = isNode(schema) && ERRORS.includes(String(schema['$ref']));
      return isError ? [] : [{ pointer, where, message: `the schema of an error must be ${ERRORS.join(' or ')}.` }];
    }
    const body = contract.resolve(schema);
    const [required, properties] = isNode(body) ? [list(body['required']), Object.keys(body['properties'] ?? {})] : [];
    const whole = ENVELOPE.every((field) => required?.includes(field)) && properties?.length === ENVELOPE.length;
    return whole
      ? []
      : [{ pointer, where, message: `an answer must hold ${ENVELOPE.join(', ')} and nothing else, all required.` }];
  });
}

/** X-Request-Id on every answer, WWW-Authenticate on every 401 and on no other. */
export function headers(contract: Contract): Finding[] {
  return answersOf(contract).flatMap(({ status, answer, where, pointer }) => {
    const names = Object.keys(answer['headers'] ?? {});
    const findings = names.includes('X-Request-Id')
      ? []
      : [{ pointer, where, message: 'every answer has the header X-Request-Id.' }];
    const asks = names.includes('WWW-Authenticate');
    if (asks === (status === '401')) return findings;
    const message = asks ? 'only a 401 has the header WWW-Authenticate.' : 'a 401 has the header WWW-Authenticate.';
    return [...findings, { pointer, where, message }];
  });
}

/** Most readers, and most mocks, look at the first example. */
export function firstRefusal(contract: Contract): Finding[] {
  return answersOf(contract).flatMap(({ status, answer, where, pointer }) => {
    if (status !== '400') return [];
    const [media] = resolvedEntries(contract, answer['content']).map(([, type]) => type);
    const [first = 0, ...others] = resolvedEntries(contract, media?.['examples']).map(([, example]) =>
      fieldsIn(example),
    );
    const message = 'the first example of a 400 is the most general: no other names more fields.';
    return others.some((fields) => fields > first) ? [{ pointer, where, message }] : [];
  });
}

/** How many fields a message names; none for a fault of the whole body. */
function fieldsIn({ value }: Record<string, unknown>): number {
  const message = isNode(value) ? String(value['message']) : '';
  return [...message.matchAll(/(?:^|[.?] )(?!body:)[a-z_]+(?:\.\w+)*: /g)].length;
}

export function statuses(contract: Contract): Finding[] {
  return operationsOf(contract).flatMap(({ id, node, pointer }) =>
    ALWAYS.filter((status) => !Object.keys(node['responses'] ?? {}).includes(status)).map((status) => ({
      pointer,
      where: id,
      message: `the status ${status} is missing, which every operation can answer.`,
    })),
  );
}

/** Required at each operation, so that none is left open by accident. */
export function security(contract: Contract): Finding[] {
  return operationsOf(contract).flatMap(({ id, node, pointer }: Operation) => {
    const schemes = list(node['security']).map((requirement) => Object.keys(isNode(requirement) ? requirement : {}));
    return schemes.length === 1 && schemes[0]?.length === 1
      ? []
      : [{ pointer, where: id, message: 'an operation names exactly one security scheme.' }];
  });
}
