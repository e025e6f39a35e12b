import { payslip } from '../../packages/forensics/tests/fixtures/payslip.ts';
import { pdfOf, updated } from '../../packages/forensics/tests/fixtures/pdf.ts';

const GENUINE = { gross: '3.250,00', net: '2.280,40' };

/** A payslip with a later revision that shows a higher amount. */
export function raisedPayslip(name: string): Uint8Array {
  const first = pdfOf([payslip({ ...GENUINE, name })]);
  const content = payslip({ ...GENUINE, name, net: '3.280,40' });
  return updated(first, { 21: `<< /Length ${content.length} >>\nstream\n${content}\nendstream` });
}
