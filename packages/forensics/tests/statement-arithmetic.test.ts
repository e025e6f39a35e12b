import { expect } from 'chai';
import { wordLines } from '../content/words.ts';
import { cpuSeconds } from '../cpu-time.ts';
import type { Page } from '../model.ts';
import type { Finding } from '../rule.ts';
import { statementArithmetic } from '../rules/content/statement-arithmetic.ts';
import { documentOf, type Written, writtenPages, writtenText } from './fixtures/written-pages.ts';
import {
  type Booked,
  balancedList,
  bookings,
  changed,
  columnsList,
  english,
  type Format,
  french,
  german,
  marked,
  onePage,
  overdrawn,
  plain,
  rowOf,
  runningList,
  summary,
  swiss,
  trailing,
  unsigned,
} from './fixtures/written-statements.ts';

const run = (pages: Page[]) => statementArithmetic.run(documentOf(pages));

async function statusOf(pages: Page[]): Promise<string> {
  return (await run(pages)).status;
}

async function findingsOf(pages: Page[]): Promise<Finding[]> {
  const verdict = await run(pages);
  return verdict.status === 'finding' ? verdict.findings : [];
}

/** The first place of each finding, before and after. */
async function changesOf(pages: Page[]): Promise<string[]> {
  return (await findingsOf(pages)).map(({ evidence: [place] }) => `${place?.before} > ${place?.after}`);
}

const rows = bookings();
const at = (index: number): Booked => rows[index] ?? { day: '', text: '', cents: 0, balance: 0 };

