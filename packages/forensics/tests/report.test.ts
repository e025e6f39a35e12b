import { expect } from 'chai';
import type { Page } from 'playwright-core';
import stringWidth from 'string-width';
import { barriersOn, described } from '../../../harness/browser/axe.ts';
import { launchBrowser } from '../../../harness/browser/browser.ts';
import { suiteFixture } from '../../../harness/mocha/fixtures.ts';
import { htmlReport } from '../report/html.ts';
import { textReport } from '../report/text.ts';
import { analysed, blankPreview, check, found, HOSTILE, sample, samplePreviews } from './fixtures/sample-analysis.ts';

const undressed = { paint: (_: string, text: string) => text };
const textOf = (documents = sample.documents, columns = 80) =>
  textReport({ ...sample, documents }, { columns, ...undressed });
const madeAt = new Date('2026-04-02T09:41:00Z');
const htmlOf = (documents = sample.documents, previews = samplePreviews) =>
  htmlReport({ ...sample, documents }, { previews, madeAt });
const named = (name: string) => sample.documents.filter((document) => document.name === name);
/** Removes the layout's line breaks. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

describe('the report of an analysis as text', () => {
  it('states outcome, its basis, what to do, the facts, and each finding with its values', () => {
    const text = flat(textOf(named('payslip-2026-03.pdf')));
    for (const told of [
      'TAMPERED There are strong signs that the document was changed. This rests on “Revised text”.',
      'Ask for the original',
      'PDF, 2 pages, 48.2 kB',
      'iText 2.1.7 by 1T3XT',
      '9f2c'.repeat(16),
      '1 STRONG · Revised text The net pay on page 1 read 1.250,00 in an earlier version of the file and reads 2.850,00 now.',
      'how the file is built · revised-text v1',
      'page 1 1.250,00 → 2.850,00 bytes: 40,112 to 40,208',
      '2 medium · Metadata contradiction',
      'created at: 2026-03-01 · days between: 3',
      'For your information 3 context · Hidden text Page 2 holds',
    ])
      expect(text).to.include(told);
  });

  it('states which checks found nothing, which could not run and why, and which had nothing to check', () => {
    const text = flat(textOf(named('payslip-2026-03.pdf')));
    expect(text).to.include('Ran, and found nothing (2) Payslip arithmetic · Iban check digits');
    expect(text).to.include(
      'Could not run (2) Covered text: Page 2 cannot be drawn. Font outlier: The check itself failed.',
    );
    expect(text).to.include('Had nothing to look at (2) Digital signatures: The file is not signed.');
  });

  it('never calls a document genuine', () => {
    const [clean] = named('statement-2026-02.pdf');
    const text = flat(textOf(clean ? [clean] : []));
    expect(text).to.include('NO FINDING Nothing was found. That does not show that the document is genuine.');
    const [before, after] = text.split('does not show that the document is genuine');
    expect(`${before}${after}`).to.not.match(/genuine|authentic|valid|passed|trust|safe/i);
  });

  it('explains what medium findings of two kinds add up to, and of one kind', () => {
    expect(flat(textOf(named('statement.pdf')))).to.match(
      /This rests on “[^”]+” and “[^”]+”: findings of different kinds, how the file is built and what it says\./,
    );
    expect(flat(textOf(named('identity-card.jpg')))).to.include('What was found is of one kind: the picture.');
    expect(flat(textOf(named('contract.pdf')))).to.match(
      /INCONCLUSIVE .*The file is encrypted: it asks for a password\./,
    );
  });

  it('opens with a summary for several documents, and without one for a single document', () => {
    expect(textOf()).to.match(
      /^6 documents: 2 tampered, 1 suspicious, 1 inconclusive, 2 no finding\n {2}TAMPERED +payslip/,
    );
    const shuffled = [...named('contract.pdf'), ...named('identity-card.jpg'), ...named('statement.pdf')];
    expect(textOf(shuffled), 'the gravest first').to.match(
      /\n {2}TAMPERED +statement.*\n {2}SUSPICIOUS .*\n {2}INCONCLUSIVE /,
    );
    expect(htmlOf(shuffled)).to.match(/href="#d3">.*statement\.pdf.*href="#d2">.*href="#d1">/s);
    expect(textOf(named('contract.pdf'))).to.match(/^── contract\.pdf ─+\nINCONCLUSIVE/);
  });

  it('fits a terminal of any width, whatever the texts are', () => {
    const wide = analysed('漢字'.repeat(60), [
      check(
        'revised-text',
        'strong',
        'structure',
        found('strong', { message: '漢字'.repeat(300), evidence: [{ before: '1', after: '漢' }] }),
      ),
    ]);
    for (const columns of [40, 80, 100, 200])
      for (const line of textOf([...sample.documents, wide], columns).split('\n'))
        expect(stringWidth(line), line).to.be.at.most(Math.min(columns, 100));
  });

  it('escapes control and format characters, so that no document controls the terminal', () => {
    const text = textOf();
    expect(text.replaceAll('\n', '')).to.not.match(/[\p{Cc}\p{Cf}]/u);
    expect(text).to.include('<script>alert(1)</script>\\u{1b}[31m\\u{202e}evil\\u{7}');
  });

  it('counts the omitted places', () => {
    const evidence = Array.from({ length: 20 }, (_, index) => ({ page: index + 1, before: 'a', after: 'b' }));
    const crowded = check('revised-text', 'strong', 'structure', found('strong', { message: 'Much.', evidence }));
    for (const finding of crowded.findings ?? []) finding.more = 5;
    expect(textOf([analysed('a.pdf', [crowded])])).to.include('and 20 more places');
    expect(htmlOf([analysed('a.pdf', [crowded])])).to.include('and 13 more places');
  });
});

describe('the report of an analysis as a page', () => {
  const chromium = suiteFixture(() => launchBrowser());

  async function opened(html: string, look: { width: number; colorScheme: 'light' | 'dark' }) {
    const { width: columns, colorScheme } = look;
    const context = await chromium.browser.newContext({ viewport: { width: columns, height: 900 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', ({ message }) => problems.push(message));
    page.on('console', (message) => problems.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) problems.push(request.url());
    });
    page.on('dialog', (dialog) => problems.push(dialog.message()));
    await page.setContent(html);
    return { page, problems, close: () => context.close() };
  }

  it('loads nothing, runs nothing, fits a phone and a desktop, and is accessible, in light and in dark', async () => {
    const few = [...named('payslip-2026-03.pdf'), ...named('identity-card.jpg'), ...sample.documents.slice(-1)];
    for (const { documents, ...look } of [
      { width: 1440, colorScheme: 'light' as const, documents: sample.documents },
      { width: 390, colorScheme: 'dark' as const, documents: few },
    ]) {
      const { page, problems, close } = await opened(htmlOf(documents), look);
      expect(described(await barriersOn(page))).to.deep.equal([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).to.be.at.most(0);
      expect(
        await page.evaluate('getComputedStyle(document.querySelector(".verdict")).borderTopStyle'),
        'its style',
      ).to.equal('solid');
      expect(problems).to.deep.equal([]);
      await close();
    }
  });

  it('marks each place of a finding, with a number that links to the finding', async () => {
    const { page, close } = await opened(htmlOf(named('payslip-2026-03.pdf')), { width: 1440, colorScheme: 'light' });
    const place = await placeOnPage(page, '#d1p1', '.mark.strong');
    // The page is 595 by 842 points: the amount is at 430, 318 and measures 52 by 11, with a margin of 3 points on each side.
    expect(place.x * 595).to.be.closeTo(427, 3);
    expect(place.y * 842).to.be.closeTo(315, 3);
    expect(place.width * 595).to.be.closeTo(58, 5);
    expect(place.height * 842).to.be.closeTo(17, 5);
    expect(await page.locator('.page').count()).to.equal(2);
    expect(await page.locator('.enlarged').count()).to.equal(3);
    await page.locator('.page a.number.context').click();
    expect(await page.locator('.finding:target h4').textContent()).to.match(/3 Hidden text/);
    expect(await page.locator('.finding:target').textContent()).to.include(HOSTILE.slice(0, 25));
    await close();
  });

  it('tolerates impossible places and missing pictures', async () => {
    const impossible = { x: -1e12, y: Number.POSITIVE_INFINITY, width: Number.NaN, height: 0 };
    const boxes = [impossible, { x: -50, y: -50, width: 200, height: 99 }, { x: 9999, y: 9999, width: 1, height: 1 }];
    const findings = boxes.map((box) => ({ message: 'Here.', evidence: [{ page: 1, box }, { page: 7, box }, {}] }));
    const document = analysed('a.pdf', [check('covered-text', 'strong', 'content', found('strong', ...findings))]);
    const html = htmlOf([document], new Map([[document.document_id, [blankPreview(1)]]]));
    expect(html).to.not.match(/NaN|Infinity/);
    const { page, problems, close } = await opened(html, { width: 390, colorScheme: 'light' });
    expect(problems).to.deep.equal([]);
    expect(await page.locator('.page .mark').count(), 'the one that is on the page in part').to.equal(1);
    expect(await page.locator('.pages').textContent()).to.include('1 more page not drawn');
    await close();
    expect(htmlOf([document], new Map())).to.not.include('<svg');
  });

  it('leads with contradictions between the documents, both places drawn, and states them in the text', async () => {
    const [one, other] = [...named('payslip-2026-03.pdf'), ...named('statement-2026-02.pdf')];
    const places = [one, other].flatMap((document) =>
      document
        ? [
            {
              document_id: document.document_id,
              document: document.name,
              page: 1,
              box: { x: 430, y: 318, width: 52, height: 11 },
              after: '1.250,00',
            },
          ]
        : [],
    );
    const cross = check(
      'net-pay-credited',
      'medium',
      'content',
      found('medium', { message: 'They differ.', evidence: places }),
    );
    const analysis = {
      ...sample,
      documents: [one, other].flatMap((document) => document ?? []),
      cross_checks: [cross],
    };
    const html = htmlReport(analysis, { previews: samplePreviews, madeAt });
    expect(html.indexOf('They differ.')).to.be.greaterThan(0).and.below(html.indexOf('id="summary"'));
    const { page, problems, close } = await opened(html, { width: 390, colorScheme: 'dark' });
    expect(await page.locator('.contradictions .sides svg').count()).to.equal(2);
    expect(described(await barriersOn(page))).to.deep.equal([]);
    expect(await page.locator('.document details[open]').count(), 'checks without findings are folded').to.equal(0);
    expect(problems).to.deep.equal([]);
    await close();
    const text = flat(textReport(analysis, { columns: 80, ...undressed }));
    expect(text).to.match(/^The documents against each other .*They differ\. payslip-2026-03\.pdf, page 1: 1\.250,00/);
    const [, second] = analysis.documents;
    const contradicting = {
      ...analysis,
      documents: analysis.documents.map((document) =>
        document === second
          ? { ...document, outcome: 'suspicious' as const, contradicts: [one?.document_id ?? ''] }
          : document,
      ),
    };
    expect(flat(textReport(contradicting, { columns: 80, ...undressed }))).to.include(
      'It contradicts payslip-2026-03.pdf: “Net pay credited”.',
    );
  });

  it('shows one card for each edit, with every check that detects it', () => {
    const place = { page: 1, box: { x: 100, y: 100, width: 50, height: 10 }, before: '1', after: '2' };
    const near = { ...place, box: { ...place.box, x: 104 } };
    const elsewhere = { ...place, box: { ...place.box, y: 300 } };
    const seen = (evidence: typeof place) => found('strong', { message: 'Changed.', evidence: [evidence] });
    const document = analysed('a.pdf', [
      check('revised-text', 'strong', 'structure', seen(place)),
      check('covered-text', 'strong', 'content', seen(near)),
      check('font-outlier', 'strong', 'content', seen(elsewhere)),
    ]);
    const html = htmlOf([document], new Map());
    expect(html.match(/<li class="finding/g)).to.have.length(2);
    expect(html.match(/class="also"/g)).to.have.length(1);
    for (const number of [1, 2, 3]) expect(html).to.include(`id="d1f${number}"`);
  });

  it('states engine, rules with versions, the file by its hash, and the limits', () => {
    const html = htmlOf();
    for (const told of [
      'tenant-screening-forensics 1.0.0',
      'revised-text v1',
      '9f2c'.repeat(16),
      'No one should be refused on this report alone',
    ])
      expect(html).to.include(told);
    expect(html).to.not.match(/<script|\son\w+=|style=|src=|url\(|@import|javascript:/i);
  });
});

/** The position of a mark on a drawn page, as fractions of the page. */
async function placeOnPage(page: Page, picture: string, mark: string) {
  const image = await page.locator(picture).boundingBox();
  const box = await page.locator(`svg:has(${picture}) ${mark}`).boundingBox();
  if (!image || !box) throw new Error('Nothing is drawn.');
  return {
    x: (box.x - image.x) / image.width,
    y: (box.y - image.y) / image.height,
    width: box.width / image.width,
    height: box.height / image.height,
  };
}
