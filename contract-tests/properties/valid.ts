import { expect } from 'chai';
import fc from 'fast-check';
import { type ContractOperation, componentSchema, isValid, operationById } from '../../harness/contract/contract.ts';
import { expectDeclared, expectRefused, fail } from './answers.ts';
import { type Asked, askedOf, callOf, parameterOf, usual } from './asked.ts';
import { type Application, find, newApplication, type Person, summaryOf, viewOf } from './model.ts';
import { type Property, property } from './property.ts';
import { bodySchemaOf, parametersOf } from './schema.ts';
import { valuesOf } from './values.ts';
import type { Caller, World } from './world.ts';

/** The participants of the application that a request is about. */
interface Cast {
  title: string;
  lead: string;
  guest: string;
}

const email = valuesOf(componentSchema('Email')).map(String);
const casts: fc.Arbitrary<Cast> = fc
  .record({ title: fc.string({ maxLength: 10, unit: 'grapheme-ascii' }), lead: email, guest: email })
  .filter(({ lead, guest }) => lead.toLowerCase() !== guest.toLowerCase());

/** Every request that the schemas allow succeeds, and the answer shows what was sent. */
export function acceptsWhatIsValid(operation: ContractOperation): Property {
  const head = {
    about: operation.operationId,
    title: `${operation.operationId} accepts what its schemas allow`,
    cases: 60,
  };
  const schema = bodySchemaOf(operation);
  const made = fc.record({ asked: askedOf(operation), cast: casts });
  return property(head, made, async (world, { asked, cast }) => {
    if (schema && !isValid(schema, asked.body)) throw new Error(`Made, but not valid: ${JSON.stringify(asked.body)}`);
    const caller = await world.caller();
    const { values, application } = await arrange(world, caller, operation, cast);
    const exchange = await world.send(callOf(operation, asked, values, caller));
    const { data } = Object(expectDeclared(operation, 200, exchange));
    const shown = shows[operation.operationId]?.({ world, asked, application, guest: find(application, cast.guest) });
    try {
      expect(data).to.deep.include(shown ?? {});
    } catch {
      fail(`200 with ${JSON.stringify(shown)}`, exchange);
    }
  });
}

/** Other callers' resources get the same answers as absent ones, byte for byte. */
export function hidesWhatBelongsToOthers(operation: ContractOperation): Property[] {
  if (!operation.template.includes('{')) return [];
  const head = {
    about: operation.operationId,
    title: `${operation.operationId} hides what belongs to others`,
    cases: 20,
  };
  const hides = property(
    head,
    fc.record({ asked: askedOf(operation), cast: casts }),
    async (world, { asked, cast }) => {
      const owner = await world.caller('OWNER_TOKEN');
      const { values } = await arrange(world, owner, operation, cast);
      const outsider = await world.outsider();
      const foreign = await world.send(callOf(operation, asked, values, outsider));
      expectRefused(operation, 404, '', foreign);
      const nowhere = Object.fromEntries(
        Object.keys(values).map((name) => [name, name in world.stage ? absent(name) : '']),
      );
      const none = await world.send(callOf(operation, asked, nowhere, outsider));
      if (foreign.answer.text !== none.answer.text) fail(`byte for byte ${foreign.answer.text}`, none);
    },
  );
  return [hides];
}

/** A parameter that names no resource is not found, regardless of its value. */
export function findsNothingUnderOtherNames(operation: ContractOperation): Property[] {
  return parametersOf(operation).map((parameter) => {
    const title = `${operation.operationId} finds nothing by another ${parameter.name}`;
    const made = fc.record({ asked: askedOf(operation), other: parameterOf(parameter) });
    return property({ about: operation.operationId, title, cases: 12 }, made, async (world, { asked, other }) => {
      const values = { ...world.stage, [parameter.name]: other };
      expectRefused(operation, 404, '', await world.send(callOf(operation, asked, values, world.owner)));
    });
  });
}

function absent(name: string): string {
  return name === 'email' ? 'nobody@mail.example' : '00000000-0000-4000-8000-000000000000';
}

/** An application of the caller with the stage's tenant in it, for operations on an application. */
async function arrange(world: World, caller: Caller, operation: ContractOperation, { title, lead, guest }: Cast) {
  const values: Record<string, string> = { ...world.stage, email: guest };
  const tenants = [{ email: lead, is_lead: true }, { email: guest }, { email: world.stage.lead }];
  if (/\{(applicationId|tenantId)\}/.test(operation.template)) {
    const create = operationById('createApplication');
    const asked = { parameters: {}, body: { title, tenants }, spelling: usual };
    const creation = await world.send(callOf(create, asked, {}, caller));
    values['applicationId'] = Object(expectDeclared(create, 200, creation)).data.application_id;
  }
  return { values, application: newApplication(title, tenants, '') };
}

interface Answered {
  world: World;
  asked: Asked;
  application: Application;
  guest: Person | undefined;
}

/** What an answer's data must contain, where the product says that it reflects the request or existing data. */
const shows: Record<string, (answered: Answered) => object> = {
  createApplication: ({ asked }) => ({ title: Object(asked.body).title }),
  getApplication: ({ application, world }) => timeless(summaryOf(application, accountsOf(world))),
  updateParticipant: ({ application, asked, guest, world }) => {
    const { name, is_guarantor } = Object(asked.body);
    const people = application.people.map((person) =>
      person === guest ? { ...person, name: name ?? '', isGuarantor: is_guarantor ?? false } : person,
    );
    return timeless(viewOf({ ...application, people }, accountsOf(world)));
  },
  removeParticipant: ({ application, guest, world }) => {
    const people = application.people.filter((person) => person !== guest);
    return timeless(viewOf({ ...application, people }, accountsOf(world)));
  },
  createWebhook: ({ asked }) => ({ ...Object(asked.body), status: 'active' }),
};

function accountsOf({ stage }: World): Map<string, string> {
  return new Map([[stage.lead.toLowerCase(), stage.tenantId]]);
}

/** The model has no clock here; the chains cover times. */
function timeless({ title, participants }: { title: string; participants: object[] }): object {
  return { title, participants };
}
