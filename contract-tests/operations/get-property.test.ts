import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { PropertyRow } from '../../db/properties/properties.ts';
import { databases } from '../../harness/database/dialect.ts';
import type { Client, RawAnswer } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const full = {
  property_reference: 'MAD-ALC-42-3B',
  rent_amount: 1450.55,
  street: 'Calle de Alcalá',
  street_number: 42,
  entrance_stairwell: 'A',
  floor: 3,
  letter: 'B',
  postal_code: '08001',
  municipality: 'Madrid',
  province: 'Madrid',
  bedrooms: 2,
  bathrooms: 1,
};

describe('get-property', () => {
  let workspace: { id: number; workspace_id: string };
  const test = useService();
  before(async () => {
    workspace = await addWorkspace(test.landlords.ours);
  });

  async function addWorkspace(landlord_id: string) {
    const workspace_id = randomUUID();
    const row = { workspace_id, landlord_id, workspace_name: 'Madrid', created_at: new Date().toISOString() };
    const [inserted] = await test.service.runtime.db('workspaces').insert(row).returning('id');
    if (!inserted) throw new Error('The workspace was not inserted.');
    return { id: inserted.id, workspace_id };
  }
  async function addProperty(fields: Partial<PropertyRow>, workspace_internal_id = workspace.id): Promise<string> {
    const property_id = randomUUID();
    await test.service.runtime.db('properties').insert({ property_id, workspace_internal_id, ...fields });
    return property_id;
  }
  const get = async (property_id: string, workspace_id = workspace.workspace_id, client: Client = test.alice) =>
    (await client.ok('getProperty', { params: { property_id }, query: { workspace_id } })).data;
  const call = (property_id: string, workspace_id: string, client: Client = test.alice) =>
    client.call('getProperty', { params: { property_id }, query: { workspace_id } });
  const raw = (property_id: string, query: string) =>
    test.alice.raw('GET', `/property-management/properties/${property_id}${query}`, {
      headers: { authorization: `Bearer ${test.alice.token}` },
    });

  it('shows every field with its type, numbers as numbers and text as text', async () => {
    const property_id = await addProperty(full);
    const { workspace_id } = workspace;
    expect(await get(property_id)).to.deep.equal({ property: { ...full, property_id, workspace_id } });
  });

  it('omits unset fields, and keeps zero, negative and empty values', async () => {
    const { workspace_id } = workspace;
    const bare = await addProperty({});
    expect(await get(bare)).to.deep.equal({ property: { property_id: bare, workspace_id } });
    const values = { rent_amount: 0, floor: -1, bedrooms: 0, letter: '', street: 'O’Donnell 🏠' };
    const low = await addProperty(values);
    expect(await get(low)).to.deep.equal({ property: { ...values, property_id: low, workspace_id } });
  });

  it('serves every key of the landlord, and accepts a workspace UUID in upper case', async () => {
    const property_id = await addProperty(full);
    const expected = await get(property_id);
    expect(await get(property_id, workspace.workspace_id, test.bob)).to.deep.equal(expected);
    expect(await get(property_id, workspace.workspace_id.toUpperCase())).to.deep.equal(expected);
  });

  it('refuses anything except one public UUID as workspace, including the internal id, and lists the field', async () => {
    const property_id = await addProperty(full);
    const uuid = workspace.workspace_id;
    const queries = [
      '',
      '?',
      `?workspace_id=${workspace.id}`,
      '?workspace_id=',
      '?workspace_id=Madrid',
      `?workspace_id=${uuid}x`,
      `?workspace_id=${uuid.slice(1)}`,
      `?workspace_id=%00${uuid}`,
      `?workspace_id=${uuid}%0A`,
      `?workspace_id=urn:uuid:${uuid}`,
      `?workspace_id=${uuid}&workspace_id=${uuid}`,
      `?workspace_id[]=${uuid}`,
      `?workspace_id[a]=${uuid}`,
      `?workspace=${uuid}`,
      `?WORKSPACE_ID=${uuid}`,
    ];
    for (const query of queries) {
      const answer = await raw(property_id, query);
      expect(answer.status, `${query}: ${answer.text}`).to.equal(400);
      const { status, message, errors } = JSON.parse(answer.text);
      expect(status).to.equal('error');
      expect(message).to.match(/^workspace_id/);
      expect(errors, query).to.have.length.of.at.least(1);
      for (const error of errors) {
        expect(error).to.have.all.keys('field', 'message');
        expect(error.field, query).to.match(/^workspace_id/);
        expect(error.message).to.be.a('string').and.not.equal('');
      }
    }
  });

  it('never finds a property by an internal id', async () => {
    const property_id = await addProperty(full);
    const row = await test.service.runtime.db('properties').where({ property_id }).first('id');
    for (const id of [String(row?.id), String(workspace.id), workspace.workspace_id, '1', property_id.slice(0, 8)])
      expect((await call(id, workspace.workspace_id)).status, id).to.equal(404);
  });

  it('answers foreign, absent and misplaced properties alike, byte for byte, without `errors`', async () => {
    const theirs = await addWorkspace(test.landlords.other);
    const second = await addWorkspace(test.landlords.ours);
    const [ours, foreign] = [await addProperty(full), await addProperty(full, theirs.id)];
    const answers: Record<string, RawAnswer> = {
      'an absent property': await call(randomUUID(), workspace.workspace_id),
      'an absent workspace': await call(ours, randomUUID()),
      'a foreign property in its workspace': await call(foreign, theirs.workspace_id),
      'a foreign property in our workspace': await call(foreign, workspace.workspace_id),
      'our property in a foreign workspace': await call(ours, theirs.workspace_id),
      'our property in another workspace of ours': await call(ours, second.workspace_id),
      'our property for an outsider': await call(ours, workspace.workspace_id, test.charlie),
      'what is no id': await call('💥 or 1=1', workspace.workspace_id),
    };
    for (const [what, { status, text }] of Object.entries(answers)) {
      expect(status, what).to.equal(404);
      expect(text, what).to.equal('{"status":"error","message":"Property not found."}');
    }
    expect((await call(foreign, theirs.workspace_id, test.charlie)).status).to.equal(200);
  });
});
