import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

/** The payslip in the examples of events: its net pay was raised in a second revision of the file. */
export function changedPayslip(): Uint8Array {
  const lines = ['Payslip February (sample)', 'Marta Ruiz', 'Gross pay 2,900.00', 'Deductions 685.65'];
  const content = [...lines, 'Net pay 3,214.35'].map((line) => `(${line}) Tj T*`).join('\n');
  const page = `BT /F1 14 Tf 18 TL 72 760 Td\n${content.replace('(sample)', '\\(sample\\)')}\nET`;
  const original = sampleDocument([...lines, 'Net pay 2,214.35']);
  return savedBehind(original, 4, `<< /Length ${page.length} >>\nstream\n${page}\nendstream`);
}

/** The file with a new revision of an object appended, as an incremental update. */
function savedBehind(file: Buffer, number: number, object: string): Uint8Array {
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1'))?.[1];
  const body = `${number} 0 obj\n${object}\nendobj\n`;
  const table = `xref\n${number} 1\n${String(file.length).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<< /Size 100 /Root 1 0 R /Prev ${previous} >>\n`;
  const end = `startxref\n${file.length + body.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([file, Buffer.from(body + table + trailer + end, 'latin1')]));
}
