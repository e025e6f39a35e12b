import { readFile } from 'node:fs/promises';
import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';

const IBAN = 'FR76 8118 7737 2137 8633 9971 730';

/**
 * Files of the corpus by producers that CI lacks: a document as produced, and one with a changed value, which the finding of a rule names.
 * Seed 5, number 0, methods `as-produced` and `rewrite-clean`; of pdfLaTeX seed 4711, number 1, `as-produced` and `overlay`, which are
 * smaller.
 */
const tampered = {
  'go-fpdf': { outcome: 'suspicious', rule: 'iban-check-digits', value: IBAN },
  lualatex: { outcome: 'suspicious', rule: 'other-hand', value: '18/12/2027' },
  openpdf: { outcome: 'suspicious', rule: 'iban-check-digits', value: IBAN },
  pdfbox: { outcome: 'suspicious', rule: 'iban-check-digits', value: IBAN },
  pdflatex: { outcome: 'tampered', rule: 'covered-text', value: 'IT80 E575 2312 6043 6694 4146 061' },
  prawn: { outcome: 'suspicious', rule: 'iban-check-digits', value: IBAN },
  printpdf: { outcome: 'suspicious', rule: 'iban-check-digits', value: IBAN },
  typst: { outcome: 'suspicious', rule: 'iban-check-digits', value: IBAN },
};

async function examined(name: string) {
  const bytes = await readFile(new URL(`fixtures/producers/${name}.pdf`, import.meta.url));
  return examineBytes(name, new Uint8Array(bytes), { rules, reading: { ocr: false, ocrSeconds: 0 } });
}

describe('files of producers from other ecosystems', () => {
  for (const [producer, { outcome, rule, value }] of Object.entries(tampered)) {
    it(`finds nothing in a genuine file of ${producer}`, async () => {
      expect((await examined(`${producer}-genuine`)).outcome).to.equal('no_finding');
    });

    it(`names the changed value in a file of ${producer}`, async () => {
      const result = await examined(`${producer}-tampered`);
      expect(result.outcome).to.equal(outcome);
      const { findings = [] } = result.checks.find((check) => check.rule === rule) ?? {};
      expect(findings.map(({ message }) => message).join()).to.include(value);
    });
  }
});
