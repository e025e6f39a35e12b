import { expect } from 'chai';
import { revisedText } from '../rules/pdf/revised-text.ts';
import { findingsOn, payslip, rowAt, verdictOn } from './fixtures/payslip.ts';
import {
  amount,
  corners,
  type Objects,
  pageObject,
  pdfOf,
  picture,
  rectangle,
  stream,
  text,
  updated,
} from './fixtures/pdf.ts';

const original = pdfOf([payslip()]);

function revised(content: string, objects: Objects = {}): Uint8Array {
  return updated(original, { 21: stream(content), ...objects });
}

async function strengthsOf(bytes: Uint8Array): Promise<string[]> {
  return (await findingsOn(revisedText, bytes)).map(({ strength }) => strength);
}

describe('text of earlier revisions', () => {
  it('reports a changed amount with its page, position and both values', async () => {
    const [finding, ...others] = await findingsOn(revisedText, revised(payslip({ gross: '4.850,00' })));
    expect(others).to.deep.equal([]);
    expect(finding?.message).to.equal(
      'The amount on page 1 read 3.250,00 in an earlier version of the file and reads 4.850,00 now.',
    );
    expect(finding?.strength).to.equal('strong');
    const [place] = finding?.evidence ?? [];
    expect(place).to.include({ page: 1, before: '3.250,00', after: '4.850,00', offset: original.length });
    expect((place?.box?.x ?? 0) + (place?.box?.width ?? 0)).to.be.closeTo(500, 1);
    expect(place?.box?.y).to.be.closeTo(rowAt(0) - 7.4, 1);
  });

  it('reports a changed name without the words around it', async () => {
    const [finding] = await findingsOn(revisedText, revised(payslip({ name: 'Erika Beispiel' })));
    expect(finding?.message).to.equal(
      'The text on page 1 read “Muster” in an earlier version of the file and reads “Beispiel” now.',
    );
    expect(finding?.strength).to.equal('strong');
  });

  it('detects two swapped values', async () => {
    const swapped = revised(payslip({ gross: '2.180,40', net: '3.250,00' }));
    expect((await findingsOn(revisedText, swapped)).map(({ evidence }) => evidence[0]?.after)).to.deep.equal([
      '2.180,40',
      '3.250,00',
    ]);
  });

  it('detects a changed value even on a rotated page', async () => {
    const turned = revised(payslip({ net: '3.180,40' }), { 20: pageObject(0, '/Rotate 90') });
    expect((await findingsOn(revisedText, turned)).map(({ message }) => message)).to.deep.equal([
      'The amount on page 1 read 2.180,40 in an earlier version of the file and reads 3.180,40 now.',
    ]);
  });

  it('reports a figure written in groups as a whole', async () => {
    const account = (middle: string) => payslip() + text(50, 400, `DE12 3456 ${middle} 1234 00`);
    const [finding] = await findingsOn(revisedText, updated(pdfOf([account('7890')]), { 21: stream(account('7990')) }));
    expect(finding?.message).to.equal(
      'The IBAN on page 1 read “DE12 3456 7890 1234 00” in an earlier version of the file and reads “DE12 3456 7990 1234 00” now.',
    );
  });

  it('detects a change several revisions back, once', async () => {
    const twice = updated(revised(payslip({ net: '3.180,40' })), { 40: '<< /Note 1 >>' });
    const thrice = updated(twice, { 41: '<< /Note 2 >>' });
    const findings = await findingsOn(revisedText, thrice);
    expect(findings.map(({ evidence }) => [evidence[0]?.before, evidence[0]?.after])).to.deep.equal([
      ['2.180,40', '3.180,40'],
    ]);
  });

  it('detects a cover that an update paints and writes on', async () => {
    const patch = rectangle(455, rowAt(7) - 10, 50, 14) + amount(500, rowAt(7), '3.980,40');
    const [finding] = await findingsOn(revisedText, revised(payslip() + patch));
    expect(finding?.evidence[0]).to.include({ before: '2.180,40', after: '3.980,40' });
    expect(finding?.strength).to.equal('strong');
  });

  it('reports a removed row, and a value replaced by a picture', async () => {
    const without = payslip().replace(/q {2}BT[^\n]*412,16[^\n]*\n/, '');
    const [gone] = await findingsOn(revisedText, revised(without));
    expect(gone).to.include({ strength: 'strong' });
    expect(gone?.message).to.match(/^412,16 stood on page 1 .* gone now/);
    const noise = Buffer.from(Uint8Array.from({ length: 200 }, (_, index) => (index * 37) % 256)).toString('latin1');
    const about = '/Type /XObject /Subtype /Image /Width 20 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray';
    const pictured = revised(without + picture(465, rowAt(2) - 9, 36, 12), { 15: stream(noise, about) });
    const [drawn] = await findingsOn(revisedText, pictured);
    expect(drawn).to.include({ strength: 'strong' });
    expect(drawn?.message).to.match(/is now a picture/);
  });

  it('reports a page whose content was replaced, and a removed one', async () => {
    const other = Array.from({ length: 40 }, (_, row) => text(60, 50 + 15 * row, `Other words ${row}`)).join('');
    const [replaced] = await findingsOn(revisedText, revised(other));
    expect(replaced).to.include({ strength: 'strong' });
    const two = pdfOf([payslip(), payslip({ name: 'Max Beispiel', net: '9.999,99' })]);
    const one = updated(two, { 2: '<< /Type /Pages /Kids [20 0 R] /Count 1 >>' });
    const [gone] = await findingsOn(revisedText, one);
    expect(gone).to.include({ strength: 'medium', message: 'Page 2 of an earlier version of the file is gone.' });
  });

  it('finds an amount added to a column suspicious, but not other additions', async () => {
    expect(await strengthsOf(revised(payslip() + text(50, 300, 'Bonus') + amount(500, 300, '900,00')))).to.include(
      'medium',
    );
    expect(await strengthsOf(revised(payslip() + text(300, 700, 'Paid 05.06.2024')))).to.deep.equal(['context']);
  });

  it('recognizes blackened text', async () => {
    const blackened = payslip() + rectangle(45, 80, 100, 14, '0 0 0');
    expect(await strengthsOf(revised(blackened))).to.deep.equal(['context']);
  });

  describe('stays clean', () => {
    const clean: Record<string, Uint8Array> = {
      'when only other things were saved': updated(original, { 50: '<< /Title (new) >>' }),
      'when a page was signed': updated(original, {
        1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [60 0 R] /SigFlags 3 >> >>',
        20: pageObject(0, '/Annots [60 0 R]'),
        60: `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature) /Rect ${corners(300, 700, 200, 60)} /AP << /N 61 0 R >> >>`,
        61: appearance('Digitally signed by the employer', 200, 60),
      }),
      'when a form was filled in': updated(original, {
        20: pageObject(0, '/Annots [60 0 R]'),
        60: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Net) /V (9.999,99) /Rect ${corners(440, 270, 60, 14)} /AP << /N 61 0 R >> >>`,
        61: appearance('9.999,99', 60, 14),
      }),
      'when a filled field became part of the page': updated(
        updated(original, {
          20: pageObject(0, '/Annots [60 0 R]'),
          60: `<< /Type /Annot /Subtype /Widget /FT /Tx /T (Net) /Rect ${corners(440, 290, 70, 14)} >>`,
        }),
        { 20: pageObject(0), 21: stream(payslip() + amount(500, 300, '9.999,99')) },
      ).slice(),
      'when someone commented': updated(original, {
        20: pageObject(0, '/Annots [60 0 R]'),
        60: `<< /Type /Annot /Subtype /Text /Contents (please check 9.999,99) /Rect ${corners(500, 100, 20, 20)} >>`,
      }),
      'when the page was turned': updated(original, { 20: pageObject(0, '/Rotate 90') }),
      'when the page was cut': updated(original, { 20: pageObject(0, '/CropBox [20 20 580 820]') }),
      'when a page was put before it': updated(original, {
        2: '<< /Type /Pages /Kids [22 0 R 20 0 R] /Count 2 >>',
        22: pageObject(1),
        23: stream(text(50, 100, 'Please find enclosed my payslip of May.')),
      }),
      'when the text was written in other pieces': revised(inPieces(payslip())),
      'when everything moved': revised(`q 0.9 0 0 0.9 20 40 cm ${payslip()} Q`),
      'when a line moved': revised(payslip().replace('50 522 Td', '50 480 Td')),
      'when a field of dots was written on': updated(pdfOf([payslip({ name: '............' })]), {
        21: stream(payslip({ name: 'Erika Muster' })),
      }),
      'when a watermark changed': updated(pdfOf([payslip() + watermark('DRAFT')]), {
        21: stream(payslip() + watermark('COPY')),
      }),
    };
    for (const [title, bytes] of Object.entries(clean)) {
      it(title, async () => {
        expect((await strengthsOf(bytes)).filter((strength) => strength !== 'context')).to.deep.equal([]);
      });
    }

    it('when an earlier version cannot be read', async () => {
      const broken = updated(new Uint8Array(Buffer.from('%PDF-1.4\nstartxref\n0\n%%EOF\n')), {});
      expect((await verdictOn(revisedText, broken).catch(() => ({ status: 'unreadable' }))).status).to.not.equal(
        'finding',
      );
    });

    it('reports that there was nothing to check when there is one revision', async () => {
      expect(await verdictOn(revisedText, original)).to.deep.equal({
        status: 'not_applicable',
        reason: 'The file holds no earlier version of itself.',
      });
    });
  });
});

function appearance(words: string, width: number, height: number): string {
  const resources = '/Resources << /Font << /F1 10 0 R >> >>';
  return stream(
    `BT /F1 8 Tf 2 4 Td (${words}) Tj ET`,
    `/Type /XObject /Subtype /Form /BBox [0 0 ${width} ${height}] ${resources}`,
  );
}

function watermark(word: string): string {
  return `q BT /F1 40 Tf 0.7 0.7 -0.7 0.7 150 300 Tm (${word}) Tj ET Q\n`;
}

/** The same text, letter by letter. */
function inPieces(content: string): string {
  return content.replace(
    /\(([^()]*)\) Tj/g,
    (_, words: string) => `[${[...words].map((one) => `(${one})`).join(' ')}] TJ`,
  );
}
