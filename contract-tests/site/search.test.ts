import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { barriersOn, described } from '../../harness/browser/axe.ts';

import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { REFERENCE } from '../../site/addresses.ts';
import { readArticles } from '../../site/articles.ts';
import { buildSite } from '../../site/build.ts';
import { AUDIENCES } from '../../site/catalogue.ts';
import { readSiteContract } from '../../site/contract.ts';
import { linkFaults } from '../../site/links.ts';
import { type SearchRecord, searchRecords } from '../../site/search/search.ts';
import { desktop, openSite, phone } from './opened-site.ts';

databases('sqlite', 'nightly');

/** A query, and the start of the first result's address. */
const QUESTIONS: [string, string][] = [
  ['verify signature by hand', 'webhooks-by-hand.html'],
  ['tenants: exactly one tenant must have is_lead true', 'error-list.html#createapplication'],
  ['list workspaces', `${REFERENCE}#tag/property-management/listWorkspaces`],
  ['create-webhook', `${REFERENCE}#tag/webhooks/createWebhook`],
  ['FORENSIC_ANALYSIS_DATA', `${REFERENCE}#tag/events/webhook/FORENSIC_ANALYSIS_DATA`],
  ['lead-removal-status', 'open-points.html#lead-removal-status'],
  ['dredd', 'contract-tests.html'],
  ['polling', 'polling.html'],
  ['rate limit', 'open-points.html#rate-limits'],
  ['maximum size payload', 'limits.html'],
  ['postman', 'clients.html'],
  ['going live', 'going-live.html'],
  ['schemathesis', 'contract-tests.html'],
  ['singature libary', 'webhooks.html'],
  ['cors browser', 'errors.html#in-a-browser'],
  ['cancel verification', 'life-cycle.html#verification'],
  ['upload documents', 'life-cycle.html#the-analysis-starts-automatically'],
];

/**
 * Questions that integrators of similar APIs (Stripe, Persona, Svix, Checkr, Signicat) asked in public: where, the words to search, and
 * the start of the address of one of the first three results, whose text has the answer.
 */
const PUBLIC_QUESTIONS: { question: string; asked: string; words: string; page: string; answer: string }[] = [
  {
    question: 'Why does no signature match in Express?',
    asked: 'github.com/stripe/stripe-node/issues/1254',
    words: 'express signature raw body',
    page: 'webhooks.html',
    answer: 'express.raw(',
  },
  {
    question: 'How do I cause a verified event on my machine?',
    asked: 'github.com/stripe/stripe-cli/issues/704',
    words: 'trigger verified event',
    page: 'sandbox.html',
    answer: '+kyc-verified',
  },
  {
    question: 'How do I tell a retry from a new event?',
    asked: 'github.com/documenso/documenso/issues/3204',
    words: 'deduplicate retries',
    page: 'webhooks.html#when-deliveries-are-repeated',
    answer: 'deduplicate by webhook-id',
  },
  {
    question: 'How long is the old secret valid after a rotation?',
    asked: 'github.com/resend/resend-openapi/pull/113',
    words: 'rotate secret grace period',
    page: 'webhooks.html#changing-the-secret',
    answer: 'both secrets sign for a day',
  },
  {
    question: 'Must my page grant the iframe the camera?',
    asked: 'docs.withpersona.com/docs/embedded-flow-security',
    words: 'iframe camera permission',
    page: 'kyc-iframe.html#permissions-checklist',
    answer: 'asks for the camera itself',
  },
  {
    question: 'Do events arrive in order?',
    asked: 'docs.withpersona.com/docs/webhooks',
    words: 'webhook order of events',
    page: 'webhooks.html#when-deliveries-are-repeated',
    answer: 'order of events is not guaranteed',
  },
  {
    question: 'From which IP addresses do webhooks come?',
    asked: 'groups.google.com/a/lists.stripe.com/d/msg/api-announce/LweM1XqmREY/9wora3oPPvEJ',
    words: 'webhook ip addresses allow-list',
    page: 'webhooks.html',
    answer: 'no fixed IP addresses',
  },
  {
    question: 'How large is the tolerance, if you have a bad clock?',
    asked: 'github.com/svix/svix-webhooks/issues/93',
    words: 'clock drift tolerance timestamp',
    page: 'limits.html#webhooks',
    answer: 'Five minutes',
  },
  {
    question: 'Where does the person end who aborts at the national eID?',
    asked: 'developer.signicat.com/identity-methods/id-austria/integration/protocols/authentication-rest-api/',
    words: 'eid abort error callback url',
    page: 'eid.html',
    answer: 'cancel',
  },
  {
    question: 'How do I get what I missed while my endpoint was down?',
    asked: 'github.com/liveblocks/liveblocks/pull/574',
    words: 'endpoint down resend missed',
    page: 'webhooks.html#when-deliveries-are-repeated',
    answer: 'send again what you missed',
  },
  {
    question: 'How long does a webhook wait before it times out?',
    asked: 'support.stripe.com/questions/webhooks-how-to-investigate-and-fix-timed-out',
    words: 'webhook timeout',
    page: 'limits.html#webhooks',
    answer: '15 seconds',
  },
  {
    question: 'With which key is the webhook of Checkr verified?',
    asked: 'github.com/NangoHQ/nango/pull/2516',
    words: 'webhook signature key',
    page: 'webhooks-by-hand.html',
    answer: 'The decoded bytes after whsec_',
  },
  {
    question: 'How do we get background check status?',
    asked: 'github.com/planningcenter/developers/issues/1046',
    words: 'check status polling',
    page: 'polling.html',
    answer: 'processing_status',
  },
];

