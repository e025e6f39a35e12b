import fc from 'fast-check';
import { basePath, type ContractOperation, isValid } from '../../harness/contract/contract.ts';
import { expectRefused } from './answers.ts';
import { askedOf, callOf, pathOf } from './asked.ts';
import { rulesOf, settled } from './beyond-schema.ts';
import { type Break, breaksOf } from './breaks.ts';
import { spoilings } from './bytes.ts';
import { type Property, property } from './property.ts';
import { bodySchemaOf, type Parameter, parametersOf, resolve } from './schema.ts';

/** One constraint of the body broken at a time: 400, naming the field. */
export function refusesBrokenBodies(operation: ContractOperation): Property[] {
  const schema = bodySchemaOf(operation);
  if (!schema) return [];
  const ofSchema = breaksOf(schema).map((broken) =>
    bodyProperty(operation, broken, 8, (body) => isValid(schema, body)),
  );
  const beyond = rulesOf(operation).map((broken) => bodyProperty(operation, broken, 15, () => false));
  return [...ofSchema, ...beyond];
}

function bodyProperty(
  operation: ContractOperation,
  broken: Break,
  cases: number,
  isStillRight: (body: unknown) => boolean,
): Property {
  const field = broken.field.join('.');
  const title = `${operation.operationId} refuses ${field || 'a body'}: ${broken.keyword}`;
  const made = fc.record({ asked: askedOf(operation), change: broken.changes });
  return property({ about: operation.operationId, title, cases }, made, async (world, { asked, change }) => {
    const changed = change(asked.body);
    // Too many items would also break the rules beyond the schema.
    const body = broken.keyword === 'maxItems' ? settled(operation, changed) : changed;
    if (isStillRight(body)) throw new Error(`Not broken: ${JSON.stringify(body)}`);
    const exchange = await world.send(callOf(operation, { ...asked, body }, { ...world.stage }, world.owner));
    expectRefused(operation, 400, broken.named === false ? '' : field, exchange);
  });
}

/** Bytes that are not JSON, not UTF-8, not storable text or not declared as JSON: 400. */
export function refusesSpoiltBytes(operation: ContractOperation): Property[] {
  if (!bodySchemaOf(operation)) return [];
  return spoilings.map(({ what, spoil }) => {
    const title = `${operation.operationId} refuses ${what}`;
    const made = fc.record({ asked: askedOf(operation), change: spoil });
    return property({ about: operation.operationId, title, cases: 6 }, made, async (world, { asked, change }) => {
      const { call, field } = change(callOf(operation, asked, { ...world.stage }, world.owner), asked.body);
      expectRefused(operation, 400, field, await world.send(call));
    });
  });
}

/** A parameter that its schema does not allow: 400, naming it. */
export function refusesBrokenParameters(operation: ContractOperation): Property[] {
  return parametersOf(operation).flatMap((parameter) => [
    ...breaksOfParameter(parameter).map((broken) => parameterProperty(operation, parameter, broken)),
    ...(parameter.in === 'query' ? queryProperties(operation, parameter) : [spoiltPath(operation, parameter)]),
  ]);
}

/** Constraints that a string can break. */
function breaksOfParameter({ schema, in: place }: Parameter): Break[] {
  const kinds = ['format', 'pattern', 'minLength', 'maxLength', 'enum', 'minimum', 'maximum'];
  const { type } = resolve(schema);
  const other: Break[] =
    type === 'string'
      ? []
      : [{ keyword: 'type', field: [], changes: fc.constantFrom('x', '[]', '{}', '1x').map((text) => () => text) }];
  const found = [...breaksOf(schema).filter(({ keyword }) => kinds.includes(keyword)), ...other];
  const fits = (change: (valid: unknown) => unknown) => place === 'query' || change('') !== '';
  return found.map((broken) => ({ ...broken, changes: broken.changes.filter(fits) }));
}

function parameterProperty(operation: ContractOperation, { name }: Parameter, { keyword, changes }: Break): Property {
  const title = `${operation.operationId} refuses the parameter ${name}: ${keyword}`;
  const made = fc.record({ asked: askedOf(operation), change: changes });
  return property({ about: operation.operationId, title, cases: 20 }, made, async (world, { asked, change }) => {
    const values = { ...world.stage, [name]: change(asked.parameters[name]) };
    expectRefused(operation, 400, name, await world.send(callOf(operation, asked, values, world.owner)));
  });
}

const malformed = ['%', '%zz', 'a%', '%1', '%u0041', '%ff', '%c3', '%ed%a0%80', '%c0%80', '%f5%80%80%80', '%e2%82'];
const unstorable = ['%00', 'a%00', '%00b'];

function spoiltPath(operation: ContractOperation, { name }: Parameter): Property {
  const title = `${operation.operationId} refuses escapes in ${name} that are no text`;
  const made = fc.record({
    asked: askedOf(operation),
    spelt: fc.constantFrom(...malformed, ...unstorable),
    before: fc.constantFrom('', 'a'),
  });
  return property({ about: operation.operationId, title, cases: 15 }, made, async (world, { asked, spelt, before }) => {
    const call = callOf(operation, asked, { ...world.stage }, world.owner);
    const template = { ...operation, template: operation.template.replace(`{${name}}`, `${before}${spelt}`) };
    const path = pathOf(template, { ...world.stage });
    // A malformed escape makes the whole path unreadable.
    expectRefused(operation, 400, unstorable.includes(spelt) ? name : '', await world.send({ ...call, path }));
  });
}

function queryProperties(operation: ContractOperation, { name, required }: Parameter): Property[] {
  const told = (how: string, change: (path: string) => string): Property => {
    const title = `${operation.operationId} refuses the parameter ${name}: ${how}`;
    return property({ about: operation.operationId, title, cases: 10 }, askedOf(operation), async (world, asked) => {
      const call = callOf(operation, asked, { ...world.stage }, world.owner);
      expectRefused(operation, 400, name, await world.send({ ...call, path: change(call.path) }));
    });
  };
  const own = new RegExp(`\\b${name}=[^&]*`);
  return [
    ...(required
      ? [told('missing', (path) => path.replace(own, '')), told('empty', (path) => path.replace(own, `${name}=`))]
      : []),
    told('given twice', (path) => `${path}&${own.exec(path)?.[0] ?? basePath}`),
  ];
}