describe('the running balance of a statement', () => {
  it('passes when it is correct, in any notation', async () => {
    for (const format of [german, english, french, swiss, plain, trailing, marked]) {
      expect(await statusOf(onePage(runningList(rows, format))), format(-123456)).to.equal('passed');
    }
  });

  it('passes with the newest row first, with separate debits and credits, and across pages', async () => {
    expect(await statusOf(onePage(runningList(rows.toReversed())))).to.equal('passed');
    expect(await statusOf(onePage(columnsList(rows)))).to.equal('passed');
    expect(await statusOf(writtenPages(runningList(rows.slice(0, 15)), runningList(rows.slice(15))))).to.equal(
      'passed',
    );
  });

  it('passes where a balance follows several bookings', async () => {
    const daily = rows.map((row, index) => rowOf(row).slice(0, index % 3 === 2 ? 4 : 3));
    expect(await statusOf(onePage(daily))).to.equal('passed');
  });

  it('reports an amount that does not lead from one balance to the next', async () => {
    const forged = changed(rows, 5, { cents: at(5).cents - 100_000 });
    const expected = `${german(at(5).cents)} > ${german(at(5).cents - 100_000)}`;
    for (const list of [forged, forged.toReversed()])
      expect(await changesOf(onePage(runningList(list)))).to.deep.equal([expected]);
    const [finding] = await findingsOf(onePage(runningList(forged)));
    expect(finding?.strength).to.equal(undefined);
    expect(finding?.evidence[0]?.page).to.equal(1);
    expect(finding?.evidence[0]?.box?.y).to.equal(40 + 14 * 6);
  });

  it('reports the only credit of a column when it was changed', async () => {
    const forged = changed(rows, 12, { cents: 350_000 });
    expect(await changesOf(onePage(columnsList(forged)))).to.deep.equal(['2.500,00 > 3.500,00']);
  });

  it('reports a balance that matches neither the row before nor the row after', async () => {
    for (const list of [rows, rows.toReversed()]) {
      const index = list.indexOf(at(7));
      const forged = changed(list, index, { balance: at(7).balance + 100_000 });
      expect(await changesOf(onePage(runningList(forged)))).to.deep.equal([
        `${german(at(7).balance)} > ${german(at(7).balance + 100_000)}`,
      ]);
    }
  });

  it('reports a salary first when it was raised together with its own balance', async () => {
    const forged = changed(rows, 12, { cents: 350_000, balance: at(12).balance + 100_000 });
    expect(await changesOf(onePage(runningList(forged)))).to.deep.equal(['2.500,00 > 3.500,00']);
  });

  it('reports the first amount after the opening balance of another account', async () => {
    const other = rows.slice(0, 10).map((row) => ({ ...row, balance: row.balance + 777_777 }));
    const [first] = other;
    const opening = [
      { text: 'Alter Kontostand', left: 40 },
      { text: german((first?.balance ?? 0) - (first?.cents ?? 0)), right: 520 },
    ];
    const list = [
      ...runningList(rows.slice(0, 12)),
      opening,
      ...runningList(changed(other, 0, { cents: -9_900_00 })).slice(1),
    ];
    expect(await changesOf(onePage(list))).to.deep.equal([`${german(first?.cents ?? 0)} > -9.900,00`]);
  });

  it('reports several changed amounts', async () => {
    const forged = changed(changed(rows, 5, { cents: -9_900_00 }), 20, { cents: -8_800_00 });
    expect(await changesOf(onePage(runningList(forged)))).to.have.length(2);
  });

  it('reports the bookings of a day that continues on the next page, although only one more balance follows', async () => {
    const pages = (list: readonly Booked[]) => {
      const daily = list.map((row, index) => {
        const [day, ...rest] = rowOf(row, english).slice(0, index % 3 === 2 ? 4 : 3);
        return day === undefined || index % 3 > 0 ? rest : [day, ...rest];
      });
      const forward = [
        { text: 'Balance brought forward', left: 110 },
        { text: '1,500.00', right: 520 },
      ];
      const number = (page: number) => [{ text: `Page ${page}`, left: 40 }];
      return writtenPages(
        [number(1), ...summary(rows), forward, ...daily.slice(0, 26)],
        [number(2), ...daily.slice(26)],
      );
    };
    expect(await statusOf(pages(rows))).to.equal('passed');
    const [finding, ...others] = await findingsOf(pages(changed(rows, 26, { cents: at(26).cents - 6_000 })));
    expect(others).to.deep.equal([]);
    const shown = finding?.evidence.map(({ before, after }) => `${before} > ${after}`);
    expect(shown).to.include(`${english(at(26).cents)} > ${english(at(26).cents - 6_000)}`);
  });

  it('passes before a list of another account on the next page', async () => {
    const other = bookings(2).map((row) => ({ ...row, balance: row.balance + 777_777 }));
    const number = (page: number) => [{ text: `Page ${page}`, left: 40 }];
    const head = [{ text: 'Savings account 4711', left: 40 }];
    const pages = writtenPages([number(1), ...runningList(rows)], [number(2), head, ...runningList(other)]);
    expect(await statusOf(pages)).to.equal('passed');
  });
});

