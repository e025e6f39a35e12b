import { expect } from 'chai';
import { applicationOfFiftyPages, MAX_SECONDS, MIN_PAGES } from '../../bench/fifty-pages.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import { useService } from '../../harness/service/service.ts';
import { requestReport } from '../../jobs/reports/reports.ts';

databases('either', 'nightly');

describe('a report of fifty pages', () => {
  const test = useService();

  it(`is made in the background in less than ${MAX_SECONDS} s, and notes each document as it is done`, async function () {
    this.timeout(600_000);
    const { runtime } = test.service;
    const application = await applicationOfFiftyPages(test);
    const by = { scope: ALL_LANDLORDS, actor: { kind: 'operator', id: 'the test' }, viewer: 'Ana Ruiz' } as const;
    const id = await requestReport(runtime, application, 'de', by);
    const row = await eventually('the report', async () => {
      const report = await runtime.db('reports').where({ id }).first();
      return report?.status === 'pending' ? undefined : report;
    });
    expect(row.status).to.equal('completed');
    expect(row.pages).to.be.at.least(MIN_PAGES);
    const documents = (await runtime.db('documents').select('id')).length;
    // Each document is a step, and the file the last one.
    expect([row.done, row.total]).to.deep.equal([documents, documents + 1]);
    expect(Date.parse(row.finished_at ?? '') - Date.parse(row.created_at)).to.be.below(MAX_SECONDS * 1_000);
  });
});
