import { PDFDocument, type PDFFont, StandardFonts } from '@cantoo/pdf-lib';

/** The content of a document before a producer writes it into a file. In points, from the top left. */
export interface Drawing {
  title: string;
  sheets: Sheet[];
  /** Values that a forger might want to change. */
  targets: Target[];
  /** Whether the Windows code page 1252 has all of its letters. */
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
  /** The text's left or right end, by its alignment. */
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
  /**
   * Whether the other figures of the document give a change of it away, as a balance that follows from the one before, or check
   * digits.
   */
  bound: boolean;
  /** Which mark of its page it is in. */
  mark: number;
}

const black: Colour = [0, 0, 0];

export type TextStyle = Partial<Pick<TextMark, 'size' | 'face' | 'align' | 'colour'>>;

/** Puts marks on sheets, and remembers which of them are targets. */
export class Pen {
  readonly sheets: Sheet[] = [];
  readonly targets: Target[] = [];
  readonly #width: number;
  readonly #height: number;

  /** A4 unless said otherwise. */
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

  /** Text of which a part, or all, may be changed. */
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

  /** A line across, half a point thick. */
  rule(x: number, y: number, width: number, colour: Colour = black): void {
    this.rect(x, y, width, 0.5, colour);
  }

  done(title: string, western: boolean): Drawing {
    return { title, sheets: this.sheets, targets: this.targets.filter((target) => this.#isAlone(target)), western };
  }

  /** A value that appears twice is ambiguous, both to the tampering and to the judge. */
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

/** Letters beyond the code page count like others: what has them is about as wide. */
export function widthOf(text: string, face: Face, size: number): number {
  const counted = [...text]
    .map((letter) => ((letter.codePointAt(0) ?? 0) > 255 && letter !== '€' ? 'n' : letter))
    .join('');
  return measureOf(face).widthOfTextAtSize(counted, size);
}

export function leftOf({ text, face, size, x, align }: TextMark): number {
  return align === 'left' ? x : x - widthOf(text, face, size);
}

/** As much of it as fits, for columns. */
export function fitted(text: string, face: Face, size: number, width: number): string {
  let kept = text;
  while (kept.length > 1 && widthOf(kept, face, size) > width) kept = kept.slice(0, -1);
  return kept;
}