describe('a row of a statement that does not add up', () => {
  const broken = (list: Booked[], format?: Format) => runningList(list, format);

  it('is ignored when most rows do not', async () => {
    const noise = rows.map((row, index) => (index % 3 === 0 ? { ...row, cents: row.cents - 5_000 - index } : row));
    expect(await statusOf(onePage(broken(noise)))).to.equal('not_applicable');
  });

  it('is ignored in a list of a few rows', async () => {
    expect(await statusOf(onePage(broken(changed(bookings(5), 2, { cents: -1_00 }))))).to.equal('not_applicable');
  });

  it('is ignored where a page is missing', async () => {
    const pages = writtenPages(broken(rows.slice(0, 12)), broken(rows.slice(20)));
    expect(await statusOf(pages)).to.equal('passed');
    const numbered = (list: Booked[], page: number) => [[{ text: `Seite ${page}`, left: 40 }], ...broken(list)];
    expect(await statusOf(writtenPages(numbered(rows.slice(0, 12), 1), numbered(rows.slice(20), 3)))).to.equal(
      'passed',
    );
  });

  it('is reported at a page break whose pages are numbered without a gap', async () => {
    const forged = changed(rows, 15, { cents: at(15).cents - 50_000 });
    const pages = writtenPages(
      [[{ text: 'Seite 1', left: 40 }], ...broken(forged.slice(0, 15))],
      [[{ text: 'Seite 2', left: 40 }], ...broken(forged.slice(15))],
    );
    expect(await changesOf(pages)).to.deep.equal([`${german(at(15).cents)} > ${german(at(15).cents - 50_000)}`]);
  });

  it('is ignored where another account begins', async () => {
    const other = rows.slice(0, 10).map((row) => ({ ...row, balance: row.balance + 777_777 }));
    const heading = runningList([]);
    expect(await statusOf(onePage([...runningList(rows.slice(0, 12)), ...heading, ...runningList(other)]))).to.equal(
      'passed',
    );
  });

  it('is ignored where a fee in the row explains the difference', async () => {
    const forged = changed(rows, 5, { cents: at(5).cents + 250 });
    const list = broken(forged).map((row, index) => (index === 6 ? [...row, { text: '2,50', right: 300 }] : row));
    expect(await statusOf(onePage(list))).to.equal('passed');
  });

  it('is ignored where the difference is in its text, among many other amounts', async () => {
    const forged = broken(changed(rows, 5, { cents: at(5).cents + 250 }));
    const aside = (row: number) => [{ text: '9,99', right: 160 + 20 * Math.floor((row - 10) / 2) }];
    const list = forged.map((row, index) => {
      if (index === 6) return [...row, { text: '2,50', right: 330 }];
      return index >= 10 && index < 24 ? [...row.slice(0, 1), ...aside(index), ...row.slice(2)] : row;
    });
    expect(await statusOf(onePage(list))).to.equal('passed');
  });

  it('is ignored where a figure below it was not understood', async () => {
    const list = runningList(rows.map((row, index) => ({ ...row, balance: row.balance + (index >= 6 ? 123_450 : 0) })));
    const unclear = [
      { text: 'Gutschrift', left: 110 },
      { text: '1.2O34,50', right: 400 },
    ];
    expect(await statusOf(onePage(list.toSpliced(7, 0, unclear)))).to.equal('passed');
  });

  it('keeps its position under a large watermark', async () => {
    const [page] = onePage(runningList(rows));
    const lines = (page?.lines ?? []).map((line, index) => {
      if (index !== 12) return line;
      const copy = {
        text: 'COPY',
        box: { x: 200, y: 40, width: 200, height: 190 },
        font: '',
        fontId: 'F9',
        fontSize: 90,
        order: 999,
      };
      return {
        ...line,
        items: [...line.items.slice(0, 2), copy, ...line.items.slice(2)],
        box: { ...line.box, y: 40, height: 190 },
      };
    });
    lines.sort((one, other) => one.box.y - other.box.y);
    const texts = (shown: Page) => wordLines([shown]).map(({ text }) => text);
    expect(page === undefined ? [] : texts({ ...page, lines })).to.deep.equal(
      page === undefined ? undefined : texts(page),
    );
  });

  it('is ignored where a row could not be read', async () => {
    const list = broken(rows).map((row, index) => (index === 6 ? row.slice(0, 2) : row));
    expect(await statusOf(onePage(list))).to.equal('passed');
    const blank = broken(rows).map((row, index) => (index === 6 ? [] : row));
    expect(await statusOf(onePage(blank))).to.equal('passed');
    const unclear = broken(changed(rows, 5, { cents: at(5).cents })).map((row, index) =>
      index === 6 ? [...row.slice(0, 2), { text: '1.2O3,4S', right: 400 }, ...row.slice(3)] : row,
    );
    expect(await statusOf(onePage(unclear))).to.equal('passed');
  });

  it('is ignored when it is a balance of another kind', async () => {
    const aside = [
      { text: 'Verfügbar', left: 110 },
      { text: '9.999,99', right: 520 },
    ];
    expect(
      await statusOf(onePage([...runningList(rows.slice(0, 9)), aside, ...runningList(rows.slice(9)).slice(1)])),
    ).to.equal('passed');
  });

  it('by a cent or two is rounding', async () => {
    expect(await statusOf(onePage(broken(changed(rows, 5, { cents: at(5).cents + 2 }))))).to.equal('passed');
  });
});

