import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';
import { drawForm, type LegalForm, legalForms, type Raise } from '../forms/index.ts';
import { pdfkit } from '../producers/pdfkit.ts';
import { randomOf } from '../random.ts';

const SUMS = rules.filter(({ name }) => /^(?:payslip-arithmetic|year-shares|contribution-rates)$/.test(name));

async function examined(form: LegalForm, raise: Raise) {
  const { drawing, net } = drawForm(form, 'tests', raise);
  const bytes = await pdfkit.write(drawing, new Date(Date.UTC(2025, 2, 28)), randomOf('tests'));
  const { checks } = await examineBytes('payslip.pdf', bytes, { rules: SUMS, reading: { ocr: false, ocrSeconds: 0 } });
  const evidence = checks.flatMap(({ findings = [] }) => findings.flatMap((finding) => finding.evidence));
  return { checks, evidence, net };
}

const centsOf = (text: string) => Number(text.replace(/\D/g, ''));

describe('a payslip in a form of five countries', () => {
  for (const form of legalForms)
    it(`accuses no one: ${form.country}, ${form.name}`, async () => {
      expect((await examined(form, 'none')).evidence).to.deep.equal([]);
    });

  it('names the true net pay in most forms when it alone was raised', async () => {
    const missed: string[] = [];
    for (const form of legalForms) {
      const { evidence, net } = await examined(form, 'one');
      // Countries that round payments print the rounding, too.
      const isNamed = evidence.some(({ before = '' }) => Math.abs(centsOf(before) - centsOf(net)) < 100);
      if (!isNamed) missed.push(`${form.country}/${form.name}`);
    }
    expect(missed.length, missed.join(', ')).to.be.at.most(Math.floor(legalForms.length * 0.15));
  });
});
