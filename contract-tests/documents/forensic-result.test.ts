import type { AnalysedDocument, Analysis } from '@tenant-screening/forensics/analysis';
import type { Check } from '@tenant-screening/forensics/result';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { forensicResult, shortened } from '../../jobs/documents/forensic-result.ts';

databases('none');

const NOW = new Date('2026-03-02T09:41:30.004Z');
const KIB = 1024;

function check(findings: number, places: number): Check {
  const evidence = Array.from({ length: places }, (_, page) => ({ page, before: 'x'.repeat(200), after: 'y' }));
  const about = { rule: 'any', version: 1, title: 'Any', strength: 'medium', family: 'content' } as const;
  if (findings === 0) return { ...about, status: 'passed' };
  const found = Array.from({ length: findings }, () => ({ message: 'Seen.', strength: 'medium' as const, evidence }));
  return { ...about, status: 'finding', findings: found };
}

function analysis(documents: number, findings: number, places: number): Analysis {
  const document = (index: number): AnalysedDocument => ({
    document_id: `document-${index}`,
    name: 'payslip.pdf',
    outcome: 'suspicious',
    facts: { size_bytes: 1, sha256: 'a'.repeat(64) },
    checks: [check(findings, places), check(0, 0)],
  });
  return {
    engine: { name: 'any', version: '1' },
    cross_checks: [check(1, 2)],
    documents: Array.from({ length: documents }, (_, at) => document(at)),
  };
}

describe('the result of an analysis as sent', () => {
  it('is complete when short enough', () => {
    const whole = analysis(2, 2, 3);
    expect(shortened(forensicResult(whole, NOW), 256 * KIB)).to.deep.equal({
      ...whole,
      analysed_at: NOW.toISOString(),
    });
  });

  it('omits the least important parts first, says so, and never an outcome: places, then checks', () => {
    const sizes: [documents: number, findings: number, places: number, kept: RegExp][] = [
      [1, 20, 20, /"before".*"more":18/],
      [20, 20, 20, /"findings":\[\{"message":"Seen\.","strength":"medium","evidence":\[\],"more":20\}/],
      [200, 20, 20, /"document_id":"document-199","name":"payslip\.pdf","outcome":"suspicious","facts"/],
      [1500, 20, 20, /"document_id":"document-1499","name":"payslip\.pdf","outcome":"suspicious"\}/],
    ];
    for (const [documents, findings, places, kept] of sizes) {
      const result = shortened(forensicResult(analysis(documents, findings, places), NOW), 64 * KIB);
      const text = JSON.stringify(result);
      expect(result.abridged, `${documents} documents`).to.equal(true);
      expect(result.documents).to.have.length(documents);
      expect(text).to.match(kept);
      if (documents < 1500) expect(text.length).to.be.at.most(64 * KIB);
      const whole = forensicResult(analysis(documents, findings, places), NOW);
      for (const before of [5000, 1000, 200, 64]) {
        const inSteps = shortened(shortened(whole, before * KIB), 64 * KIB);
        expect(inSteps, `of ${documents} documents, by way of ${before} KiB`).to.deep.equal(result);
      }
    }
  });
});
