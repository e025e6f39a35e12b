import { updated } from '../../packages/forensics/tests/fixtures/pdf.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

/** The payslip that the examples of events show: its net pay was raised in a second version of the file. */
export function changedPayslip(): Uint8Array {
  const lines = ['Payslip February (sample)', 'Marta Ruiz', 'Gross pay 2,900.00', 'Deductions 685.65'];
  const content = [...lines, 'Net pay 3,214.35'].map((line) => `(${line}) Tj T*`).join('\n');
  const page = `BT /F1 14 Tf 18 TL 72 760 Td\n${content.replace('(sample)', '\\(sample\\)')}\nET`;
  const original = sampleDocument([...lines, 'Net pay 2,214.35']);
  return updated(original, { 4: `<< /Length ${page.length} >>\nstream\n${page}\nendstream` });
}
