import { expect } from 'chai';
import { jobNames } from '../../bin/service/kinds.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { samplesOf } from '../../harness/monitoring/metrics.ts';
import { until } from '../../harness/process/until.ts';
import { addHook, emitTestEvent } from '../../harness/service/deliveries.ts';
import { useService } from '../../harness/service/service.ts';
import { measured } from '../../http/operators/measured.ts';

databases('both');

const SECRET = 'whsec_TWV0cmljcyBjb3VudCB3aGF0IGhhcHBlbmVkLCBhbmQ=';
const ID = /[0-9a-f]{8}-[0-9a-f]{4}|@|whsec|\d{6}/;

const LABELS = [
  'operation',
  'status',
  'kind',
  'outcome',
  'part',
  'state',
  'le',
  'space',
  'type',
  'resource',
  'condition',
];

describe('the metrics for operators', () => {
  const test = useService({ OPS_PORT: '0' });
  suiteFixture(() => addHook(test.alice, SECRET));
  const samples = () => samplesOf(test.service.operatorsUrl);

  it('count requests by operation and status, and jobs, deliveries and analysed documents by outcome', async () => {
    await test.alice.call('getApplication', { params: { applicationId: 'none' } });
    await fetch(`${test.service.url}/nowhere`);
    const tenant = await test.tenant('metrics+kyc-verified@mail.example', { documents: 1, of: test.alice });
    await emitTestEvent(test, tenant.id);
    await test.alice.ok('initiateKyc', { params: { tenantId: tenant.id } });
    const found = await until('all is counted', async () => {
      const { value } = await samples();
      const counts = {
        unknown: value('screening_request_duration_seconds_count', { operation: 'getApplication', status: '404' }),
        created: value('screening_request_duration_seconds_count', { operation: 'createApplication', status: '200' }),
        other: value('screening_request_duration_seconds_count', { operation: 'other', status: '404' }),
        run: value('screening_job_duration_seconds_count', { kind: 'run-forensic', outcome: 'completed' }),
        analysed: value('screening_forensic_duration_seconds_count'),
        delivered: value('screening_delivery_attempts_total', { outcome: 'success' }),
      };
      return Object.values(counts).every((count) => count > 0) && counts;
    });
    expect(found).to.include({ unknown: 1, created: 1, other: 1 });
  });

  it('show what waits, by kind, and the overall state', async () => {
    // While the database does not answer in time, it counts as down, and the metrics that need it are missing.
    const { value } = await until('the database answered', async () => {
      const found = await samples();
      return found.value('screening_database_up') === 1 && found.value('screening_webhooks_paused') >= 0 && found;
    });
    for (const kind of jobNames) {
      expect(value('screening_jobs_waiting', { kind }), kind).to.be.at.least(0);
      expect(value('screening_oldest_due_seconds', { kind }), kind).to.be.at.least(0);
    }
    expect(value('screening_webhooks_paused')).to.equal(0);
    expect(value('screening_last_backup_age_seconds')).to.equal(Number.POSITIVE_INFINITY);
    expect(Math.abs(value('screening_clock_skew_seconds'))).to.be.below(1);
    expect(value('screening_pool_connections')).to.be.above(0);
    expect(value('nodejs_eventloop_lag_p99_seconds')).to.be.at.least(0);
  });

  it('are collected once for concurrent scrapes', async () => {
    const scrape = async () => (await fetch(`${test.service.operatorsUrl}/metrics`)).text();
    const texts = await Promise.all(Array.from({ length: 100 }, scrape));
    // Each collection reads the clocks and sizes of the process; a busy machine may take seconds for all.
    expect(new Set(texts).size).to.be.below(10);
  });

  it('have labels with few values, and no ids or addresses', async () => {
    const { all } = await samples();
    for (const { name, labels } of all)
      for (const [label, text] of Object.entries(labels)) {
        if (name === 'nodejs_version_info') continue;
        expect(text, `${label} of ${name}`).to.not.match(ID);
        expect(LABELS).to.include(label);
      }
  });
});

describe('a measurement shared by all who ask', () => {
  it('runs once at a time, times out for all together, and its result serves late callers for a while', async () => {
    let runs = 0;
    let { promise, resolve } = Promise.withResolvers<number>();
    const ask = measured(
      () => {
        runs++;
        return promise;
      },
      { freshMs: 0, waitMs: 100, staleMs: 600_000 },
    );
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal([undefined, undefined, undefined]);
    expect(await ask()).to.equal(undefined);
    expect(runs).to.equal(1);
    resolve(1);
    expect(await until('it is measured', () => ask())).to.equal(1);
    ({ promise, resolve } = Promise.withResolvers<number>());
    expect(await ask(), 'while the next is late').to.equal(1);
    resolve(2);
    await until('it is measured again', async () => (await ask()) === 2);
  });
});
