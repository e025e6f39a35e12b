import { expect } from 'chai';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { dialect } from '../../harness/database/databases.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { type TestService, useService } from '../../harness/service/service.ts';

type Row = Record<string, unknown>;

describe(`the command line’s landlords and workspaces on ${dialect}`, () => {
  const test = useService();
  const admin = new Admin(test);

  /** The audit entries of a resource, oldest first. */
  const audited = (resource_id: unknown) =>
    test.service.runtime
      .db('audit_entries')
      .where('resource_id', String(resource_id))
      .orderBy('sequence')
      .pluck('action');

  it('create, rename and list landlords, the newest first, and note what was changed', async () => {
    const made = await admin.json<Row>('landlord', 'create', '--name', 'Casa Nueva');
    const id = String(made['landlord_id']);
    const renamed = await admin.json<Row>('landlord', 'rename', id, '--name', 'Casa Vieja');
    expect(renamed).to.deep.equal({ ...made, name: 'Casa Vieja' });
    expect(await admin.text('landlord', 'rename', id, '--name', 'Casa Vieja')).to.match(/nothing changed/);
    expect(await admin.json<Row[]>('landlord', 'list', '--limit', '1')).to.deep.equal([renamed]);
    expect(await admin.text('landlord', 'list', '--limit', '1')).to.match(/newest 1; --limit shows more/);
    expect(await audited(id)).to.deep.equal(['landlord.create', 'landlord.rename']);
    expect(await admin.refused(1, ['landlord', 'rename', 'none', '--name', 'x'])).to.match(/landlord list/);
    await misunderstood('landlord', 'rename', id);
  });

  it('create and rename workspaces, which the landlord’s integrations see, and nobody else’s do', async () => {
    const landlord = test.landlords.ours;
    const made = await admin.json<Row>('workspace', 'create', '--landlord', landlord, '--name', 'Madrid centre');
    const id = String(made['workspace_id']);
    expect(made).to.have.all.keys('workspace_id', 'workspace_name', 'landlord_id', 'created_at');
    const seenBy = async (client: TestService['alice']) => (await client.ok('listWorkspaces')).data.workspaces;
    expect(await seenBy(test.alice)).to.deep.equal([{ workspace_id: id, workspace_name: 'Madrid centre' }]);
    expect(await seenBy(test.charlie)).to.deep.equal([]);
    await admin.json('workspace', 'rename', id.toUpperCase(), '--name', 'Madrid north');
    expect(await seenBy(test.bob)).to.deep.equal([{ workspace_id: id, workspace_name: 'Madrid north' }]);
    expect(await admin.text('workspace', 'rename', id, '--name', 'Madrid north')).to.match(/nothing changed/);
    expect(await audited(id)).to.deep.equal(['workspace.create', 'workspace.rename']);
    const again = await admin.text('workspace', 'create', '--landlord', landlord, '--name', 'Madrid north');
    expect(again).to.match(/Another workspace of the landlord has this name/);
    expect(await admin.refused(1, ['workspace', 'create', '--landlord', 'none', '--name', 'x'])).to.match(
      /landlord list/,
    );
    expect(await admin.refused(1, ['workspace', 'rename', 'none', '--name', 'x'])).to.match(/workspace list/);
  });

  it('list workspaces of one landlord or all, with how many properties each has', async () => {
    const [landlord, other] = [test.landlords.other, test.landlords.ours];
    const { workspace_id } = await admin.json<Row>('workspace', 'create', '--landlord', landlord, '--name', 'Sevilla');
    const { db } = test.service.runtime;
    await db.transaction((trx) => addWorkspace(trx, other, 'Bilbao', new Date(0)));
    const workspace = await db('workspaces').where('workspace_id', String(workspace_id)).first();
    if (!workspace) return expect.fail('It was not created.');
    for (const property_id of ['a', 'b'])
      await db('properties').insert({ property_id, workspace_internal_id: workspace.id });
    const [listed, ...others] = await admin.json<Row[]>('workspace', 'list', '--landlord', landlord);
    expect(others).to.deep.equal([]);
    expect(listed).to.include({ workspace_id, workspace_name: 'Sevilla', landlord_id: landlord, properties: 2 });
    const all = await admin.json<Row[]>('workspace', 'list');
    expect(all.map(({ landlord_id }) => landlord_id)).to.include.members([landlord, other]);
    expect(await admin.text('workspace', 'list', '--limit', '1')).to.match(/Sevilla +Otra Casa +2$/m);
  });
});
