import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Unreadable } from '../model.ts';
import { withoutBigPictures } from '../pdf/paint/pictures.ts';
import { readPaint } from '../pdf/paint/read-paint.ts';
import { readPages } from '../pdf/text/read-pages.ts';
import { amount, pdfOf, picture, rectangle, stream, text } from './fixtures/pdf.ts';

async function firstPage(content: string, entries = '') {
  const [page] = await readPages(pdfOf([content], {}, entries));
  if (page === undefined) throw new Error('no page');
  return page;
}

async function wordsOf(content: string): Promise<string[]> {
  return (await firstPage(content)).items.map(({ text }) => text);
}

describe('the text of a PDF', () => {
  it('is returned as words with their position from the top left, fonts and sizes', async () => {
    const page = await firstPage(text(100, 200, 'Net pay') + amount(400, 200, '1.250,00', { font: 'F2', size: 12 }));
    expect(page).to.include({ number: 1, width: 595, height: 842 });
    expect(page.items.map(({ text }) => text)).to.deep.equal(['Net', 'pay', '1.250,00']);
    const last = page.items.at(-1);
    expect(last).to.include({ font: 'Helvetica-Bold', fontSize: 12 });
    expect((last?.box.x ?? 0) + (last?.box.width ?? 0)).to.be.closeTo(400, 0.1);
    expect(last?.box.y).to.be.closeTo(200 - 0.74 * 12, 0.1);
  });

  it('keeps the text of one baseline together as a line, from left to right', async () => {
    const page = await firstPage(
      amount(500, 100, '17,50') + text(50, 120, 'second') + text(50, 100.6, 'Fee') + text(90, 120, 'line'),
    );
    expect(page.lines.map(({ text }) => text)).to.deep.equal(['Fee 17,50', 'second line']);
    expect(page.lines[0]?.items).to.have.length(2);
  });

  it('joins words painted in pieces, and separates those that a move separates', async () => {
    const pieces = text(100, 100, '1.2') + text(113.9, 100, '50,00', { font: 'F4' });
    expect(await wordsOf(pieces)).to.deep.equal(['1.250,00']);
    expect(await wordsOf('BT /F1 10 Tf 50 700 Td (1.2) Tj (50,00) Tj ET')).to.deep.equal(['1.250,00']);
    expect(await wordsOf('BT /F1 10 Tf 50 700 Td [(Ne) 40 (t) -300 (pay) -2000 (12)] TJ ET')).to.deep.equal([
      'Net',
      'pay',
      '12',
    ]);
  });

  it('distinguishes two copies of one font', async () => {
    const { items } = await firstPage(text(50, 100, 'one') + text(50, 120, 'two', { font: 'F4' }));
    expect(new Set(items.map(({ font }) => font)).size).to.equal(1);
    expect(new Set(items.map(({ fontId }) => fontId)).size).to.equal(2);
  });

  it('applies /Rotate and /CropBox to the position of words', async () => {
    const turned = await firstPage(text(100, 200, 'turned'), '/Rotate 90');
    expect(turned).to.include({ width: 842, height: 595 });
    expect(turned.items[0]?.box.x).to.be.closeTo(842 - 200 - 2.1, 0.2);
    expect(turned.items[0]?.box.y).to.be.closeTo(100, 0.2);
    const cut = await firstPage(text(100, 200, 'cut'), '/CropBox [50 42 595 742]');
    expect(cut).to.include({ width: 545, height: 700 });
    expect(cut.items[0]?.box.x).to.be.closeTo(50, 0.2);
    expect(cut.items[0]?.box.y).to.be.closeTo(100 - 7.4, 0.2);
  });

  it('applies scales, spacings and nested forms', async () => {
    const form = stream(
      'q 2 0 0 2 0 0 cm BT /F1 5 Tf 3 Tc 10 10 Td (wide) Tj ET Q',
      '/Type /XObject /Subtype /Form /BBox [0 0 500 500] /Matrix [1 0 0 1 100 100] /Resources << /Font << /F1 10 0 R >> >>',
    );
    const [page] = await readPages(pdfOf(['/I1 Do'], { 15: form }));
    expect(page?.items.map(({ text, fontSize }) => [text, fontSize])).to.deep.equal([['wide', 10]]);
    expect(page?.items[0]?.box.x).to.be.closeTo(120, 0.1);
    expect(page?.items[0]?.box.width).to.be.closeTo(2 * (5 * (0.722 + 0.222 + 0.556 + 0.556) + 9), 0.3);
  });

  it('knows the size of letters even when a font draws them larger than others', async () => {
    const descriptor =
      '<< /Type /FontDescriptor /FontName /Odd /Flags 32 /FontBBox [0 -450 1800 1800] /Ascent 1800 /Descent -450 >>';
    const font = `<< /Type /Font /Subtype /TrueType /BaseFont /Odd /FontDescriptor ${descriptor} /FirstChar 65 /LastChar 65 /Widths [1300] /Encoding /WinAnsiEncoding >>`;
    const [page] = await readPages(pdfOf([text(50, 100, 'A', { size: 5 })], { 10: font }));
    expect(page?.items[0]?.fontSize).to.be.closeTo(9.4, 0.1);
  });

  it('finds the position of large pictures without decoding them', async () => {
    const about = '/Type /XObject /Subtype /Image /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode';
    const [small, large] = [
      stream('', `${about} /Width 500 /Height 500`),
      stream('', `${about} /Width 2480 /Height 3508`),
    ];
    const kept = withoutBigPictures(new Uint8Array(Buffer.from(`1 0 obj ${small}\nendobj`, 'latin1')));
    expect(Buffer.from(kept).toString()).to.include(small);
    const bytes = pdfOf([picture(0, 0, 595, 842)], { 15: large });
    const changed = Buffer.from(withoutBigPictures(bytes)).toString('latin1');
    expect(changed).to.have.length(bytes.length).and.to.include('/Filter /XlateDecode /Width 0002 /Height 0002');
    const [page] = await readPaint(bytes);
    expect(page?.marks.map(({ kind, box }) => [kind, box])).to.deep.equal([
      ['picture', { x: 0, y: 0, width: 595, height: 842 }],
    ]);
  });

  it('leaves out what no one sees: without paint, transparent, tiny, off the page, under something opaque', async () => {
    const unseen = [
      text(50, 100, 'unpainted', { state: '3 Tr' }).replace('q 3 Tr BT', 'q BT 3 Tr'),
      text(50, 120, 'transparent', { state: '/None gs' }),
      text(50, 140, 'tiny', { size: 0.5 }),
      text(700, 160, 'outside'),
      text(50, 180, 'covered') + rectangle(45, 170, 60, 14),
      text(50, 200, 'pictured') + picture(45, 190, 60, 14),
    ];
    expect(await wordsOf(unseen.join('') + text(50, 220, 'seen'))).to.deep.equal(['seen']);
  });

  it('keeps what shows: on a coloured ground, below a highlight, beside a rectangle', async () => {
    const seen = [
      `${rectangle(45, 90, 80, 14, '0.9 0.9 1')}${text(50, 100, 'shaded')}`,
      `${text(50, 120, 'marked')}q /Multiply gs ${rectangle(45, 110, 80, 14, '1 1 0')} Q`,
      `${text(50, 140, 'faint')}q /Half gs ${rectangle(45, 130, 80, 14)} Q`,
      `${text(50, 160, 'underlined')}${rectangle(45, 160, 80, 3)}`,
    ];
    expect(await wordsOf(seen.join(''))).to.deep.equal(['shaded', 'marked', 'faint', 'underlined']);
  });

  it('keeps the part of a word that a cover leaves', async () => {
    expect(await wordsOf(amount(200, 100, '1.250,00') + rectangle(155, 90, 19.6, 14))).to.deep.equal(['50,00']);
  });

  it('reads once for the same bytes', async () => {
    const bytes = pdfOf([text(50, 100, 'once')]);
    expect(await readPages(bytes)).to.equal(await readPages(bytes));
    expect(bytes.byteLength).to.be.greaterThan(0);
  });

  it('says that damaged and locked files cannot be read', async () => {
    const locked = pdfOf([text(50, 100, 'locked')]);
    const words = Buffer.from(locked).toString('latin1');
    const key = `<${'00'.repeat(32)}>`;
    const encrypt = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O ${key} /U ${key} >> /ID [<00> <00>] /Root`;
    for (const [bytes, reason] of [
      [new Uint8Array(Buffer.from('%PDF-1.7 and nothing else')), /damaged/],
      [new Uint8Array(0), /damaged/],
      [new Uint8Array(Buffer.from(words.replace('/Root', encrypt), 'latin1')), /password/],
    ] as const) {
      const error = await readPages(bytes).catch((error: unknown) => error);
      expect(error).to.be.instanceOf(Unreadable);
      expect(String(error)).to.match(reason);
    }
  });

  it('refuses a page that paints without end', async () => {
    const endless = `BT /F1 10 Tf 50 700 Td ${'(a) Tj '.repeat(50_001)} ET`;
    const error = await readPages(pdfOf([endless])).catch((error: unknown) => error);
    expect(String(error)).to.match(/page 1 paints more/i);
  });

  it('is read without leave to write, to run programs or to make code of strings', () => {
    const folder = mkdtempSync(join(tmpdir(), 'text-'));
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    try {
      writeFileSync(join(folder, 'file.pdf'), pdfOf([text(50, 100, 'locked in')]));
      const reader = join(root, 'packages/forensics/tests/programs/read-text.ts');
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [
          '--permission',
          `--allow-fs-read=${root}`,
          `--allow-fs-read=${folder}`,
          '--disallow-code-generation-from-strings',
          reader,
          join(folder, 'file.pdf'),
        ],
        { encoding: 'utf8' },
      );
      expect(stderr).to.equal('');
      expect(stdout).to.equal('locked in\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
