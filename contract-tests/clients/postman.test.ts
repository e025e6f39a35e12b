import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { checkAnswer, operationOf, operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

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

  it('comes with an environment that names its variables and holds no secret', () => {
    const values: { key: string; value: string }[] = environment.values;
    const filled = values.filter(({ value }) => value !== '').map(({ key }) => key);
    expect(values.map(({ key }) => key)).to.have.members(['baseUrl', 'clientId', 'clientSecret', 'property_id']);
    expect(filled).to.deep.equal(['baseUrl']);
  });
});

function operationFor(method: string, path: string) {
  const operation = operationOf(method, path);
  if (!operation) throw new Error(`The contract has no operation ${method} ${path}.`);
  return operation;
}