describe('the site search', () => {
  const opened = suiteFixture(() => openSite());

  it('covers guides, operations, events, errors and open points, each audience’s own, and each result leads to its place', async () => {
    const contract = readSiteContract();
    const articles = await readArticles(contract);
    const [forIntegrators, forOperators] = AUDIENCES.map((audience) => searchRecords(audience, articles, contract));
    const areasOf = (records: SearchRecord[] = []) => new Set(records.map(({ area }) => area));
    expect(areasOf(forIntegrators)).to.have.keys([
      ...['Start', 'Verify', 'Webhooks', 'Production'],
      ...['Open points', 'Changelog', 'Reference', 'Events', 'Errors'],
    ]);
    expect(areasOf(forOperators)).to.have.keys(['Set up', 'Run', 'Serve', 'Look up']);
    const records = [...(forIntegrators ?? []), ...(forOperators ?? [])];
    const links = records.map(({ address }) => `<a href="${address}"></a>`).join('');
    const { files } = await buildSite();
    files.set('results.html', { mediaType: 'text/html', content: Buffer.from(links) });
    expect(linkFaults(files, contract, [])).to.deep.equal([]);
  });

  it('loads less than 300 kB, and nothing until it is opened', async () => {
    const { files } = await buildSite();
    const bytes = ['minisearch.js', 'search-integrators.js'].map(
      (name) => files.get(`assets/${name}`)?.content.length ?? 0,
    );
    expect(Math.min(...bytes)).to.be.above(50_000);
    expect(bytes.reduce((sum, size) => sum + size)).to.be.below(300_000);
    const { page, problems } = await opened.open(opened.served, 'webhooks.html');
    expect(await page.locator('script[src$="search-integrators.js"]').count()).to.equal(0);
    await ask(page, 'signature');
    expect(await page.locator('script[src$="search-integrators.js"]').count()).to.equal(1);
    expect(await page.locator('script[src$="search-operators.js"]').count()).to.equal(0);
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  for (const place of ['disk', 'served'] as const)
    it(`answers from ${place === 'disk' ? 'a folder, offline,' : 'the service'} with guides, errors and reference in one list`, async () => {
      const { page, problems } = await opened.open(opened[place], 'index.html');
      await page.keyboard.press('/');
      for (const [words, address] of QUESTIONS) {
        await ask(page, words);
        const found = await page.locator('[role="option"]').first().getAttribute('href');
        expect(found?.startsWith(opened[place] + address), `${words}: ${found}`).to.equal(true);
      }
      expect(problems).to.deep.equal([]);
      await page.context().close();
    });

  for (const { question, asked, words, page: start, answer } of PUBLIC_QUESTIONS)
    it(`answers at once what is asked in public: ${question} (${asked})`, async () => {
      const { page } = await opened.open(opened.disk, 'index.html');
      await ask(page, words);
      const found = await page
        .locator('[role="option"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      const first = found.slice(0, 3).find((address) => address?.startsWith(opened.disk + start));
      expect(first, found.slice(0, 3).join(' ')).to.be.a('string');
      await page.goto(String(first));
      expect((await page.locator('main').innerText()).replaceAll(/\s+/g, ' ')).to.include(answer);
      await page.context().close();
    });

  it('searches an operator’s page for operators, and the other pages when asked to', async () => {
    const { page, problems } = await opened.open(opened.disk, 'operate.html');
    const first = () => page.locator('[role="option"]').first().getAttribute('href');
    await ask(page, 'back up postgres');
    expect(await first()).to.include('operate-back-up.html');
    await page.getByRole('radio', { name: 'Integration' }).check();
    await ask(page, 'raw body express');
    await page.locator('[role="option"][href*="operate"]').waitFor({ state: 'detached' });
    expect(await first()).to.match(/(limits|webhooks)[.]html/);
    expect(problems).to.deep.equal([]);
    await page.context().close();
  });

  it('works by keyboard: a slash opens it, arrows choose, Enter goes there, Escape closes it and returns the focus', async () => {
    const { page } = await opened.open(opened.disk, 'webhooks.html');
    const dialog = page.getByRole('dialog', { name: 'Search' });
    await page.locator('.search-button').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('GET/');
    expect(await page.getByRole('combobox').inputValue(), 'in the box, a slash is a slash').to.equal('GET/');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).to.equal(false);
    expect(await page.evaluate('document.activeElement.className')).to.equal('search-button');
    await ask(page, 'errors');
    const chosen = () => page.evaluate<string>(ACTIVE);
    const first = await chosen();
    await page.keyboard.press('ArrowDown');
    const second = await chosen();
    expect(second).to.not.equal(first);
    await page.keyboard.press('ArrowUp');
    expect(await chosen()).to.equal(first);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(second);
    await page.context().close();
  });

  it('navigates within the reference, whose own search it replaces', async () => {
    const { page } = await opened.open(opened.disk, REFERENCE);
    await ask(page, 'run a forensic analysis');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#tag\/tenants\/runForensic$/);
    expect(await page.getByRole('dialog', { name: 'Search' }).isVisible()).to.equal(false);
    expect(
      await page
        .locator('#reference')
        .getByRole('button', { name: /search/i })
        .count(),
    ).to.equal(0);
    await page.context().close();
  });

  it('fills a phone’s screen, where a tap opens it and follows a result', async () => {
    const { page } = await opened.open(opened.served, 'index.html', { ...phone, hasTouch: true });
    await page.locator('.search-button').tap();
    await ask(page, 'list workspaces');
    expect(await page.locator('dialog.search').boundingBox()).to.deep.equal({ x: 0, y: 0, ...phone.viewport });
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
    await page.locator('[role="option"]').first().tap();
    await page.waitForURL(/listWorkspaces$/);
    await page.context().close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`passes axe, ${colorScheme}, with results and without`, async () => {
      const { page } = await opened.open(opened.disk, 'errors.html', { ...desktop, colorScheme });
      for (const words of ['token', 'qqqqqqqq']) {
        await ask(page, words);
        expect(described(await barriersOn(page, { within: 'dialog' })), words).to.deep.equal([]);
      }
      expect(await page.locator('dialog [role="status"]').innerText()).to.match(/^Nothing found for “qqqqqqqq”/);
      await page.context().close();
    });
});

/** The address of the result that Enter would follow. */
const ACTIVE = `document.getElementById(document.querySelector('.search input').getAttribute('aria-activedescendant')).href`;

/** Types into the search, opening it where it is closed, and waits for its answer. */
async function ask(page: Page, words: string): Promise<void> {
  if (!(await page.locator('dialog.search').isVisible())) await page.keyboard.press('/');
  await page.getByRole('combobox').fill(words);
  // Not waitForFunction: its second look needs `eval`, which the pages' policy forbids.
  await page.locator('.search [role="status"]', { hasText: /./ }).waitFor({ state: 'attached' });
}
