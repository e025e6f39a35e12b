import { isDeepStrictEqual } from 'node:util';
import { isNode, METHODS, membersOf } from './document.ts';
import * as effects from './effects.ts';
import {
  child,
  type Direction,
  each,
  type Kind,
  type Membership,
  members,
  naming,
  prose,
  type Rule,
  type Step,
  value,
} from './walk.ts';

/** A constraint in the shape of a schema: its presence excludes values, its absence admits them. */
const limiting: Membership = { added: () => 'narrowed', removed: 'widened' };

const described: Kind = { description: prose, summary: prose, example: prose, examples: prose };

const additional: Rule = (step, walk) => {
  if (isNode(step.before) && isNode(step.after)) walk.enter(schema, step);
  else walk.note(step, effects.openness(step.before ?? true, step.after ?? true));
};

/** A removed property is reported once, by `properties`. */
const requiredOfBoth: Rule = (step, walk) => {
  const { before, after } = step.parents;
  const gone = (name: unknown) => has(before, name) && !has(after, name);
  const names = (list: unknown) => (Array.isArray(list) ? list.filter((name) => !gone(name)) : []);
  walk.note(step, effects.requiredNames(names(step.before), names(step.after)));
};

function has(parent: unknown, name: unknown): boolean {
  return isNode(parent) && isNode(parent['properties']) && String(name) in parent['properties'];
}

/** Combined schemas: adding or removing one changes the meaning. */
const combined: Rule = (step, walk) =>
  each(() => schema, { added: () => 'changed' })(
    walk.keyed(step, (_, index) => String(index)),
    walk,
  );

/** The only value of a schema that has two notations for it, one of which generators understand. */
function onlyValue(value: unknown): unknown {
  if (!isNode(value)) return undefined;
  const { type, nullable, enum: values, properties, additionalProperties, minProperties, minimum, maximum } = value;
  const isEmptyObject = type === 'object' && !properties && additionalProperties === false;
  if (nullable === true && (isDeepStrictEqual(values, [null]) || (isEmptyObject && Number(minProperties) > 0)))
    return null;
  if (type !== 'integer' || nullable === true) return undefined;
  if (Array.isArray(values) && values.length === 1) return values[0];
  return values === undefined && minimum === maximum ? minimum : undefined;
}

const property: Rule = (step, walk) => {
  const { before, after } = walk.resolved(step);
  const [old, now] = [onlyValue(before), onlyValue(after)];
  if (old === undefined || old !== now) child(() => schema)(step, walk);
};

const schema: Kind = {
  ...described,
  title: prose,
  externalDocs: prose,
  deprecated: prose,
  type: value(effects.type),
  format: value(effects.constraint),
  pattern: value(effects.constraint),
  enum: value(effects.enumeration),
  nullable: value(effects.nullable),
  maxLength: value(effects.upperBound),
  maxItems: value(effects.upperBound),
  maximum: value(effects.upperBound),
  minLength: value(effects.lowerBound),
  minItems: value(effects.lowerBound),
  minimum: value(effects.lowerBound),
  uniqueItems: value(effects.demand),
  required: requiredOfBoth,
  properties: members(() => property),
  additionalProperties: additional,
  items: child(() => schema, limiting),
  allOf: combined,
  anyOf: combined,
  oneOf: combined,
};

const schemaOf = { schema: child(() => schema, limiting) };
const mediaType: Kind = { ...described, ...schemaOf };
const content = each(() => mediaType);
const header: Kind = { ...described, ...schemaOf, content, required: value(effects.demand), deprecated: prose };
const parameter: Kind = { ...header };
const body: Kind = { ...described, content, required: value(effects.demand) };
const response: Kind = { ...described, content, headers: each(() => header), links: prose };

/** A new requirement breaks callers; a new option does not. */
const unlessOptional: Membership = {
  added: (member) => (isNode(member) && member['required'] === true ? 'narrowed' : 'added'),
};

const parameters: Rule = (step, walk) => {
  const nameOf = (member: unknown) => (isNode(member) ? `${member['in']} ${member['name']}` : '');
  const inside = ({ place }: Step, name: string) => ({ place: `${place} parameter ${name}` });
  each(() => parameter, { ...unlessOptional, inside })(walk.keyed(step, nameOf), walk);
};

/** A new error status belongs to a class that callers handle; a new success or redirect does not. */
const ofKnownClass: Membership = { added: (_, status) => (/^[45]/.test(status) ? 'added' : 'widened') };

/** An unnamed operation may get a name; integrators depend on an existing one. */
const operationName: Rule = (step, walk) => {
  if (step.before === undefined) walk.rename(step, 'operation', step.before, step.after);
  else walk.note(step, effects.changed(step.before, step.after));
};

function operation(direction: Direction): Kind {
  const opposite = direction === 'input' ? 'output' : 'input';
  return {
    ...described,
    tags: naming('tag'),
    operationId: operationName,
    externalDocs: prose,
    deprecated: prose,
    parameters,
    requestBody: (step, walk) => {
      const place = `${step.place} ${direction === 'input' ? 'request' : 'body'}`;
      child(() => body, unlessOptional)({ ...step, place }, walk);
    },
    responses: each(() => response, {
      ...ofKnownClass,
      inside: ({ place }, status) => ({ place: `${place} ${status}`, direction: opposite }),
    }),
    callbacks: members(
      () => each(() => deliveries),
      ({ place }, event) => ({ place: `${place} event ${event}` }),
    ),
  };
}

function pathItem(direction: Direction): Kind {
  const methods = METHODS.map((method): [string, Rule] => [
    method,
    (step, walk) => {
      const named = [step.before, step.after].map((node) => isNode(node) && node['operationId']).find(Boolean);
      const place = direction === 'input' && typeof named === 'string' ? named : step.place;
      child(() => operation(direction))({ ...step, place, direction }, walk);
    },
  ]);
  return { ...described, parameters, ...Object.fromEntries(methods) };
}

const calls = pathItem('input');
const deliveries = pathItem('output');

const servers: Rule = (step, walk) => {
  const addressOf = (member: unknown) => (isNode(member) ? String(member['url']) : '');
  const keyed = walk.keyed(step, addressOf);
  each(() => ({ ...described, url: prose }))(keyed, walk);
  // Tools call the first server by default.
  const [old, now] = [membersOf(keyed.before), membersOf(keyed.after)].map((all) => all.map(([url]) => url));
  const kept = (some: string[] = [], others: string[] = []) => some.filter((url) => others.includes(url));
  walk.note(step, effects.changed(kept(old, now), kept(now, old)));
};

/** The whole document. Components count where an operation uses them, and security schemes by their names. */
export const document: Kind = {
  info: prose,
  tags: prose,
  externalDocs: prose,
  servers,
  paths: each(() => calls, { inside: (_, path) => ({ place: path }) }),
  components: child(() => components),
};

const reachedByReferences = ['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers', 'links'];
const components: Kind = {
  ...Object.fromEntries([...reachedByReferences, 'callbacks'].map((name) => [name, prose])),
  securitySchemes: each(() => described),
};
