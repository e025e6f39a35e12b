import type { ReportWords } from '../../core/reports/content.ts';
import type { Line } from '../../core/reports/in-words.ts';
import { CONTENT_WIDTH, PAGE, type Pdf } from './pdf-file.ts';

const INK = '#1c2522';
const SOFT = '#55625c';
const RULE = '#d5dcd9';
const LABEL_WIDTH = 150;
const VALUE_WIDTH = CONTENT_WIDTH - LABEL_WIDTH - 10;
/** The height of a line, as a share of the font's size. */
const LINE = 1.4;
/** A paragraph begins with as many lines on a page, or is moved to the next. */
const MIN_LINES = 3;
/** Tables that are less tall are not divided, in points. */
const MAX_TOGETHER = 160;

type Element = ReturnType<Pdf['struct']>;
type Heading = 'H1' | 'H2' | 'H3';

const HEADINGS: Record<Heading, { size: number; above: number; below: number }> = {
  H1: { size: 21, above: 0, below: 6 },
  H2: { size: 14.5, above: 18, below: 6 },
  H3: { size: 11, above: 12, below: 3 },
};

/**
 * Writes a report down the pages: each piece is tagged for readers that speak, and stays together where it is short. Only decoration is an
 * artifact.
 */
export class ReportPen {
  readonly pdf: Pdf;
  readonly #accent: string;
  readonly #root: Element;
  /** Headings wait for what they introduce, so that none is the last line of a page. */
  #waiting: [Heading, string][] = [];

  constructor(pdf: Pdf, accent: string) {
    this.pdf = pdf;
    this.#accent = accent;
    pdf.addPage();
    this.#root = pdf.struct('Document');
    pdf.addStructure(this.#root);
  }

  end(): void {
    this.need(0);
    this.#root.end();
  }

  /** Begins a new page unless this much fits below the headings that wait, and writes these. */
  need(height: number): void {
    const headings = this.#waiting;
    this.#waiting = [];
    const above = headings.reduce((sum, [level, text]) => sum + this.#heightOf(level, text), 0);
    if (this.pdf.y + above + height > PAGE.height - PAGE.bottom) this.pdf.addPage();
    for (const [level, text] of headings) this.#writeHeading(level, text);
  }

  heading(level: Heading, text: string): void {
    this.#waiting.push([level, text]);
  }

  #heightOf(level: Heading, text: string): number {
    const { size, above, below } = HEADINGS[level];
    this.pdf.font('bold').fontSize(size);
    const height = this.pdf.heightOfString(printable(text), { width: CONTENT_WIDTH });
    return above + height + below + (level === 'H2' ? 4 : 0);
  }

  #writeHeading(level: Heading, text: string): void {
    const { size, above, below } = HEADINGS[level];
    if (this.pdf.y > PAGE.top) this.pdf.y += above;
    this.#text(text, { font: 'bold', size, colour: level === 'H3' ? INK : this.#accent, tag: level });
    this.pdf.y += below;
    if (level === 'H2') this.#rule();
  }

  paragraph(text: string, look: { isSoft?: boolean; size?: number; font?: 'regular' | 'bold' } = {}): void {
    const { isSoft = false, size = 9.5, font = 'regular' } = look;
    const { pdf } = this;
    pdf.font(font).fontSize(size);
    const lines = pdf.heightOfString(printable(text), { width: CONTENT_WIDTH });
    this.need(Math.min(lines, MIN_LINES * LINE * size));
    this.#text(text, { font, size, colour: isSoft ? SOFT : INK, tag: 'P' });
    pdf.y += 4;
  }

  /** A table of two columns, which a reader announces as rows with headers. */
  facts(lines: readonly Line[]): void {
    if (lines.length === 0) return;
    const heights = lines.map(([label, value]) => this.#heightOfRow(label, value));
    // A short table stays together with its heading.
    this.need(
      Math.min(
        heights.reduce((sum, height) => sum + height, 0),
        Math.max(MAX_TOGETHER, heights[0] ?? 0),
      ),
    );
    const table = this.pdf.struct('Table');
    this.#root.add(table);
    for (const [label, value] of lines) this.#row(table, label, value);
    table.end();
    this.pdf.y += 4;
  }

  #row(table: Element, label: string, value: string): void {
    const { pdf } = this;
    const height = this.#heightOfRow(label, value);
    this.need(height);
    const { y } = pdf;
    const row = pdf.struct('TR');
    table.add(row);
    pdf.font('regular').fontSize(9.5);
    pdf.fillColor(SOFT);
    pdf.text(printable(label), PAGE.margin, y, { width: LABEL_WIDTH, structParent: row, structType: 'TH' });
    pdf.fillColor(INK);
    pdf.text(printable(value), PAGE.margin + LABEL_WIDTH + 10, y, {
      width: VALUE_WIDTH,
      structParent: row,
      structType: 'TD',
    });
    row.end();
    pdf.x = PAGE.margin;
    pdf.y = y + height;
  }

