import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { basePath, checkAnswer, operationOf, operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture, temporaryFolder } from '../../harness/mocha/fixtures.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { PROGRAMS } from '../../scripts/clients/tell.ts';

databases('sqlite', 'nightly');

/** A request as newman reports it. */
interface Execution {
  item: { name: string };
  request: { method: string; url: { path: string[] } };
  response: { code: number; header: { key: string; value: string }[]; stream: { data: number[] } };
  assertions?: { error?: { name: string; message: string } }[];
}

const NEWMAN = join(PROGRAMS, 'newman/bin/newman.js');
const COLLECTION = 'examples/postman/tenant-screening.postman_collection.json';
const ENVIRONMENT = 'examples/postman/local.postman_environment.json';

describe('the Postman collection, run by newman', () => {
  const test = useService();
  const folder = suiteFixture(temporaryFolder);

  it('goes from the token to the webhook unattended: each request answers 200, as the contract and its own test expect', async () => {
    const { property_id } = await setStage(test);
    await test.tenant('marta.ruiz@mail.example', { documents: 1 });
    const { clientId, clientSecret } = test.alice;
    const answers = await play({ clientId, clientSecret, property_id });
    expect(answers).to.have.lengthOf(operations.length);
    expect(answers.filter((answer) => !answer.endsWith(': 200, passed'))).to.deep.equal([]);
  });

  it('shows declared refusals without credentials, and fails the test of each request', async () => {
    const answers = await play({ property_id: 'absent' });
    expect(answers).to.have.lengthOf(operations.length);
    expect(answers.filter((answer) => !answer.endsWith(': 401, failed'))).to.deep.equal([]);
  });

  /** Sends every request in order and checks each answer against the contract. @returns the name, status and test result of each */
  async function play(variables: Record<string, string>): Promise<string[]> {
    const all = { baseUrl: `${test.service.url}${basePath}`, ...variables };
    const report = join(folder.path, 'report.json');
    const given = Object.entries(all).flatMap(([key, value]) => ['--env-var', `${key}=${value}`]);
    const told = ['--reporters', 'json', '--reporter-json-export', report];
    const args = [NEWMAN, 'run', COLLECTION, '--environment', ENVIRONMENT, ...given, ...told];
    // It exits with 1 when a test of a request fails, too.
    await new Promise((resolve) => execFile(process.execPath, args, resolve));
    const { run }: { run: { executions: Execution[] } } = JSON.parse(await readFile(report, 'utf8'));
    return run.executions.map(({ item, request, response, assertions = [] }) => {
      const path = `/${request.url.path.join('/')}`;
      const operation = operationOf(request.method, path.slice(basePath.length)) ?? expect.fail(`no operation ${path}`);
      const type = response.header.find(({ key }) => key.toLowerCase() === 'content-type')?.value ?? null;
      checkAnswer(operation, response.code, type, Buffer.from(response.stream.data).toString());
      return `${item.name}: ${response.code}, ${assertions.map(({ error }) => (error ? 'failed' : 'passed'))}`;
    });
  }
});
