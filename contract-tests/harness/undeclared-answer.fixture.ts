/** Two tests for `undeclared-answer.test.ts` to run: the first ignores an answer that the contract does not declare. */
import { createServer } from 'node:http';
import { basePath } from '../../harness/contract/contract.ts';
import { listen } from '../../harness/process/running-server.ts';

describe('somebody', () => {
  it('looks at nothing', async () => {
    const server = await listen(
      createServer((_req, res) => void res.writeHead(418).end()),
      0,
    );
    await fetch(`${server.url}${basePath}/property-management/workspaces`);
    await server.stop();
  });

  it('does nothing', () => {});
});
