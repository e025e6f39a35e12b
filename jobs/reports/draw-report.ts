import encodeQr from 'qr';
import type { MarkStrength, ReportContent, ReportDocument, ReportPerson } from '../../core/reports/content.ts';
import {
  cautionLine,
  contradictionLines,
  givenLine,
  hasEnglish,
  incomeLines,
  overviewLines,
  personHeading,
  personLines,
  pictureLine,
  uncheckedLines,
} from '../../core/reports/in-words.ts';
import { brandColours } from '../../core/rules/brand-colours.ts';
import type { ReportTexts } from '../../core/texts/report-texts.ts';
import { bytesOf, CONTENT_WIDTH, newReportFile, PAGE, type Pdf } from './pdf-file.ts';
import { printable, ReportPen } from './report-pen.ts';
import { reserveSignature } from './sign-pdf.ts';

const SERVICE_COLOUR = '#0b6b4f';
const MARKS: Record<MarkStrength, string> = { strong: '#b01e28', medium: '#855000', context: '#43536b' };
const MAX_PICTURE_HEIGHT = 560;
const MAX_TOGETHER = 720;
/** The name of a document, how it came and its outcome. */
const ABOVE_PICTURE = 110;
const FINDING_HEIGHT = 58;

export interface Copy {
  /** Printed on every page. */
  id: string;
  viewer: string;
  /** The address of the page that verifies it. */
  verifyUrl: string;
}

/** Draws a report as a file with a place for its signature. */
export async function drawReport(
  t: ReportTexts,
  report: ReportContent,
  copy: Copy,
): Promise<{ file: Buffer; pages: number }> {
  const title = t.text('report.of', { title: report.application.title || report.application.id });
  const madeAt = new Date(report.madeAt);
  const pdf = newReportFile(t, { title, author: report.landlord, madeAt, id: copy.id });
  const pen = new ReportPen(pdf, report.colour === null ? SERVICE_COLOUR : brandColours(report.colour).light.accent);
  drawHead(pen, report);
  pen.heading('H1', title);
  pen.paragraph(t.text('report.made', { at: madeAt, viewer: copy.viewer }), { isSoft: true });
  pen.remark(t.text('report.decides'), t.text('report.decides-text', { landlord: report.landlord }));
  pen.heading('H2', t.text('report.overview'));
  pen.facts(overviewLines(t, report));
  for (const person of report.people) drawPerson(pen, t, person);
  drawSeal(pen, t, copy);
  pen.end();
  reserveSignature(pdf, { name: 'Tenant Screening', reason: t.text('report.reason'), at: madeAt });
  const pages = stampPages(pdf, t, copy);
  return { file: await bytesOf(pdf), pages };
}

function drawHead(pen: ReportPen, { logo, landlord }: ReportContent): void {
  if (!logo) {
    pen.paragraph(landlord, { font: 'bold', size: 11 });
    return;
  }
  const scale = Math.min(150 / logo.width, 42 / logo.height, 1);
  const size = { width: logo.width * scale, height: logo.height * scale };
  pen.figure(landlord, size, (x, y) => pen.pdf.image(Buffer.from(logo.png, 'base64'), x, y, size));
}

function drawPerson(pen: ReportPen, t: ReportTexts, person: ReportPerson): void {
  pen.heading('H2', personHeading(t, person));
  pen.facts(personLines(t, person));
  pen.list(incomeLines(t, person.income));
  pen.list(
    person.income.cautions.map((caution) => cautionLine(t, caution)),
    MARKS.strong,
  );
  if (person.agreements.length > 0) pen.heading('H3', t.text('report.agreements'));
  for (const { what, at, text } of person.agreements)
    pen.paragraph(`${t.text(`report.${what}`)}, ${t.day(at)}: ${text}`, { size: 8.5 });
  pen.heading('H3', t.text('report.contradictions'));
  pen.list(contradictionLines(t, person));
  pen.heading('H3', t.text('report.unchecked'));
  pen.list(uncheckedLines(t, person));
  pen.heading('H3', t.text('report.documents'));
  if (person.documents.length === 0) pen.paragraph(t.text('report.no-documents'));
  if (hasEnglish(person)) pen.paragraph(t.text('report.findings-english'), { isSoft: true });
  for (const document of person.documents) drawDocument(pen, t, document);
}

