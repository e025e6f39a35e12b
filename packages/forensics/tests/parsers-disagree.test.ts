import { expect } from 'chai';
import { examineBytes } from '../examine-bytes.ts';
import { structureOf } from '../pdf/structure.ts';
import type { Finding, Verdict } from '../rule.ts';
import { rules } from '../rules/index.ts';
import { parsersDisagree } from '../rules/pdf/parsers-disagree.ts';
import { BARE, latin, revised, source, textOf } from './fixtures/pdf-source.ts';

const CONTENT = 'BT /F1 12 Tf 50 700 Td (Net pay for October 2.180,40 EUR) Tj ET';
const FONTS = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ${FONTS} >>`;
const content = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
const plain = source({ objects: { ...BARE, 3: page, 4: content(CONTENT) } });

async function findingsOn(bytes: Uint8Array): Promise<Finding[]> {
  const document = { bytes } as Parameters<typeof parsersDisagree.run>[0];
  const verdict: Verdict = await parsersDisagree.run(document);
  return verdict.status === 'finding' ? verdict.findings : [];
}

describe('readers that disagree', () => {
  it('are not a finding in a plain file, a revised one, or one whose table is wrong', async () => {
    const shifted = latin(textOf(plain).replace('%PDF-1.7\n', '%PDF-1.7\n%more\n'));
    for (const bytes of [plain, revised(plain, { objects: { 4: content(`${CONTENT} `) } }), shifted])
      expect(await findingsOn(bytes)).to.deep.equal([]);
  });

  it('are reported with the pages that each sees', async () => {
    const both = { 2: '<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 1 >>' };
    const bytes = source({ objects: { ...BARE, ...both, 3: page, 4: content(CONTENT), 6: page } });
    const [finding] = await findingsOn(bytes);
    expect(finding?.message).to.match(/^By its structure the file has 2 pages, and a viewer shows 1 page\.$/);
    expect(finding?.evidence[0]?.details).to.deep.equal({ structure_pages: 2, viewer_pages: 1 });
  });

  it('are not a finding where the structure leads to no page, so that viewers and we rebuild it', async () => {
    const lost = latin(textOf(revised(plain, { objects: { 9: '<< >>' } })).replace(/\/Prev \d+/, '/Prev 99999'));
    expect(structureOf(lost).current.pages()).to.have.length(1);
    expect(await findingsOn(lost)).to.deep.equal([]);
  });

  it('do not make a tampered file look better', async () => {
    const edited = revised(plain, { objects: { 4: content(CONTENT.replace('2.180,40', '4.180,40')) } });
    const trap = { 50: '<< /Length 50 0 R >>\nstream\nx\nendstream' };
    const { outcome, checks } = await examineBytes('payslip.pdf', revised(edited, { objects: trap }), { rules });
    expect(outcome).to.equal('tampered');
    expect(checks.filter(({ status }) => status === 'error')).to.deep.equal([]);
  });
});
