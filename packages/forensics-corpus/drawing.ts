import { PDFDocument, type PDFFont, StandardFonts } from '@cantoo/pdf-lib';

/** The content of a document before a producer writes it to a file. In points, from the top left. */
export interface Drawing {
  title: string;
  sheets: Sheet[];
  /** Values that a forger might want to change. */
  targets: Target[];
  /** Whether Windows code page 1252 covers all of its letters. */
  western: boolean;
}

export interface Sheet {
  width: number;
  height: number;
  marks: Mark[];
}

export type Face = 'sans' | 'sans-bold' | 'serif' | 'serif-bold' | 'mono' | 'mono-bold';
/** Red, green, blue, 0 to 1. */
export type Colour = readonly [number, number, number];

export interface TextMark {
  kind: 'text';
  /** The left or right end of the text, depending on its alignment. */
  x: number;
  /** The baseline. */
  y: number;
  text: string;
  size: number;
  face: Face;
  align: 'left' | 'right';
  colour: Colour;
}

interface RectMark {
  kind: 'rect';
  x: number;
  y: number;
  width: number;
  height: number;
  fill: Colour;
}

interface PictureMark {
  kind: 'picture';
  x: number;
  y: number;
  width: number;
  height: number;
  bytes: Uint8Array;
  type: 'jpeg' | 'png';
}

export type Mark = TextMark | RectMark | PictureMark;

const targetNames = ['amount', 'balance', 'net', 'gross', 'name', 'date', 'iban', 'mrz', 'number'] as const;
export type TargetName = (typeof targetNames)[number];

/** A value on the page. */
export interface Target {
  name: TargetName;
  /** From 1. */
  page: number;
  text: string;
  /** Whether other figures of the document reveal a change of it, such as a balance that follows from the previous one, or check digits. */
  bound: boolean;
  /** The index of its mark on the page. */
  mark: number;
}

const black: Colour = [0, 0, 0];

export type TextStyle = Partial<Pick<TextMark, 'size' | 'face' | 'align' | 'colour'>>;

/** Draws marks on sheets and records which of them are targets. */
export class Pen {
  readonly sheets: Sheet[] = [];
  readonly targets: Target[] = [];
  readonly #width: number;
  readonly #height: number;

  /** A4 by default. */
  constructor(width = 595, height = 842) {
    this.#width = width;
    this.#height = height;
  }

  newSheet(): void {
    this.sheets.push({ width: this.#width, height: this.#height, marks: [] });
  }

  get marks(): Mark[] {
    if (this.sheets.length === 0) this.newSheet();
    return this.sheets.at(-1)?.marks ?? [];
  }

  text(x: number, y: number, text: string, style: TextStyle = {}): void {
    const { size = 9, face = 'sans', align = 'left', colour = black } = style;
    this.marks.push({ kind: 'text', x, y, text, size, face, align, colour });
  }

  /** Text that contains a target, or is one. */
  target(
    name: TargetName,
    bound: boolean,
    x: number,
    y: number,
    text: string,
    style: TextStyle = {},
    part = text,
  ): void {
    this.text(x, y, text, style);
    this.targets.push({ name, page: this.sheets.length, text: part, bound, mark: this.marks.length - 1 });
  }

  rect(x: number, y: number, width: number, height: number, fill: Colour): void {
    this.marks.push({ kind: 'rect', x, y, width, height, fill });
  }

  /** A horizontal line, half a point thick. */
  rule(x: number, y: number, width: number, colour: Colour = black): void {
    this.rect(x, y, width, 0.5, colour);
  }

  done(title: string, western: boolean): Drawing {
    return { title, sheets: this.sheets, targets: this.targets.filter((target) => this.#isAlone(target)), western };
  }

  /** A value that appears twice is ambiguous, for the tampering and for the judge. */
  #isAlone({ text }: Target): boolean {
    const texts = this.sheets.flatMap(({ marks }) => marks).filter((mark) => mark.kind === 'text');
    const found = texts.reduce((total, mark) => total + mark.text.split(text).length - 1, 0);
    return found === 1;
  }
}

export const standardNames = {
  sans: StandardFonts.Helvetica,
  'sans-bold': StandardFonts.HelveticaBold,
  serif: StandardFonts.TimesRoman,
  'serif-bold': StandardFonts.TimesRomanBold,
  mono: StandardFonts.Courier,
  'mono-bold': StandardFonts.CourierBold,
} satisfies Record<Face, StandardFonts>;

const measuring = await PDFDocument.create();
const measures = new Map<Face, PDFFont>();

function measureOf(face: Face): PDFFont {
  const known = measures.get(face) ?? measuring.embedStandardFont(standardNames[face]);
  measures.set(face, known);
  return known;
}

/** Counts letters outside the code page as "n": fonts that have them are about as wide. */
export function widthOf(text: string, face: Face, size: number): number {
  const counted = [...text]
    .map((letter) => ((letter.codePointAt(0) ?? 0) > 255 && letter !== '€' ? 'n' : letter))
    .join('');
  return measureOf(face).widthOfTextAtSize(counted, size);
}

export function leftOf({ text, face, size, x, align }: TextMark): number {
  return align === 'left' ? x : x - widthOf(text, face, size);
}

/** The longest prefix that fits, for columns. */
export function fitted(text: string, face: Face, size: number, width: number): string {
  let kept = text;
  while (kept.length > 1 && widthOf(kept, face, size) > width) kept = kept.slice(0, -1);
  return kept;
}
