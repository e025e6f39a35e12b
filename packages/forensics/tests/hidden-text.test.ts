import { expect } from 'chai';
import { readPaint } from '../pdf/paint/read-paint.ts';
import { hiddenText } from '../rules/pdf/hidden-text.ts';
import { imageOnlyPages, isImageOnly, isImageOnlyFile } from '../rules/pdf/image-only-pages.ts';
import { findingsOn, payslip } from './fixtures/payslip.ts';
import { flatPicture, type Objects, pdfOf, picture, rectangle, text } from './fixtures/pdf.ts';

const scan = picture(0, 0, 595, 842);

function unpainted(content: string): string {
  return content.replaceAll('BT', 'BT 3 Tr');
}

async function reasonsOn(content: string, objects: Objects = {}): Promise<unknown[]> {
  const findings = await findingsOn(hiddenText, pdfOf([content], objects));
  expect(findings.every(({ strength }) => strength === 'context')).to.equal(true);
  return findings.map(({ evidence }) => evidence[0]?.details?.['reason']);
}

describe('hidden text', () => {
  const hidden: Record<string, string> = {
    'no paint': unpainted(text(50, 500, 'Nothing to see')),
    transparent: text(50, 500, 'Nothing to see', { state: '/None gs' }),
    'too small': text(50, 500, 'Nothing to see', { size: 0.4 }),
    outside: text(700, 500, 'Nothing to see'),
    ground: text(50, 500, 'Nothing to see', { state: '1 1 1 rg' }),
  };
  for (const [reason, content] of Object.entries(hidden)) {
    it(`is reported with its position and words: ${reason}`, async () => {
      expect(await reasonsOn(payslip() + content)).to.deep.equal([reason]);
      const [finding] = await findingsOn(hiddenText, pdfOf([payslip() + content]));
      expect(finding?.evidence[0]).to.include({ page: 1 });
      expect(finding?.evidence[0]?.details).to.include({ text: 'Nothing to see' });
    });
  }

  it('includes text removed by a clip, and text in the colour of a rectangle below it', async () => {
    expect(await reasonsOn(`q 0 0 100 100 re W n ${text(50, 300, 'Cut away')} Q`)).to.deep.equal(['outside']);
    const dark =
      rectangle(40, 480, 200, 30, '0.1 0.2 0.3') + text(50, 500, 'Dark on dark', { state: '0.1 0.2 0.3 rg' });
    expect(await reasonsOn(dark)).to.deep.equal(['ground']);
  });

  it('excludes text on a dark ground, on a picture, or on a shape of any form', async () => {
    const white = text(50, 500, 'White on dark', { state: '1 1 1 rg' });
    const circle = 'q 0 0 0.4 rg 40 340 m 40 400 250 400 250 340 c 250 300 40 300 40 340 c f Q ';
    for (const ground of [rectangle(40, 480, 200, 30, '0 0 0.4'), picture(40, 480, 200, 30), circle]) {
      expect(await reasonsOn(ground + white, { 15: flatPicture(40) })).to.deep.equal([]);
    }
  });

  it('excludes the recognised text of a scan', async () => {
    expect(await reasonsOn(scan + unpainted(payslip()))).to.deep.equal([]);
    expect(await reasonsOn(unpainted(payslip()) + scan)).to.deep.equal([]);
  });
});

describe('pages that consist of a picture', () => {
  it('are reported, with or without recognised text, and decide nothing', async () => {
    const bytes = pdfOf([payslip(), scan, scan + unpainted(payslip()), payslip() + picture(50, 600, 100, 50)]);
    const [finding, ...others] = await findingsOn(imageOnlyPages, bytes);
    expect(others).to.deep.equal([]);
    expect(finding?.strength).to.equal('context');
    expect(finding?.message).to.match(/^Pages 2, 3 are only a picture/);
    expect(finding?.evidence.map(({ page }) => page)).to.deep.equal([2, 3]);
    expect((await readPaint(bytes)).map(isImageOnly)).to.deep.equal([false, true, true, false]);
  });

  it('identify a file without any text', async () => {
    expect(await isImageOnlyFile(pdfOf([scan, scan]))).to.equal(true);
    expect(await isImageOnlyFile(pdfOf([scan, payslip()]))).to.equal(false);
    expect(await isImageOnlyFile(pdfOf(['']))).to.equal(false);
    expect((await findingsOn(imageOnlyPages, pdfOf([scan, scan])))[0]?.message).to.match(/^Every page of the file is/);
  });
});