function drawDocument(pen: ReportPen, t: ReportTexts, document: ReportDocument): void {
  const { name, outcome, reason, findings, more, skipped, pictures } = document;
  // A document's name and findings stand above its first picture, as far as a page has room for both.
  const picture = pictures[0] ? sizeOf(pictures[0]).height : 0;
  pen.need(Math.min(MAX_TOGETHER, picture + ABOVE_PICTURE + findings.length * FINDING_HEIGHT));
  pen.heading('H3', name);
  pen.paragraph(givenLine(t, document), { isSoft: true });
  pen.paragraph(t.text(`report.outcome-${outcome}`));
  if (reason !== null) pen.list([reason]);
  pen.list(
    findings.map(({ number, title, message, english }) => ({ message: `${number} · ${title}: ${message}`, english })),
  );
  if (more > 0) pen.paragraph(t.text('report.more-findings', { count: more }), { isSoft: true });
  if (skipped > 0) pen.paragraph(t.text('report.skipped', { count: skipped }), { isSoft: true });
  for (const picture of pictures) drawPicture(pen, t, document, picture);
}

function sizeOf({ width, height }: ReportDocument['pictures'][number]) {
  const scale = Math.min(CONTENT_WIDTH / width, MAX_PICTURE_HEIGHT / height);
  return { scale, width: width * scale, height: height * scale };
}

function drawPicture(
  pen: ReportPen,
  t: ReportTexts,
  document: ReportDocument,
  picture: ReportDocument['pictures'][number],
) {
  const { pdf } = pen;
  const { scale, ...size } = sizeOf(picture);
  const line = pictureLine(t, document, picture);
  pen.figure(line, size, (x, y) => {
    pdf.image(Buffer.from(picture.jpeg, 'base64'), x, y, size);
    pdf.rect(x, y, size.width, size.height).lineWidth(0.5).stroke('#b9c3bf');
    for (const { number, strength, box } of picture.marks) {
      const colour = MARKS[strength];
      const left = x + box.x * scale;
      const top = y + box.y * scale;
      pdf.lineWidth(1.4).strokeColor(colour);
      pdf.rect(left, top, box.width * scale, box.height * scale).stroke();
      const at = { x: Math.max(left - 9, x + 7), y: top + Math.min((box.height * scale) / 2, 9) };
      pdf.circle(at.x, at.y, 6.5).fill(colour);
      pdf.font('bold').fontSize(7.5).fillColor('#ffffff');
      pdf.text(String(number), at.x - 6, at.y - 5, { width: 12, align: 'center', lineBreak: false });
    }
  });
  pen.paragraph(line, { isSoft: true, size: 8 });
}

const QR_SIZE = 92;

function drawSeal(pen: ReportPen, t: ReportTexts, { id, verifyUrl }: Copy): void {
  pen.need(QR_SIZE + 190);
  pen.heading('H2', t.text('report.seal'));
  pen.paragraph(t.text('report.seal-text'));
  pen.facts([
    [t.text('report.number'), id],
    [t.text('report.verify'), verifyUrl],
  ]);
  const cells = encodeQr(verifyUrl, 'raw', { border: 1 });
  const cell = QR_SIZE / cells.length;
  pen.figure(verifyUrl, { width: QR_SIZE, height: QR_SIZE }, (x, y) => {
    cells.forEach((row, line) => {
      row.forEach((isDark, column) => {
        if (isDark) pen.pdf.rect(x + column * cell, y + line * cell, cell + 0.05, cell + 0.05);
      });
    });
    pen.pdf.fill('#1c2522');
  });
}

/** The number, the page and the viewer on every page, the viewer across the picture of any document too. @returns how many pages */
function stampPages(pdf: Pdf, t: ReportTexts, { id, viewer }: Copy): number {
  const { start, count } = pdf.bufferedPageRange();
  const mark = printable(t.text('report.watermark', { viewer }));
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    const { bottom } = pdf.page.margins;
    // Text below the margin would begin a page.
    pdf.page.margins.bottom = 0;
    pdf.markContent('Artifact', { type: 'Pagination' });
    drawWatermark(pdf, mark);
    const foot = t.text('report.foot', { id, page: page - start + 1, pages: count });
    pdf.font('regular').fontSize(7.5).fillColor('#55625c');
    const at = PAGE.height - 40;
    pdf.text(printable(foot), PAGE.margin, at, { width: CONTENT_WIDTH, lineBreak: false });
    pdf.text(mark, PAGE.margin, at + 11, { width: CONTENT_WIDTH, height: 12, ellipsis: true });
    pdf.endMarkedContent();
    pdf.page.margins.bottom = bottom;
  }
  return count;
}

function drawWatermark(pdf: Pdf, mark: string): void {
  pdf.save();
  pdf.font('bold').fontSize(26).fillColor('#51606b', 0.09);
  pdf.rotate(-35, { origin: [PAGE.width / 2, PAGE.height / 2] });
  for (let line = -2; line <= 2; line += 1)
    pdf.text(mark, -100, PAGE.height / 2 + line * 150, { width: PAGE.width + 200, align: 'center', lineBreak: false });
  pdf.restore();
  pdf.fillOpacity(1);
}
