import { expect } from 'chai';
import { type ForensicFacts, forensicDecision } from '../../core/rules/forensic-decision.ts';
import { databases } from '../../harness/database/dialect.ts';

databases('none');

describe('the forensic decision', () => {
  const ready: ForensicFacts = {
    openRun: undefined,
    hasDocuments: true,
    hasAnalysis: false,
    kycCompleted: true,
    isResultRecent: false,
  };
  const rows: [string, Partial<ForensicFacts>, string][] = [
    ['a tenant already queued', { openRun: 'pending' }, 'PENDING'],
    [
      'a tenant already queued, whatever else',
      { openRun: 'pending', hasDocuments: false, kycCompleted: false },
      'PENDING',
    ],
    ['an analysis that runs', { openRun: 'processing' }, 'PROCESSING'],
    ['no documents and no analysis', { hasDocuments: false }, 'DOCUMENTS_ANALYSIS_NOT_FOUND'],
    ['no documents before a missing KYC', { hasDocuments: false, kycCompleted: false }, 'DOCUMENTS_ANALYSIS_NOT_FOUND'],
    ['documents but no KYC', { kycCompleted: false }, 'KYC_PENDING'],
    [
      'an earlier analysis but no documents and no KYC',
      { hasDocuments: false, hasAnalysis: true, kycCompleted: false },
      'KYC_PENDING',
    ],
    ['an earlier analysis without documents', { hasDocuments: false, hasAnalysis: true }, 'QUEUED'],
    ['a result that was sent less than a minute ago', { hasAnalysis: true, isResultRecent: true }, 'PENDING'],
    ['a missing KYC after a recent result', { kycCompleted: false, isResultRecent: true }, 'KYC_PENDING'],
    ['everything there', {}, 'QUEUED'],
  ];
  for (const [what, facts, status] of rows)
    it(`is ${status} for ${what}`, () => {
      expect(forensicDecision({ ...ready, ...facts })).to.equal(status);
    });
});