  #heightOfRow(label: string, value: string): number {
    const { pdf } = this;
    pdf.font('regular').fontSize(9.5);
    const [left, right] = [
      pdf.heightOfString(printable(label), { width: LABEL_WIDTH }),
      pdf.heightOfString(printable(value), { width: VALUE_WIDTH }),
    ];
    return Math.max(left, right) + 4;
  }

  /** An item of two parts has the words of a check below, which readers that speak read in English. */
  list(items: readonly (string | ReportWords)[], colour = INK): void {
    if (items.length === 0) return;
    const { pdf } = this;
    const width = CONTENT_WIDTH - 14;
    const needFor = ({ message }: ReportWords) => {
      pdf.font('regular').fontSize(9.5);
      this.need(Math.min(60, pdf.heightOfString(message, { width })) + 3);
      pdf.font('regular').fontSize(9.5);
    };
    const parts = items.map((item): ReportWords => (typeof item === 'string' ? { message: item } : item));
    const lines = parts.map(({ message, english = '' }) => ({
      message: printable(message),
      english: printable(english),
    }));
    // The headings that wait come before the list for readers that speak, too.
    if (lines[0]) needFor(lines[0]);
    const list = pdf.struct('L');
    this.#root.add(list);
    for (const line of lines) {
      needFor(line);
      const element = pdf.struct('LI');
      list.add(element);
      const { y } = pdf;
      pdf
        .fillColor(this.#accent)
        .text('•', PAGE.margin + 2, y, { width: 10, structParent: element, structType: 'Lbl' });
      const body = pdf.struct('LBody');
      element.add(body);
      pdf.fillColor(colour).text(line.message, PAGE.margin + 14, y, { width, structParent: body, structType: 'P' });
      if (line.english !== '') {
        const quoted = pdf.struct('P', { lang: 'en' });
        body.add(quoted);
        pdf.fontSize(8).fillColor(SOFT);
        pdf.text(line.english, { width, structParent: quoted, structType: 'Span' });
        quoted.end();
      }
      body.end();
      element.end();
      pdf.x = PAGE.margin;
      pdf.y += 3;
    }
    list.end();
    pdf.y += 3;
  }

  /** A boxed remark. */
  remark(title: string, text: string): void {
    const { pdf } = this;
    const width = CONTENT_WIDTH - 24;
    pdf.font('regular').fontSize(9.5);
    const height = pdf.heightOfString(text, { width }) + 38;
    this.need(height + 8);
    const top = pdf.y;
    this.decorate(() => {
      pdf.rect(PAGE.margin, top, CONTENT_WIDTH, height).fill('#f4f7f6');
      pdf.rect(PAGE.margin, top, 3, height).fill(this.#accent);
    });
    pdf.y = top + 10;
    this.#text(title, { font: 'bold', size: 10.5, colour: INK, tag: 'P', indent: 14, width });
    pdf.y += 2;
    this.#text(text, { font: 'regular', size: 9.5, colour: INK, tag: 'P', indent: 14, width });
    pdf.y = top + height + 10;
  }

  /** A figure with its description. @param draw draws within a box of this size, from its top left corner */
  figure(description: string, size: { width: number; height: number }, draw: (x: number, y: number) => void): void {
    const { pdf } = this;
    this.need(size.height + 24);
    const { y } = pdf;
    const x = PAGE.margin;
    const figure = pdf.struct('Figure', { alt: description }, () => draw(x, y));
    this.#root.add(figure);
    figure.end();
    pdf.x = PAGE.margin;
    pdf.y = y + size.height + 6;
  }

  /** Draws what readers that speak leave out. */
  decorate(draw: () => void): void {
    this.pdf.markContent('Artifact', { type: 'Layout' });
    draw();
    this.pdf.endMarkedContent();
  }

  #rule(): void {
    const { pdf } = this;
    const { y } = pdf;
    this.decorate(() =>
      pdf
        .moveTo(PAGE.margin, y - 3)
        .lineTo(PAGE.margin + CONTENT_WIDTH, y - 3)
        .lineWidth(0.6)
        .stroke(RULE),
    );
    pdf.y = y + 4;
  }

  #text(
    text: string,
    look: { font: string; size: number; colour: string; tag: string; indent?: number; width?: number },
  ): void {
    const { font, size, colour, tag, indent = 0, width = CONTENT_WIDTH } = look;
    const { pdf } = this;
    pdf.font(font).fontSize(size).fillColor(colour);
    pdf.text(printable(text), PAGE.margin + indent, pdf.y, { width, structParent: this.#root, structType: tag });
    pdf.x = PAGE.margin;
  }
}

/** Letters of the embedded font; a character without one would be an empty box, which PDF/A forbids. */
const UNPRINTABLE =
  /[^\u0020-\u007e\u00a0-\u024f\u0370-\u0373\u0386-\u03ce\u0400-\u045f\u0490-\u0491\u1e00-\u1eff\u2010-\u2022\u2026\u2030\u2039\u203a\u20ac\u202f]/gu;

export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069]/gu, '')
    .replace(/\s+/gu, (gap) => (gap === '\u00a0' || gap === '\u202f' ? '\u00a0' : ' '))
    .replace(UNPRINTABLE, '?');
}
