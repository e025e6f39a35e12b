import { expect } from 'chai';
import { amountsIn } from '../content/amounts.ts';
import { textOf } from '../content/read.ts';
import { wordLines } from '../content/words.ts';
import { type Page, type Pixels, Unreadable } from '../model.ts';
import { cropped } from '../ocr/crop.ts';
import { greyOf } from '../ocr/grey.ts';
import { readParts, readPicture } from '../ocr/read-picture.ts';
import { refineNumbers } from '../ocr/refine.ts';
import { unturned } from '../ocr/turn.ts';
import { rowsOf, wordsIn } from '../ocr/words.ts';
import { mrzCheckDigits } from '../rules/content/mrz-check-digits.ts';
import { statementArithmetic } from '../rules/content/statement-arithmetic.ts';
import { pixelsOfSvg } from './fixtures/pictures.ts';
import { documentOf, writtenText } from './fixtures/written-pages.ts';
import { type Booked, bookings, changed, english } from './fixtures/written-statements.ts';

const SIZE = 22;
const LEADING = 40;

/** A picture of some bookings with their balances. */
async function pictureOf(
  rows: readonly Booked[],
  { slope = 0, balance = (row: Booked) => english(row.balance) } = {},
): Promise<Pixels> {
  const cell = (x: number, y: number, text: string, end = false) =>
    `<text x="${x}" y="${y}"${end ? ' text-anchor="end"' : ''}>${text}</text>`;
  const lines = rows.map((row, index) => {
    const y = 80 + index * LEADING;
    return (
      cell(40, y, row.day) +
      cell(220, y, 'Card payment') +
      cell(560, y, english(row.cents), true) +
      cell(740, y, balance(row), true)
    );
  });
  const height = 120 + rows.length * LEADING;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="${height}"><rect width="100%" height="100%" fill="white"/><g font-family="Liberation Sans" font-size="${SIZE}" transform="rotate(${slope} 400 ${height / 2})">${lines.join('')}</g></svg>`;
  return pixelsOfSvg(svg);
}

function centsOf(page: Page): number[] {
  return amountsIn(wordLines([page])).map(({ cents }) => cents);
}

const rows = bookings(10);
const written = rows.flatMap(({ cents, balance }) => [cents, balance]);

/** Read only once, because it takes a second. */
const honest = { pixels: pictureOf(rows), page: pictureOf(rows).then((pixels) => readPicture(pixels)) };

describe('reading a picture', () => {
  let page: Page;
  before(async () => {
    page = await honest.page;
  });

  it('returns the rows with all figures right', () => {
    expect(page.lines).to.have.length(10);
    expect(page.lines[0]?.text).to.match(/^01\.03\.2024 Card payment/);
    expect(centsOf(page)).to.deep.equal(written);
  });

  it('returns the position of words and its confidence', () => {
    expect(page).to.include({ number: 1, width: 800 });
    const [first] = page.items;
    expect(first?.box.x).to.be.closeTo(40, 3);
    expect(first?.box.y).to.be.closeTo(64, 4);
    expect(first?.fontSize).to.be.within(14, 32);
    expect(
      page.items.every(({ confidence = -1, font }) => confidence >= 0 && confidence <= 100 && font === ''),
    ).to.equal(true);
  });

  it('reads parts again, each in two sizes', async () => {
    const [item] = page.items;
    const parts = [{ box: item?.box ?? { x: 0, y: 0, width: 0, height: 0 }, text: '01.03.2024' }];
    expect(await readParts(await honest.pixels, parts)).to.deep.equal([['01.03.2024', '01.03.2024']]);
  });

  it('counts pages and points as requested', async () => {
    const one = await readPicture(await pictureOf(rows.slice(0, 1)), { page: 3, pixelsAPoint: 2 });
    expect(one).to.include({ number: 3, width: 400 });
    expect(one.items[0]?.box.x).to.be.closeTo(20, 2);
    expect(one.items[0]?.box.y).to.be.closeTo(32, 3);
  });

  it('straightens sloping lines, and reports the angle', async () => {
    const some = rows.slice(0, 5);
    const turned = await readPicture(await pictureOf(some, { slope: 4 }));
    expect(turned.slope).to.be.closeTo((-4 * Math.PI) / 180, 0.01);
    expect(centsOf(turned)).to.deep.equal(written.slice(0, 10));
  });

  it('is given up when it takes too long, and the next picture is still read', async () => {
    const late = readPicture(await pictureOf(rows), { seconds: 0 });
    expect(await late.catch((error: unknown) => error)).to.be.instanceOf(Unreadable);
    expect(centsOf(await readPicture(await pictureOf(rows.slice(0, 1))))).to.deep.equal(written.slice(0, 2));
  });

  it('of nothing returns nothing', async () => {
    const data = new Uint8Array(3 * 300 * 200).fill(255);
    expect((await readPicture({ width: 300, height: 200, data })).items).to.deep.equal([]);
    expect((await readPicture({ width: 4, height: 4, data })).items).to.deep.equal([]);
  });
});

describe('a rule about text read from a picture', () => {
  const run = async (pixels: Pixels) => {
    const page = await readPicture(pixels);
    return statementArithmetic.run({
      ...documentOf([page], { kind: 'png', isRead: true }),
      pixels: async () => pixels,
    });
  };

  it('reports at most medium, when two more readings agree', async () => {
    const forged = changed(rows, 5, { balance: (rows[5]?.balance ?? 0) + 400_000 });
    const verdict = await run(await pictureOf(forged));
    const findings = verdict.status === 'finding' ? verdict.findings : [];
    expect(findings.map(({ strength }) => strength)).to.deep.equal(['medium']);
    expect(findings[0]?.evidence[0]).to.include({
      before: english(rows[5]?.balance ?? 0),
      after: english((rows[5]?.balance ?? 0) + 400_000),
    });
  });

  it('reports nothing when another reading yields the expected value', async () => {
    const [pixels, page] = await Promise.all([honest.pixels, honest.page]);
    const right = english(rows[5]?.balance ?? 0);
    const wrong = right.replace(/^\d/, '9');
    const misread = (items: Page['items']) =>
      items.map((item) => (item.text === right ? { ...item, text: wrong } : item));
    const lines = page.lines.map((line) => ({ ...line, items: misread(line.items) }));
    const document = {
      ...documentOf([{ ...page, lines }], { kind: 'png' as const, isRead: true }),
      pixels: async () => pixels,
    };
    expect((await statementArithmetic.run(document)).status).to.equal('passed');
  });
});

describe('an identity document read from a picture', () => {
  const zone = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];

  async function passport(born: string): Promise<Pixels> {
    const print = ['PASSPORT', 'Surname', 'ERIKSSON', 'Date of birth', born, 'Date of expiry', '15.04.2012'];
    const text = print.map(
      (line, index) =>
        `<text x="300" y="${60 + 40 * index}" font-family="Liberation Sans" font-size="22">${line}</text>`,
    );
    const lines = zone.map(
      (line, index) =>
        `<text x="40" y="${400 + 50 * index}" font-family="Cousine" font-size="34">${line.replaceAll('<', '&lt;')}</text>`,
    );
    return pixelsOfSvg(
      `<svg xmlns="http://www.w3.org/2000/svg" width="980" height="500"><rect width="100%" height="100%" fill="white"/>${text.join('')}${lines.join('')}</svg>`,
    );
  }

  it('is at most medium when it contradicts itself, when its zone is valid and two more readings agree on the print', async () => {
    for (const [born, expected] of [
      ['12.08.1974', []],
      ['12.08.1984', ['medium']],
    ] as const) {
      const pixels = await passport(born);
      const page = await readPicture(pixels);
      const document = { ...documentOf([page], { kind: 'jpeg', isRead: true }), pixels: async () => pixels };
      const verdict = await mrzCheckDigits.run(document);
      expect(verdict.status, born).to.equal(expected.length === 0 ? 'passed' : 'finding');
      expect(verdict.status === 'finding' ? verdict.findings.map(({ strength }) => strength) : []).to.deep.equal(
        expected,
      );
    }
  });
});

describe('the choice between digital text and reading', () => {
  const read = writtenText('read from the picture');

  it('uses digital text where there is enough of it', async () => {
    const pages = writtenText('Kontoauszug', 'Umsätze vom 1. bis zum 31. März 2024, Seite 1 von 1 des Auszugs');
    expect(await textOf({ ...documentOf(pages), pagesRead: async () => read })).to.deep.equal({ pages, isRead: false });
  });

  it('reads pictures, and pages with a stamp on a scan', async () => {
    const stamp = { ...documentOf(writtenText('Seite 1')), pagesRead: async () => read };
    expect(await textOf(stamp)).to.deep.equal({ pages: read, isRead: true });
    expect((await textOf({ ...documentOf([], { kind: 'jpeg' }), pagesRead: async () => read })).isRead).to.equal(true);
  });
});

describe('the parts of reading', () => {
  it('reduce large pictures before reading them', () => {
    const [width, height] = [3_000, 2_000];
    const data = new Uint8Array(3 * width * height).fill(200);
    const grey = greyOf({ width, height, data });
    expect(grey.width * grey.height).to.be.at.most(4_000_000);
    expect(grey.scale).to.be.closeTo(grey.width / width, 0.001);
    expect(new Set(grey.data)).to.deep.equal(new Set([200]));
  });

  it('enlarge a part with its surroundings, even at an edge', () => {
    const grey = greyOf({ width: 100, height: 50, data: new Uint8Array(3 * 100 * 50).fill(90) });
    const part = cropped(grey, { x: 80, y: 40, width: 40, height: 10 });
    expect(part.width).to.be.above(80);
    expect(part.height).to.be.within(40, 60);
    expect(new Set(part.data)).to.deep.equal(new Set([90]));
  });

  it('combine adjacent words into rows, whatever their block', () => {
    const word = (x: number, y: number, text: string) =>
      ['5', '1', '1', '1', '1', '1', x, y, 50, 20, '95.5', text].join('\t');
    const line = ['4', '1', '1', '1', '1', '0', 0, 0, 500, 20, '-1', ''].join('\t');
    const table = [line, word(0, 10, 'one'), word(0, 50, 'three'), word(400, 13, 'two'), word(400, 50, ' ')].join('\n');
    expect(rowsOf(wordsIn(table, 2)).map(({ text }) => text)).to.deep.equal(['one two', 'three']);
    expect(wordsIn(table, 2)[0]).to.deep.include({
      box: { x: 0, y: 5, width: 25, height: 10 },
      fontSize: 10,
      confidence: 95.5,
    });
  });

  it('accept a second reading of a number only when it makes an amount, and other digits only when both agree', () => {
    const [item] = wordsIn(['5', '1', '1', '1', '1', '1', 0, 0, 50, 20, '10', '4.40495'].join('\t'), 1);
    const refined = (...texts: string[]) =>
      refineNumbers(item === undefined ? [] : [item], () => texts.map((text) => ({ text, confidence: 80 })))[0]?.text;
    expect(refined('4.404,95', '440495')).to.equal('4.404,95');
    expect(refined('4.404,96', '4.404,96')).to.equal('4.404,96');
    expect(refined('4.404,96', '4.404,98')).to.equal('4.404,95');
    expect(refined('', 'x')).to.equal('4.404,95');
  });

  it('rotate a box back to where people see it', () => {
    const quarter = { width: 200, height: 100, slope: Math.PI / 2 };
    const box = unturned({ x: 95, y: 0, width: 10, height: 10 }, quarter);
    expect(box.x).to.be.closeTo(50, 0.001);
    expect(box.y).to.be.closeTo(45, 0.001);
    expect(unturned({ x: 7, y: 8, width: 9, height: 10 }, { width: 200, height: 100 })).to.deep.equal({
      x: 7,
      y: 8,
      width: 9,
      height: 10,
    });
  });
});
