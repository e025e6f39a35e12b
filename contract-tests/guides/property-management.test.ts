import { expect } from 'chai';
import { basePath, checkSchema, componentSchema } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { blocksOf } from './guide.ts';
import { Reader } from './reader.ts';

databases('sqlite');

describe('the property management guide', () => {
  const test = useService();
  const reader = suiteFixture(() => Reader.create());

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
    checkSchema('the workspaces', componentSchema('WorkspacesEnvelope'), JSON.parse(workspaces));
    checkSchema('the property', componentSchema('PropertyEnvelope'), JSON.parse(property));
    expect(workspaces).to.include(workspace_id);
    expect(JSON.parse(property).data.property).to.include({ property_id, workspace_id });
  });
});
