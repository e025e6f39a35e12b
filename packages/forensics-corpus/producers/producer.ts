import type { Drawing, Face } from '../drawing.ts';
import type { Random } from '../random.ts';

/** Writes a drawing as a PDF. */
export interface Producer {
  name: string;
  /** Whether it supports letters outside Windows code page 1252. */
  allLetters: boolean;
  /** Whether it supports pictures. */
  pictures: boolean;
  /** Whether its output is deterministic for a seed. */
  deterministic: boolean;
  /** @param created the creation date in the file */
  write(drawing: Drawing, created: Date, random: Random): Promise<Uint8Array>;
}

/** Names that banks' and employers' own software writes into files. */
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

/** An npm-installed font with all European letters, for all typefaces but typewriter; serif becomes sans. */
export function fontFile(face: Face): URL {
  const name = liberation[face.endsWith('bold') ? 'sans-bold' : 'sans'];
  return new URL(`standard_fonts/${name}`, import.meta.resolve('pdfjs-dist/package.json'));
}