describe('a balance without a minus beside it', () => {
  const below = overdrawn(rows);
  const apart = (list: readonly Booked[], sign: (balance: number) => Written[number]) =>
    columnsList(list, unsigned).map((row, index) => [...row, sign(list[index]?.balance ?? 0)]);
  const mark = (balance: number) => ({ text: balance < 0 ? 'S' : 'H', left: 540 });
  const minus = (balance: number) => ({ text: balance < 0 ? '-€' : '€', left: 445 });

  it('may be negative, as in red print, with a mark in a column of its own, or with a minus at the edge of its cell', async () => {
    for (const list of [
      columnsList(below, unsigned),
      runningList(below, unsigned),
      apart(below, mark),
      apart(below, minus),
    ])
      for (const rowsOf of [list, list.toReversed()]) expect(await statusOf(onePage(rowsOf))).to.equal('passed');
  });

  it('may be that of the first or last row alone', async () => {
    for (const part of [below.slice(0, 13), below.slice(11)])
      expect(await statusOf(onePage(columnsList(part, unsigned)))).to.equal('passed');
  });

  it('is reported when it fits neither neighbour with either sign', async () => {
    for (const index of [7, 15]) {
      const { balance = 0 } = below[index] ?? {};
      const forged = changed(below, index, { balance: balance + 100_000 });
      const expected = `${german(balance)} > ${unsigned(balance + 100_000)}`;
      expect(await changesOf(onePage(apart(forged, mark)))).to.deep.equal([expected]);
    }
  });

  it('hides no raised amount, nor one that was raised with its balance', async () => {
    for (const change of [{ cents: 350_000 }, { cents: 350_000, balance: (below[12]?.balance ?? 0) + 100_000 }])
      expect(await changesOf(onePage(columnsList(changed(below, 12, change), unsigned)))).to.deep.equal([
        '2.500,00 > 3.500,00',
      ]);
    const [finding] = await findingsOf(onePage(columnsList(changed(below, 12, { cents: 350_000 }), unsigned)));
    expect(finding?.message).to.contain('the balance goes from -2.167,58 to 332,42, which requires 2.500,00 between');
  });

  it('is positive where a shorter balance shows its minus', async () => {
    const { balance = 0 } = below[3] ?? {};
    expect(await changesOf(onePage(columnsList(changed(below, 3, { balance: -balance }))))).to.deep.equal([
      `${german(balance)} > ${unsigned(balance)}`,
    ]);
  });

  it('may be the opening or the closing balance', async () => {
    const closing = below.at(-1)?.balance;
    expect(await statusOf(onePage(balancedList(below, closing, unsigned)))).to.equal('passed');
    const [first, last] = [below.slice(0, 10), below.slice(0, 10).at(-1)?.balance ?? 0];
    expect(await statusOf(onePage(balancedList(first, last, unsigned)))).to.equal('passed');
    expect(await changesOf(onePage(balancedList(first, last + 66_666, unsigned)))).to.have.length(1);
  });
});

describe('balances aligned to the right with their marks', () => {
  const list = (booked: readonly Booked[]) =>
    booked.map((row) => [
      ...rowOf(row, unsigned).slice(0, 3),
      { text: `${unsigned(row.balance)}${row.balance < 0 ? ' OD' : ''}`, right: 520 },
    ]);

  it('are one column', async () => {
    const below = overdrawn(rows);
    expect(await statusOf(onePage(list(below)))).to.equal('passed');
    const forged = changed(below, 5, { cents: -9_900_00 });
    expect(await changesOf(onePage(list(forged)))).to.deep.equal([`${unsigned(at(5).cents)} > 9.900,00`]);
  });
});

const inEnglish = (text: string) =>
  text.replace(/[\d.]+,\d\d/g, (amount) => amount.replace(/[.,]/g, (mark) => (mark === ',' ? '.' : ',')));

