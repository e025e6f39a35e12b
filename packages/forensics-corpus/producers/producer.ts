import type { Drawing, Face } from '../drawing.ts';
import type { Random } from '../random.ts';

/** What turns paper into a PDF. */
export interface Producer {
  name: string;
  /** Whether it writes letters beyond the Windows code page 1252. */
  allLetters: boolean;
  /** Whether it draws pictures. */
  pictures: boolean;
  /** Whether the same seed gives the same bytes. */
  deterministic: boolean;
  /** @param created what the file says of when it was made */
  write(drawing: Drawing, created: Date, random: Random): Promise<Uint8Array>;
}

/** What banks' and employers' own software calls itself. */
export const creators = [
  'DocuPrint Server 7.1',
  'OutputHub',
  'StatementFactory 4',
  'Payroll Suite 2024',
  'CoreBanking Forms',
];

const liberation = {
  sans: 'LiberationSans-Regular.ttf',
  'sans-bold': 'LiberationSans-Bold.ttf',
} as const;

/** A font with all letters of Europe that comes from npm, for all faces but typewriters'; serif becomes sans. */
export function fontFile(face: Face): URL {
  const name = liberation[face.endsWith('bold') ? 'sans-bold' : 'sans'];
  return new URL(`standard_fonts/${name}`, import.meta.resolve('pdfjs-dist/package.json'));
}
