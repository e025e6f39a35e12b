import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

const root = fileURLToPath(new URL('../..', import.meta.url));

describe("Prism's own command", () => {
  let prism: ChildProcess;
  let url: string;
  before(async () => {
    const args = ['node_modules/@stoplight/prism-cli/dist/index.js', 'mock', 'openapi.yaml', '--port', '0'];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    prism = child;
    for await (const line of createInterface(child.stdout)) {
      url = /Prism is listening on (http:\S+)/.exec(line)?.[1] ?? '';
      if (url) break;
    }
    child.stdout.resume();
  });
  after(() => {
    prism.kill();
  });

  it('mocks the contract, too, without a base path', async () => {
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json' };
    const shown = await fetch(`${url}/applications/any`, { headers: { ...headers, prefer: 'example=everyStatus' } });
    expect(await shown.json())
      .to.have.nested.property('data.participants')
      .with.length(5);
    const refused = await fetch(`${url}/applications/create-application`, { method: 'POST', headers, body: '{}' });
    expect(refused.status).to.equal(400);
  });
});
