import { expect } from 'chai';
import { document, isValid } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { credentials, expectRefusal, type JsonSchema, json, samplesWithBody } from './requests.ts';

databases('either');

type Path = (string | number)[];

const values: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  '',
  ' ',
  'text',
  'true',
  '1',
  'x'.repeat(300),
  [],
  [[]],
  [null],
  ['text'],
  {},
  { a: 1 },
  { length: 1 },
];

describe('values of the wrong type', () => {
  const test = useService();

  it('are refused with 400 in every field of every request, and nothing else is refused for its type', async () => {
    const { url } = test.service;
    let refusals = 0;
    for (const { operation, path, body, schema } of samplesWithBody(await setStage(test))) {
      if (!schema) throw new Error(`${operation.operationId} has no schema.`);
      const headers = { ...credentials(operation, test.alice), ...json };
      for (const field of fieldPaths(schema))
        for (const value of values) {
          const changed = withValue(body, field, value);
          const what = `${operation.operationId} ${field.join('.')}=${JSON.stringify(value).slice(0, 20)}`;
          const answer = await send(url, operation.method, path, headers, JSON.stringify(changed));
          if (isValid(schema, changed)) expect(answer.status, `${what}: ${answer.text}`).to.be.oneOf([200, 400]);
          else {
            expectRefusal(what, answer, 400);
            refusals++;
          }
        }
    }
    expect(refusals).to.be.greaterThan(200);
  });
});

/** The path of the body and of every value in it. */
function fieldPaths(schema: JsonSchema): Path[] {
  const resolved: JsonSchema = document.components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
  const inObject = Object.entries(resolved.properties ?? {}).flatMap(([name, property]) =>
    fieldPaths(property).map((rest): Path => [name, ...rest]),
  );
  const inArray = resolved.items ? fieldPaths(resolved.items).map((rest): Path => [0, ...rest]) : [];
  return [[], ...inObject, ...inArray];
}

function withValue(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body)) return body.map((item, index) => (index === key ? withValue(item, rest, value) : item));
  const fields: Record<string, unknown> = Object(body);
  return { ...fields, [key]: withValue(fields[key], rest, value) };
}
