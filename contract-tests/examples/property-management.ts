import { addProperty } from '../../db/properties/properties.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { shownData } from '../../harness/contract/named-examples.ts';
import type { Asked, Scenario, Scenarios, Scene } from './scene.ts';

/** The property shown, in a workspace of the scene's landlord. */
async function openProperty({ test, landlordId }: Scene, name: string): Promise<Asked> {
  const { property_id: _id, workspace_id: _workspace, ...fields } = shownData('getProperty', name).property;
  return test.service.runtime.db.transaction(async (trx) => {
    const workspace = await addWorkspace(trx, landlordId, 'Madrid centre', new Date());
    const { property_id } = await addProperty(trx, workspace, fields);
    return { params: { property_id }, query: `?workspace_id=${workspace.workspace_id}` };
  });
}

const getShown =
  (name: string): Scenario =>
  (scene) =>
    openProperty(scene, name);

const withQuery =
  (query: string): Scenario =>
  async (scene) => ({ ...(await openProperty(scene, 'flat')), query });

const listShown =
  (name: string): Scenario =>
  async ({ test, landlordId }) => {
    const { workspaces } = shownData('listWorkspaces', name);
    await test.service.runtime.db.transaction(async (trx) => {
      for (const { workspace_name } of workspaces) await addWorkspace(trx, landlordId, workspace_name, new Date());
    });
    return {};
  };

export const propertyManagement: Scenarios = {
  'listWorkspaces 200 two': listShown('two'),
  'listWorkspaces 200 none': listShown('none'),
  'getProperty 200 flat': getShown('flat'),
  'getProperty 200 fewFields': getShown('fewFields'),
  'getProperty 400 workspaceMissing': withQuery(''),
  'getProperty 400 workspaceNotPublic': withQuery('?workspace_id=1'),
  'getProperty 404 notFound': withQuery('?workspace_id=7a1e0c56-2b9d-4f6e-9d3c-8e5f4a3b2c1d'),
};
