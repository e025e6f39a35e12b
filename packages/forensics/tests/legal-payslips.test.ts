import { expect } from 'chai';
import type { Finding, Rule } from '../rule.ts';
import { contributionRates } from '../rules/content/contribution-rates.ts';
import { payslipArithmetic } from '../rules/content/payslip-arithmetic.ts';
import { yearShares } from '../rules/content/year-shares.ts';
import { forms, pays } from './fixtures/legal-payslips.ts';
import { documentOf, type Written, writtenPages } from './fixtures/written-pages.ts';
import { german } from './fixtures/written-statements.ts';

const SUMS: readonly Rule[] = [payslipArithmetic, yearShares, contributionRates];

async function findingsOn(rows: readonly Written[]): Promise<Finding[]> {
  const verdicts = await Promise.all(SUMS.map((rule) => rule.run(documentOf(writtenPages(rows)))));
  return verdicts.flatMap((verdict) => (verdict.status === 'finding' ? verdict.findings : []));
}

const centsOf = (text: string) => Number(text.replace(/\D/g, ''));

/** A rise that no other figure of the page explains. */
const RAISES = [31_741, 50_000, 96_013];

describe('a payslip in a legal form', () => {
  for (const [name, form] of Object.entries(forms)) {
    it(`accuses no one and is checked: ${name}`, async () => {
      for (const pay of pays) {
        const { rows } = form(pay, german);
        expect(await findingsOn(rows)).to.deep.equal([]);
        expect((await payslipArithmetic.run(documentOf(writtenPages(rows)))).status).to.equal('passed');
      }
    });

    it(`names the expected value when net pay alone was changed: ${name}`, async () => {
      for (const pay of pays)
        for (const raise of RAISES) {
          const { rows, net } = form(pay, german);
          const shown = german(net);
          const changed = rows.map((row) =>
            row.map((cell) => (cell.text === shown ? { ...cell, text: german(net + raise) } : cell)),
          );
          const named = (await findingsOn(changed)).flatMap(({ evidence }) => evidence.map(({ before }) => before));
          // Countries that round payments print the rounding, too.
          const isNamed = named.some((before = '') => Math.abs(centsOf(before) - net) < 100);
          expect(isNamed, `${shown} raised by ${raise}: ${named}`).to.equal(true);
        }
    });
  }
});
