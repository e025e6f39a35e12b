import { expect } from 'chai';
import { reportTextsOf } from '../../core/texts/report-texts.ts';
import { databases } from '../../harness/database/dialect.ts';
import { newReportFile, PAGE } from '../../jobs/reports/pdf-file.ts';
import { ReportPen } from '../../jobs/reports/report-pen.ts';

databases('none');

const LONG = 'Something that is said about a person and fills more than one line. '.repeat(4);
const blocks: Record<string, (pen: ReportPen) => void> = {
  'a paragraph': (pen) => pen.paragraph(LONG),
  'a table': (pen) => pen.facts([[LONG, LONG]]),
  'a list': (pen) => pen.list([LONG, LONG]),
  'a remark': (pen) => pen.remark('What to know', LONG),
  'room for a document': (pen) => {
    pen.need(400);
    pen.paragraph(LONG);
  },
};

describe('a heading of a report', () => {
  for (const [name, write] of Object.entries(blocks))
    it(`stands on the page of what it introduces, wherever that falls: ${name}`, () => {
      const facts = { title: 'A report', author: 'A landlord', madeAt: new Date(0), id: 'one' };
      const pdf = newReportFile(reportTextsOf('en'), facts);
      const pen = new ReportPen(pdf, '#0b6b4f');
      let begun: number[] = [];
      const { text } = pdf;
      Reflect.set(pdf, 'text', (...given: unknown[]) => {
        begun.push(pdf.bufferedPageRange().count);
        return Reflect.apply(text, pdf, given);
      });
      for (let y: number = PAGE.top; y < PAGE.height - PAGE.bottom; y += 9) {
        pdf.addPage();
        pdf.y = y;
        begun = [];
        pen.heading('H2', 'Marta Ruiz');
        pen.heading('H3', 'Documents');
        write(pen);
        const [person, documents, first] = begun;
        expect([person, documents], `at ${y}`).to.deep.equal([first, first]);
      }
      pen.end();
    });

  it('is written even if nothing follows it', () => {
    const facts = { title: 'A report', author: 'A landlord', madeAt: new Date(0), id: 'one' };
    const pdf = newReportFile(reportTextsOf('en'), facts);
    const pen = new ReportPen(pdf, '#0b6b4f');
    const before = pdf.y;
    pen.heading('H1', 'A report');
    pen.end();
    expect(pdf.y).to.be.above(before);
  });
});
