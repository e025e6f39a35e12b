import { shownData } from '../../harness/contract/named-examples.ts';
import { openApplication, type Scenario, type Scenarios } from './scene.ts';

const lead = { email: 'marta.ruiz@mail.example', is_lead: true };
const guest = { email: 'jonas.weber@mail.example' };
const TITLE = 'Flat on Calle de Alcalá 42, third floor';

const person = (number: number) => ({ email: `person-${number}@mail.example`, is_lead: number === 1 });

/** A valid create request with these overrides. */
const create =
  (fault: { title?: unknown; tenants?: unknown }): Scenario =>
  () => ({ body: { title: TITLE, tenants: [lead, guest], ...fault } });

const getShown =
  (name: string): Scenario =>
  async (scene) => {
    const { title, participants } = shownData('getApplication', name);
    return { params: { applicationId: await openApplication(scene, title, participants) } };
  };

export const applications: Scenarios = {
  'createApplication 200 created': create({}),
  'createApplication 200 alreadyExists': async ({ client }) => {
    const { title } = shownData('createApplication', 'alreadyExists');
    await client.ok('createApplication', { body: { title, tenants: [lead, { ...guest, is_lead: false }] } });
    return { body: { title: 'Another title', tenants: [guest, lead] } };
  },
  'createApplication 400 tooManyTenants': create({ tenants: [1, 2, 3, 4, 5, 6].map(person) }),
  'createApplication 400 noTenants': create({ tenants: [] }),
  'createApplication 400 noLead': create({ tenants: [guest] }),
  'createApplication 400 twoLeads': create({ tenants: [lead, { ...guest, is_lead: true }] }),
  'createApplication 400 duplicateEmail': create({ tenants: [lead, { email: 'Marta.Ruiz@mail.example' }] }),
  'createApplication 400 notAnEmail': create({ tenants: [lead, { email: 'jonas.weber' }] }),
  'createApplication 400 emailMissing': create({ tenants: [lead, { is_lead: false }] }),
  'createApplication 400 titleMissing': create({ title: undefined }),
  'createApplication 400 titleTooLong': create({ title: 'x'.repeat(256) }),
  'createApplication 400 wrongType': create({ title: 42 }),
  'createApplication 400 unknownField': create({ tenants: [{ ...lead, name: 'Marta Ruiz' }, guest] }),
  'createApplication 400 severalFaults': create({ title: 42, tenants: [] }),
  'getApplication 200 couple': getShown('couple'),
  'getApplication 200 justCreated': getShown('justCreated'),
  'getApplication 200 everyStatus': getShown('everyStatus'),
  'getApplication 404 notFound': () => ({ params: { applicationId: 'absent' } }),
};
