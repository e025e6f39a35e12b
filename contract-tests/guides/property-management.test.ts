import { expect } from 'chai';
import { basePath, checkSchema, componentSchema } from '../../harness/contract/contract.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { blocksOf } from './guide.ts';
import { Reader } from './reader.ts';

describe('the guide to property management', () => {
  let test: TestService;
  let reader: Reader;
  before(async () => {
    test = await startTestService();
    reader = await Reader.create();
  });
  after(async () => {
    await reader.leave();
    await test.stop();
  });

  it('shows the workspaces and a property when pasted', async () => {
    const { property_id, workspace_id } = await setStage(test);
    const commands = blocksOf('property-management.md').filter(({ language }) => language === 'sh');
    const [workspaces = '', property = ''] = await reader.paste(
      commands.map(({ text }) => text),
      {
        BASE_URL: `${test.service.url}${basePath}`,
        TOKEN: test.alice.token ?? '',
        PROPERTY_ID: property_id,
        WORKSPACE_ID: workspace_id,
      },
    );
    checkSchema('the workspaces', componentSchema('ListWorkspacesResponse'), JSON.parse(workspaces));
    checkSchema('the property', componentSchema('GetPropertyResponse'), JSON.parse(property));
    expect(workspaces).to.include(workspace_id);
    expect(JSON.parse(property).data.property).to.include({ property_id, workspace_id });
  });
});
