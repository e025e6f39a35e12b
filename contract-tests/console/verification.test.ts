import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { settingsOf } from '../../harness/database/databases.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { until } from '../../harness/process/until.ts';
import { startTestService, useService } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from './operators.ts';

databases('either');

const SETTINGS = { ...CONSOLE, RUN_WORKERS: 'false' };

describe('a verification of the audit log, with two processes that serve the console', () => {
  const test = useService(SETTINGS);
  const other = suiteFixture(() =>
    startTestService({ ...SETTINGS, ...settingsOf(test.config.database), DATA_DIR: test.folder }),
  );
  const [here, there] = [test, other].map((one) => suiteFixture(() => OperatorBrowser.signIn(one, 'operator')));
  const db = () => test.service.runtime.db;
  const auditLog = async (operator: OperatorBrowser | undefined) =>
    readable((await operator?.open('/audit'))?.text ?? expect.fail('no operator'));

  it('is shown by both, whichever started it', async () => {
    expect(await auditLog(there)).to.not.include('Started by');
    expect((await here?.act('/audit'))?.status).to.equal(303);
    await until('the verification has ended', async () => (await auditLog(there)).includes('The audit log holds'));
    expect(await auditLog(there)).to.include(`Started by ${here?.name}`);
    expect(await auditLog(here)).to.include('The audit log holds');
  });

  it('runs once across processes: a second one is refused until a minute passes without a heartbeat from the first', async () => {
    const seen_at = new Date();
    const going = { ended_at: null, verdict: null, done: 1_200, total: 5_000, seen_at: seen_at.toISOString() };
    await db()('audit_verifications').update(going);
    expect(await auditLog(there)).to.include('1,200 of 5,000 entries');
    const refused = await there?.act('/audit');
    expect(refused?.status).to.equal(409);
    expect(readable(refused?.text ?? '')).to.include('is being verified');
    await db()('audit_verifications').update({ seen_at: new Date(seen_at.getTime() - 61_000).toISOString() });
    expect(await auditLog(there)).to.include('The process that verified the chain ended');
    expect((await there?.act('/audit'))?.status).to.equal(303);
    await until('the verification has ended', async () => (await auditLog(here)).includes('The audit log holds'));
    expect(await auditLog(here)).to.include(`Started by ${there?.name}`);
  });
});
