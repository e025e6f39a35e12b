import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import { rules } from '@tenant-screening/forensics/rules';
import { expect } from 'chai';
import { expectationOf } from '../expectations.ts';
import { judge } from '../judge.ts';
import type { Sample } from '../truth.ts';

/** OCR takes seconds per picture and has its own tests. */
const reading = { ocr: false, ocrSeconds: 0 };

/** Examines a sample and fails unless the outcome and the findings are those that its method must have. */
export async function asExpected({ name, bytes, truth }: Sample): Promise<void> {
  const result = await examineBytes(name, bytes, { rules, reading });
  const { outcomeExpected, evidence } = judge(truth, result);
  const found = result.checks.flatMap(({ rule, findings = [] }) =>
    findings.map(({ message }) => `${rule}: ${message}`),
  );
  expect(result.checks.filter(({ status }) => status === 'error')).to.deep.equal([]);
  expect(outcomeExpected, `${name} is ${result.outcome}: ${found.join(' | ')}`).to.equal(true);
  if (truth.genuine || expectationOf(truth).tells !== 'always') return;
  expect(evidence, `${name} has no finding that names the change: ${found.join(' | ')}`).to.equal(true);
}
