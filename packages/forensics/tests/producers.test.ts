import { readFile } from 'node:fs/promises';
import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';

/**
 * Files of the corpus by producers that CI lacks: a statement as produced, and one whose account number was changed within its string
 * (methods `as-produced` and `rewrite-clean`, seed 5, number 0).
 */
const tampered: Readonly<Record<string, 'suspicious' | 'tampered'>> = {
  'go-fpdf': 'suspicious',
  openpdf: 'tampered',
  pdfbox: 'suspicious',
  prawn: 'suspicious',
  typst: 'suspicious',
};

async function examined(name: string) {
  const bytes = await readFile(new URL(`fixtures/producers/${name}.pdf`, import.meta.url));
  return examineBytes(name, new Uint8Array(bytes), { rules, reading: { ocr: false, ocrSeconds: 0 } });
}

describe('files of producers from other ecosystems', () => {
  for (const [producer, outcome] of Object.entries(tampered)) {
    it(`finds nothing in a genuine file of ${producer}`, async () => {
      expect((await examined(`${producer}-genuine`)).outcome).to.equal('no_finding');
    });

    it(`names the changed account number in a file of ${producer}`, async () => {
      const result = await examined(`${producer}-tampered`);
      expect(result.outcome).to.equal(outcome);
      const { findings = [] } = result.checks.find(({ rule }) => rule === 'iban-check-digits') ?? {};
      expect(findings.map(({ message }) => message).join()).to.include('FR76 8118 7737 2137 8633 9971 730');
    });
  }

  it('finds nothing in a genuine file of lualatex', async () => {
    expect((await examined('lualatex-genuine')).outcome).to.equal('no_finding');
  });
});
