import fc from 'fast-check';
import { componentSchema } from '../../harness/contract/contract.ts';
import { type Property, property } from './property.ts';
import { ABSENT, ACCOUNT, create, get, ofTenant, remove, type Step, update } from './steps.ts';
import { valuesOf } from './values.ts';

/** A small set, so that addresses recur in different case. */
const person = fc.constantFrom('amina@mail.example', 'Amina@Mail.example', "o'hara%2f@mail.example", ACCOUNT);
const people = fc.array(person, { minLength: 1, maxLength: 4, size: 'max' });
const creation = valuesOf(componentSchema('ApplicationDraft'));
const changes = valuesOf(componentSchema('ParticipantChanges'));
/** An existing or an absent application. */
const which = fc.nat({ max: ABSENT });
const foreign = fc.integer({ min: 0, max: 5 }).map((number) => number === 5);
const tenantOperation = fc.constantFrom('initiateKyc', 'runForensic');

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(creation, people).map((made) => create(...made)) },
  { weight: 1, arbitrary: fc.tuple(which, foreign).map((made) => get(...made)) },
  { weight: 4, arbitrary: fc.tuple(which, person, changes, foreign).map((made) => update(...made)) },
  { weight: 4, arbitrary: fc.tuple(which, person, foreign).map((made) => remove(...made)) },
  { weight: 1, arbitrary: fc.tuple(tenantOperation, foreign).map((made) => ofTenant(...made)) },
);

/** Plain arrays instead of `fc.commands`, which needs a second path to be replayed by. */
const chains = fc.array(steps, { minLength: 1, maxLength: 20, size: 'max' });

export const chainProperty: Property = property(
  { about: 'the life of an application', title: 'a chain of calls answers as the model says', cases: 150 },
  chains,
  async (world, chain) => {
    const real = { world, owner: await world.caller(), outsider: await world.outsider(), ids: [] };
    const accounts = new Map([[world.stage.lead.toLowerCase(), world.stage.tenantId]]);
    await fc.asyncModelRun(() => ({ model: { applications: [], accounts }, real }), chain);
  },
);
