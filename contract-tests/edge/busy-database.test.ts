import { expect } from 'chai';
import { operations } from '../../harness/contract/contract.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { described } from '../../harness/process/failures.ts';
import { send } from '../../harness/service/client.ts';
import { invitationPath, look, submit } from '../../harness/service/links.ts';
import { startTestService } from '../../harness/service/service.ts';
import { setStage } from '../../harness/service/stage.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { credentials, expectRefusal, json, samples, tableOf } from './requests.ts';

databases('postgres');

const SOON = { DATABASE_LOCK_SECONDS: '1', DATABASE_QUERY_SECONDS: '3', DATABASE_TURN_SECONDS: '20' };
/** For the transaction that is in the way. */
const PATIENT = { DATABASE_IDLE_SECONDS: '600' };

describe('a request for which the database has no time', () => {
  const test = suiteFixture(() => startTestService({ ...CONSOLE, ...SOON, ...PATIENT, RUN_WORKERS: 'false' }));
  const stage = suiteFixture(() => setStage(test));
  let invitation: string;
  let operator: OperatorBrowser;
  /** The answers, with what was logged about them. */
  const told: string[] = [];

  before(async () => {
    const tenants = ['lead', 'guest'].map((name) => ({ email: `${name}@mail.example`, is_lead: name === 'lead' }));
    const { data } = await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } });
    invitation = await invitationPath(test, data.application_id, 'guest@mail.example');
    operator = await OperatorBrowser.signIn(test, 'viewer');
  });

  async function whileLocked<Result>(tables: readonly string[], work: () => Promise<Result>): Promise<Result> {
    return test.service.runtime.db.transaction(async (holder) => {
      await holder.raw(`lock table ${tables.join(', ')} in access exclusive mode`);
      return work();
    });
  }

  for (const table of new Set(operations.map(({ operationId }) => tableOf(operationId)))) {
    const names = operations.map(({ operationId }) => operationId).filter((name) => tableOf(name) === table);
    it(`is answered with 503 and when to try again: ${names.join(', ')}`, async () => {
      const asked = samples(stage).filter(({ operation }) => names.includes(operation.operationId));
      const ask = ({ operation, path, body }: (typeof asked)[number]) => {
        const headers = { ...credentials(operation, test.alice), ...json };
        return send(test.service.url, operation.method, path, headers, body === undefined ? '' : JSON.stringify(body));
      };
      const answers = await whileLocked([table], () => Promise.all(asked.map(ask)));
      for (const [at, answer] of answers.entries()) {
        expectRefusal(names[at] ?? '', answer, 503);
        expect(answer.headers['retry-after']).to.equal('1');
        expect(JSON.parse(answer.text).message).to.equal('The service is busy. Try again in a moment.');
      }
      told.push(...answers.map(described));
      for (const sample of asked) expect((await ask(sample)).status).to.equal(200);
    });
  }

  it('is answered with a page that tries again, for people and operators alike', async () => {
    const [page, form, overview] = await whileLocked(['participants', 'console_sessions'], () =>
      Promise.all([look(test, invitation), submit(test, invitation, { answer: 'accept' }), operator.open('/')]),
    );
    for (const { status, headers } of [page, form]) {
      expect(status).to.equal(503);
      expect(headers['retry-after']).to.equal('1');
      expect(headers['content-type']).to.match(/^text\/html/);
    }
    expect(overview.status).to.equal(503);
    expect(overview.headers.get('retry-after')).to.equal('1');
    expect((await look(test, invitation)).status).to.equal(200);
  });

  it('is logged with its reason, in at most one line a second', () => {
    expect(told.join('\n')).to.match(/because of error: .*canceling statement/);
  });
});
