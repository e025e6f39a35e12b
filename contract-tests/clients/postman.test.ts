import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import newman, { type NewmanRunExecution } from 'newman';
import { basePath, checkAnswer, operationOf, operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';

databases('sqlite');

interface SavedAnswer {
  name: string;
  code: number;
  header: { key: string; value: string }[];
  body: string;
}

interface Item {
  name: string;
  request: { method: string; url: { path: string[] } };
  response: SavedAnswer[];
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../examples/postman/${name}.json`, import.meta.url), 'utf8'));
const collection = read('tenant-screening.postman_collection');
const environment = read('local.postman_environment');
const folders: { name: string; item: Item[] }[] = collection.item;
const items = folders.flatMap(({ item }) => item);

describe('the Postman collection', () => {
  const test = useService();

  it('has every operation, and a saved answer for every status, valid against the contract', () => {
    expect(items.map(({ name }) => name)).to.have.lengthOf(operations.length);
    for (const { name, request, response } of items) {
      const operation = operationFor(request.method, `/${request.url.path.join('/')}`);
      const statuses = new Set(response.map(({ code }) => String(code)));
      expect([...statuses], name).to.have.members(Object.keys(operation.responses));
      for (const { code, header, body } of response) {
        const type = header.find(({ key }) => key === 'Content-Type')?.value ?? null;
        checkAnswer(operation, code, type, body);
      }
    }
  });

  it('runs from the token to the webhook unattended: each request answers 200, as the contract and its own test expect', async () => {
    const { property_id } = await setStage(test);
    await test.tenant('marta.ruiz@mail.example', { documents: 1 });
    const { clientId, clientSecret } = test.alice;
    const answers = await play({ clientId, clientSecret, property_id });
    expect(answers).to.deep.equal(items.map(({ name }) => `${name}: 200, passed`));
  });

  it('shows declared refusals without credentials, and fails the test of each request', async () => {
    expect(await play({ property_id: 'absent' })).to.deep.equal(items.map(({ name }) => `${name}: 401, failed`));
  });

  it('comes with an environment that names its variables and holds no secret', () => {
    const values: { key: string; value: string }[] = environment.values;
    const filled = values.filter(({ value }) => value !== '').map(({ key }) => key);
    expect(values.map(({ key }) => key)).to.have.members(['baseUrl', 'clientId', 'clientSecret', 'property_id']);
    expect(filled).to.deep.equal(['baseUrl']);
  });

  /** Sends every request in order and checks each answer against the contract. @returns the name, status and test result of each */
  async function play(variables: Record<string, string>): Promise<string[]> {
    const all = { baseUrl: `${test.service.url}${basePath}`, ...variables };
    const envVar = Object.entries(all).map(([key, value]) => ({ key, value }));
    const executions = await new Promise<NewmanRunExecution[]>((resolve, reject) => {
      newman.run({ collection, environment, envVar, reporters: [] }, (error, { run }) => {
        const failure = error ?? run.failures.find((one) => one.error.name !== 'AssertionError')?.error;
        if (failure) reject(failure);
        else resolve(run.executions);
      });
    });
    return executions.map(({ item, request, response, assertions = [] }) => {
      const type = response.headers.get('content-type') ?? null;
      const operation = operationFor(request.method, request.url.getPath().slice(basePath.length));
      checkAnswer(operation, response.code, type, response.text() ?? '');
      const verdicts = assertions.map(({ error }) => (error ? 'failed' : 'passed'));
      return `${item.name}: ${response.code}, ${verdicts}`;
    });
  }
});

function operationFor(method: string, path: string) {
  const operation = operationOf(method, path);
  if (!operation) throw new Error(`The contract has no operation ${method} ${path}.`);
  return operation;
}