describe('the sums of a statement', () => {
  const list = runningList(rows, english);

  it('pass when they are correct', async () => {
    expect(await statusOf(onePage([...summary(rows), ...list]))).to.equal('passed');
    expect(await statusOf(onePage(balancedList(rows)))).to.equal('passed');
  });

  it('report a closing balance that contradicts the sums before it', async () => {
    const closing = at(29).balance + 200_000;
    const [finding] = await findingsOf(onePage([...summary(rows, { closing }), ...list]));
    expect(finding?.strength).to.equal('strong');
    expect(finding?.evidence[0]).to.include({ before: english(at(29).balance), after: english(closing) });
  });

  it('are not checked when the balances of a page are not understood', async () => {
    const unclear = rows
      .slice(20)
      .map((row, index) => ({ ...row, balance: row.balance + 1_000 * (index % 4) + 7 * index }));
    const pages = writtenPages(
      [...summary(rows), ...runningList(rows.slice(0, 20), english)],
      runningList(unclear, english),
    );
    expect(await statusOf(pages)).to.equal('passed');
  });

  it('pass when several bookings precede the first balance', async () => {
    const daily = rows.map((row, index) => rowOf(row, english).slice(0, index % 3 === 2 ? 4 : 3));
    expect(await statusOf(onePage([...summary(rows), ...daily]))).to.equal('passed');
  });

  it('report the total paid in, when the rows and both balances confirm another value', async () => {
    const [finding] = await findingsOf(onePage([...summary(rows, { in: 450_000 }), ...list]));
    expect(finding?.evidence[0]).to.include({ before: '2,500.00', after: '4,500.00' });
  });

  it('report a booking that may have been raised, when every balance after it was raised too', async () => {
    const raised = rows.map((row, index) => ({ ...row, balance: row.balance + (index >= 12 ? 70_000 : 0) }));
    const forged = runningList(changed(raised, 12, { cents: 320_000 }), english);
    const [finding] = await findingsOf(onePage([...summary(rows), ...forged]));
    expect(finding?.strength).to.equal('strong');
    expect(finding?.evidence[0]).to.include({ before: '2,500.00', after: '3,200.00' });
  });

  it('are at most medium for an opening and a closing balance alone', async () => {
    const forged = balancedList(changed(rows, 12, { cents: 350_000 }), at(29).balance);
    const [finding] = await findingsOf(onePage(forged));
    expect(finding?.strength).to.equal('medium');
    expect(finding?.evidence[0]).to.include({ before: '2.500,00', after: '3.500,00' });
  });

  it('are checked when a line begins with an amount that reads like a date', async () => {
    const foreign = [{ text: '5.07 USD rate 0.8553', left: 40 }];
    const list = balancedList(changed(rows, 12, { cents: 350_000 }), at(29).balance);
    const english = list.map((line) => line.map((part) => ({ ...part, text: inEnglish(part.text) })));
    const [finding] = await findingsOf(onePage(english.toSpliced(8, 0, foreign)));
    expect(finding?.evidence[0]).to.include({ before: '2,500.00', after: '3,500.00' });
  });

  it('report nothing when the difference is a row that may count differently', async () => {
    const [missing] = rows.slice(5, 6);
    const closing = at(29).balance - (missing?.cents ?? 0);
    expect(await statusOf(onePage(balancedList(rows, closing)))).to.equal('not_applicable');
  });

  it('report nothing without the last page', async () => {
    const total = summary(rows).filter((_, index) => index === 0 || index === 3);
    expect(await findingsOf(onePage([...total, ...runningList(rows.slice(0, 20), english)]))).to.deep.equal([]);
  });
});

describe('the arithmetic of statements', () => {
  it('is not applicable to other text', async () => {
    expect(
      await statusOf(writtenText('Sehr geehrte Frau Muster,', 'Ihre Miete beträgt 850,00 EUR im Monat.')),
    ).to.equal('not_applicable');
    expect(await statusOf([])).to.equal('not_applicable');
  });

  it('is bounded for any number of amounts', async () => {
    const many = Array.from({ length: 2_500 }, (_, row) =>
      [150, 220, 290, 360, 430, 500].map((right, column) => ({
        text: german((row * 7_919 + column * 104_729) % 999_983),
        right,
      })),
    );
    const begin = cpuSeconds();
    await run(onePage(many));
    expect(cpuSeconds() - begin).to.be.below(4);
  });
});
