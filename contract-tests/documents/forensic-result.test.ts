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

function analysis(documents: number, findings: number, places: number): Omit<Analysis, 'papers'> {
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
    const ofThree = forensicResult(analysis(3, 1, 4), NOW);
    const exactly = Buffer.byteLength(JSON.stringify(ofThree));
    expect(shortened(ofThree, exactly)).to.equal(ofThree);
    expect(shortened(ofThree, exactly - 1).abridged).to.equal(true);
  });

  it('has at most the bytes that it may have, however long names and comparisons are', () => {
    const long = analysis(1000, 1, 1);
    const named = { ...long, documents: long.documents.map((document) => ({ ...document, name: 'ñ'.repeat(150) })) };
    for (const whole of [named, { ...named, cross_checks: Array.from({ length: 400 }, () => check(4, 4)) }]) {
      const result = shortened(forensicResult(whole, NOW), 256 * KIB);
      expect(Buffer.byteLength(JSON.stringify(result))).to.be.at.most(256 * KIB);
      expect(result.documents.length).to.be.above(500);
    }
  });

  it('omits the least important parts first and says so: places, then checks, and outcomes only of what fits no more', () => {
    const sizes: [documents: number, findings: number, places: number, kept: RegExp][] = [
      [1, 20, 20, /"before".*"more":18/],
      [20, 20, 20, /"findings":\[\{"message":"Seen\.","strength":"medium","evidence":\[\],"more":20\}/],
      [200, 20, 20, /"document_id":"document-199","name":"payslip\.pdf","outcome":"suspicious","facts"/],
      [700, 20, 5, /"document_id":"document-699","name":"payslip\.pdf","outcome":"suspicious"\}/],
      [1500, 20, 5, /"document_id":"document-0","name":"payslip\.pdf","outcome":"suspicious"\}/],
    ];
    for (const [documents, findings, places, kept] of sizes) {
      const result = shortened(forensicResult(analysis(documents, findings, places), NOW), 64 * KIB);
      const text = JSON.stringify(result);
      expect(result.abridged, `${documents} documents`).to.equal(true);
      expect(result.documents.length, `${documents} documents`).to.be.within(Math.min(documents, 800), documents);
      expect(text).to.match(kept);
      expect(Buffer.byteLength(text)).to.be.at.most(64 * KIB);
      const whole = forensicResult(analysis(documents, findings, places), NOW);
      for (const before of [5000, 1000, 200, 64]) {
        const inSteps = shortened(shortened(whole, before * KIB), 64 * KIB);
        expect(inSteps, `of ${documents} documents, by way of ${before} KiB`).to.deep.equal(result);
      }
    }
  });
});
