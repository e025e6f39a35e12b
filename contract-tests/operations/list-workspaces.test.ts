import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

describe('list-workspaces', () => {
  const test = useService();

  const add = async (landlord_id: string, workspace_name: string) => {
    const workspace_id = randomUUID();
    const created_at = new Date().toISOString();
    await test.service.runtime.db('workspaces').insert({ workspace_id, landlord_id, workspace_name, created_at });
    return { workspace_id, workspace_name };
  };

  it('returns an empty list for a landlord without workspaces', async () => {
    await add(test.landlords.other, 'Someone else’s');
    for (const client of [test.alice, test.bob])
      expect((await client.ok('listWorkspaces')).data).to.deep.equal({ workspaces: [] });
  });

  it('lists the landlord’s workspaces to each of the landlord’s keys, by name, with public ids only', async () => {
    const [valencia, madrid] = [await add(test.landlords.ours, 'Valencia'), await add(test.landlords.ours, 'Madrid')];
    for (const client of [test.alice, test.bob]) {
      const { status, data } = await client.ok('listWorkspaces');
      expect(status).to.equal('success');
      expect(data).to.deep.equal({ workspaces: [madrid, valencia] });
    }
  });

  it('never lists the workspaces of another landlord', async () => {
    const theirs = await add(test.landlords.other, 'Madrid');
    const { workspaces } = (await test.charlie.ok('listWorkspaces')).data;
    expect(workspaces).to.deep.include(theirs);
    for (const { workspace_id } of (await test.alice.ok('listWorkspaces')).data.workspaces)
      expect(workspaces.map((workspace) => workspace.workspace_id)).to.not.include(workspace_id);
  });
});
