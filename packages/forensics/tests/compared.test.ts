import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { examineBytes } from '../examine-bytes.ts';
import { rules } from '../rules/index.ts';
import { payslip } from './fixtures/payslip.ts';
import { pdfOf, text } from './fixtures/pdf.ts';

const NO_OCR = { rules, reading: { ocr: false, ocrSeconds: 0 } };

const checksOf = async (content: string) => examineBytes('file.pdf', pdfOf([content]), NO_OCR);

describe('a check that passed', () => {
  it('says what it compared, and is not applicable if that is nothing', async () => {
    const { checks } = await checksOf(payslip() + text(50, 600, 'IBAN DE89 3704 0044 0532 0130 00'));
    for (const { rule, status, compared } of checks.filter((check) => check.status === 'passed'))
      expect(compared, `${rule} ${status}`).to.match(/^[1-9]\d* \p{L}/u);
    const said = new Map(checks.map(({ rule, compared }) => [rule, compared]));
    expect(said.get('iban-check-digits')).to.equal('1 IBAN');
    for (const rule of ['contribution-rates', 'year-shares', 'hidden-original'])
      expect(checks.find((check) => check.rule === rule)?.status, rule).to.equal('not_applicable');
  });

  it('is needed for the outcome that nothing was found: a shopping list is inconclusive, and says what to ask for', async () => {
    const { outcome, reason, checks } = await checksOf(text(50, 100, 'Milk, bread and two pounds of apples'));
    expect(outcome).to.equal('inconclusive');
    expect(reason).to.include('Ask for the complete document');
    const passed = checks.filter(({ status, family }) => status === 'passed' && family === 'content');
    expect(passed.map(({ rule }) => rule).filter((rule) => rule !== 'other-hand')).to.deep.equal([]);
  });

  it('compared something in every kind of document', async () => {
    const folder = new URL('fixtures/cases/', import.meta.url);
    for (const name of readdirSync(folder).slice(0, 12)) {
      const { checks } = await examineBytes(name, readFileSync(new URL(name, folder)), NO_OCR);
      for (const { rule, status, compared } of checks)
        if (status === 'passed') expect(compared, `${name}: ${rule}`).to.match(/^[1-9]/);
    }
  });
});
