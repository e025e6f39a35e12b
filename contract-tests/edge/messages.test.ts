import { expect } from 'chai';
import fc from 'fast-check';
import { FIELD_MESSAGES, fieldMessage } from '../../core/rules/field-messages.ts';
import { nearMiss } from '../../core/rules/near-miss.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { send } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { breaksOf } from '../properties/breaks.ts';
import { credentials, json, refused, samples, samplesWithBody } from './requests.ts';

/** How Ajv and the engine around it word their findings. */
const RAW =
  /must NOT|must match|must pass|must be (?:string|boolean|integer|number|object|array|equal|[<>])|propert|url encoded|undefined/;

const SEED = 25;

describe('the messages of invalid requests', () => {
  const test = useService();
  const stage = suiteFixture(() => setStage(test));

  it('are never those of the validator, whichever keyword of the contract a body breaks', async () => {
    for (const { operation, path, body, schema } of samplesWithBody(stage))
      for (const { keyword, changes } of breaksOf(schema ?? {})) {
        const [change] = fc.sample(changes, { numRuns: 1, seed: SEED });
        const headers = { ...credentials(operation, test.alice), ...json };
        const faulty = JSON.stringify(change?.(body));
        if (faulty === undefined || faulty === 'null') continue;
        const { text } = await refused(400, test.service.url, operation.method, path, headers, faulty);
        expect(JSON.parse(text).message, `${operation.operationId}: ${keyword}`).to.not.match(RAW);
      }
  });

  it('are never those of the validator where the path or the query is wrong', async () => {
    const faulty = samples(stage).flatMap(({ operation, path }) => [
      ...(path.includes('%40') || path.includes('@')
        ? [{ operation, path: path.replace(/[^/]*(?:%40|@)[^/]*/, 'nobody') }]
        : []),
      ...(path.includes('workspace_id=')
        ? ['', '?workspace_id=', '?workspace_id=7', '?workspace_id=a:b'].map((query) => ({
            operation,
            path: path.replace(/\?.*/, query),
          }))
        : []),
    ]);
    expect(faulty).to.have.lengthOf.at.least(5);
    for (const { operation, path } of faulty) {
      const headers = { ...credentials(operation, test.alice), ...json };
      const body = operation.method === 'PATCH' ? '{"name":"A"}' : undefined;
      const { text } = await refused(400, test.service.url, operation.method, path, headers, body);
      expect(JSON.parse(text).message, path).to.not.match(RAW);
    }
  });

  it('name the field of the contract that a misspelt one was probably meant to be', async () => {
    const ask = async (body: object) => {
      const headers = { authorization: `Bearer ${test.alice.token}`, ...json };
      const path = '/api/v1/applications/create-application';
      return JSON.parse((await send(test.service.url, 'POST', path, headers, JSON.stringify(body))).text).message;
    };
    const email = 'mara.lindt@mail.example';
    for (const misspelt of ['isLead', 'is_leed', 'is_laed', 'IS_LEAD'])
      expect(await ask({ title: 'T', tenants: [{ email, [misspelt]: true }] })).to.include(
        `tenants.0.${misspelt}: is not a field of this request. Did you mean \`is_lead\`?`,
      );
    for (const other of ['name', 'x', 'a/b', 'is_lead'.repeat(2000)])
      expect(await ask({ title: 'T', tenants: [{ email, is_lead: true, [other]: true }] })).to.not.include(
        'Did you mean',
      );
  });

  it('say of an unknown path where the operations are listed', async () => {
    for (const path of ['/nothing', '/api/v1/aplications']) {
      const { text } = await refused(404, test.service.url, 'GET', path);
      expect(JSON.parse(text).message).to.equal('Path not found. GET /openapi.yaml lists the operations.');
    }
    expect((await send(test.service.url, 'GET', '/openapi.yaml')).status).to.equal(200);
  });

  it('come from one table, and each is the end of a sentence', () => {
    for (const [keyword, message] of Object.entries(FIELD_MESSAGES))
      expect(message('2'), keyword).to.match(/^(?:is|must) .*[^.]$/);
    expect(fieldMessage('keywordOfTomorrow', 'must NOT be odd')).to.equal('is not valid');
  });

  it('suggest a name for one or two slips, and none for another name', () => {
    const known = ['title', 'tenants', 'url'];
    expect(['titel', 'Title', 'tennants', 'uri'].map((name) => nearMiss(name, known))).to.deep.equal([
      'title',
      'title',
      'tenants',
      'url',
    ]);
    expect(['til', 'u', 'events', ''].map((name) => nearMiss(name, known))).to.deep.equal(Array(4).fill(undefined));
  });
});
