import { mkdir } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { barriersOn, COLOUR_RULES, described } from '../../harness/browser/axe.ts';
import { launchBrowser, type TestBrowser, visit } from '../../harness/browser/browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { addTestMember } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { requestReport, shareReport } from '../../jobs/reports/reports.ts';
import { raisedPayslip } from '../documents/raised-payslip.ts';

databases('either', 'nightly');

/** Widths of phones, a tablet and a desktop. */
const WIDTHS = [320, 390, 768, 1280];
/** The folder for screenshots of the pages, for review. */
const PICTURES = process.env['REPORT_PICTURES'];
const BY = { scope: ALL_LANDLORDS, actor: { kind: 'operator', id: 'the test' }, viewer: 'Herr Müller' } as const;

describe('the pages of a report about a person with a bank and a changed payslip', () => {
  const test = useService();
  let chromium: TestBrowser;
  let page: Page;
  let problems: string[];
  const places: Record<string, string> = {};

  before(async function () {
    this.timeout(300_000);
    const { runtime, url } = test.service;
    const { db } = runtime;
    const person = await BankPerson.of(test, 'marta+kyc-verified@mail.example');
    const body = new FormData();
    body.append('type', 'payslip');
    body.append('file', new Blob([new Uint8Array(raisedPayslip('Marta Ruiz'))]), 'payslip-2024-05.pdf');
    await fetch(`${url}${person.link}/documents`, { method: 'POST', body });
    await person.handOver('salary');
    const tenant = await db('tenants').where({ email: person.email }).first();
    await test.alice.ok('initiateKyc', { params: { tenantId: tenant?.id ?? '' } });
    const analysed = () => db('forensic_runs').whereNotNull('result').whereNotNull('sealed_claims').first();
    await eventually('the documents were analysed', async () => (await analysed()) !== undefined);
    const application = (await db('participants').where({ email: person.email }).first())?.application_id ?? '';
    const report = await requestReport(runtime, application, 'de', { ...BY, viewer: 'Ana Ruiz' });
    const reach = (id: string) =>
      eventually('the report', async () => (await db('reports').where({ id }).first())?.status === 'completed');
    await reach(report);
    const shared = await shareReport(runtime, report, 14, BY);
    await reach(shared.id);
    const early = await shareReport(runtime, report, 14, BY);
    await db('reports').where({ id: early.id }).update({ status: 'pending', sealed_content: null, pages: null });
    Object.assign(places, {
      shared: `/report/shared/${shared.token}`,
      preparing: `/report/shared/${early.token}`,
      gone: `/report/shared/${'a'.repeat(43)}`,
      verify: '/report/verify',
      'verify-known': `/report/verify?report=${report}`,
      'verify-unknown': '/report/verify?report=none',
      income: `/desk/applications/${application}/income`,
      copy: `/desk/reports/${shared.id}`,
      content: `/desk/reports/${report}/page`,
    });
    chromium = await launchBrowser();
    const { link } = await addTestMember(test, 'admin', { landlordId: test.landlords.ours, name: 'Ana Ruiz' });
    ({ page, problems } = await visit(chromium.browser, link, [url], { reducedMotion: 'reduce', locale: 'de' }));
    await page.locator('main form button').click();
    await page.getByRole('heading', { name: 'Übersicht' }).waitFor();
    if (PICTURES) await mkdir(PICTURES, { recursive: true });
  });
  after(() => chromium?.stop());

  const names = [
    'shared',
    'preparing',
    'gone',
    'verify',
    'verify-known',
    'verify-unknown',
    'income',
    'copy',
    'content',
  ];
  for (const name of names)
    it(`are accessible in light and dark mode, and fit phones and desktops: ${name}`, async () => {
      problems.length = 0;
      await page.goto(`${test.service.url}${places[name]}`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const barriers = await barriersOn(page, colorScheme === 'dark' ? { rules: COLOUR_RULES } : {});
        expect(described(barriers), colorScheme).to.deep.equal([]);
        if (PICTURES)
          for (const width of [390, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true });
          }
      }
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const surplus = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(surplus, `pixels beyond a width of ${width}`).to.be.at.most(0);
      }
      expect(await page.locator('h1').count()).to.equal(1);
      if (!['gone', 'verify-unknown'].includes(name)) expect(problems).to.deep.equal([]);
    });
});
