import { deflateSync } from 'node:zlib';
import { examineBytes } from '../examine-bytes.ts';
import { fingerprintsOf } from '../fingerprints.ts';
import type { Document } from '../model.ts';
import type { Opened } from '../open-document.ts';
import { rules } from '../rules/index.ts';

/** Analyses an ordinary PDF, so that the code for it is compiled and can be cached. */
export async function warmUp(): Promise<void> {
  const onOpened = ({ document }: Opened) => {
    opened = document;
  };
  let opened: Document | undefined;
  await examineBytes('warm-up.pdf', statement(), { rules, reading: { ocr: false, ocrSeconds: 0 }, onOpened });
  if (opened) await fingerprintsOf(opened);
}

const FONTS = ['Helvetica', 'Helvetica-Bold'];
const ROWS = 12;

/** Two pages of an invented bank statement with an incremental update, as a program that fills in or signs leaves it. */
function statement(): Uint8Array {
  const contents = [0, 1].map(
    (page) => `BT /F2 14 Tf 50 780 Td (Statement of account) Tj ET\n${rows(page).join('\n')}`,
  );
  const pages = contents.flatMap((content, index) => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${6 + 2 * index} 0 R
/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
    packed(content),
  ]);
  const fonts = FONTS.map((name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`);
  const tree = '<< /Type /Pages /Kids [5 0 R 7 0 R] /Count 2 >>';
  const info = '<< /Producer (Warm-up) /CreationDate (D:20260201101500Z) /ModDate (D:20260201101500Z) >>';
  const first = saved('%PDF-1.7\n', ['<< /Type /Catalog /Pages 2 0 R >>', tree, ...fonts, ...pages, info], 1);
  return Buffer.from(saved(first, [info], 9), 'latin1');
}

function rows(page: number): string[] {
  return Array.from({ length: ROWS }, (_, row) => {
    const [y, cents] = [720 - 20 * row, 100_000 + (page * ROWS + row) * 1_234];
    const balance = (cents / 100).toFixed(2);
    const day = `${String(row + 1).padStart(2, '0')}.0${page + 1}.2026`;
    return `BT /F1 10 Tf 50 ${y} Td (${day}) Tj 90 0 Td (Transfer) Tj 250 0 Td (12.34) Tj 90 0 Td (${balance}) Tj ET`;
  });
}

function packed(content: string): string {
  const data = deflateSync(content).toString('latin1');
  return `<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n${data}\nendstream`;
}

/** Appends objects, numbered from `from`, with a cross-reference table and a trailer. */
function saved(before: string, objects: readonly string[], from: number): string {
  let text = before;
  const entries = objects.map((object, index) => {
    const entry = `${from + index} 1\n${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${from + index} 0 obj\n${object}\nendobj\n`;
    return entry;
  });
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(before)?.[1];
  const trailer = `<< /Size 10 /Root 1 0 R /Info 9 0 R ${previous ? `/Prev ${previous} ` : ''}>>`;
  return `${text}xref\n${entries.join('')}trailer\n${trailer}\nstartxref\n${text.length}\n%%EOF\n`;
}
