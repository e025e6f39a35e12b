import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { ReportTexts } from '../../core/texts/report-texts.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

/** The page of A4, in points. */
export const PAGE = { width: 595.28, height: 841.89, margin: 52, top: 56, bottom: 64 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;

const fontFile = (name: string) =>
  fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans/${name}/NotoSans_${name}.ttf`));

export interface FileFacts {
  title: string;
  author: string;
  madeAt: Date;
  id: string;
}

/** A tagged file of PDF/A-2a, whose fonts are embedded. */
export function newReportFile(t: ReportTexts, { title, author, madeAt, id }: FileFacts): Pdf {
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: PAGE.top, bottom: PAGE.bottom, left: PAGE.margin, right: PAGE.margin },
    bufferPages: true,
    autoFirstPage: false,
    tagged: true,
    subset: 'PDF/A-2a',
    pdfVersion: '1.7',
    lang: t.language,
    displayTitle: true,
    info: {
      Title: asMetadata(title),
      Author: asMetadata(author),
      Subject: id,
      Creator: 'Tenant Screening',
      CreationDate: madeAt,
      ModDate: madeAt,
    },
  });
  pdf.registerFont('regular', fontFile('400Regular'));
  pdf.registerFont('bold', fontFile('700Bold'));
  return pdf;
}

/** pdfkit writes the facts into XML as they are: signs of markup would end the metadata, or add to it. */
function asMetadata(text: string): string {
  return text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll('&', '＆')
    .replaceAll('<', '‹')
    .replaceAll('>', '›');
}

/** Everything that was written. */
export async function bytesOf(pdf: Pdf): Promise<Buffer> {
  pdf.end();
  const parts: Buffer[] = [];
  for await (const part of pdf) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
