import stringWidth from 'string-width';
import { wrap } from './wrap.ts';

export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan';

export interface TextOptions {
  /** Width of the terminal. */
  columns: number;
  /** Styles a text, or returns it unchanged if styles are not supported. */
  paint(style: Style, text: string): string;
}

export const MARGIN = '  ';

interface ProseOptions {
  style?: Style;
  /** Columns before each line. */
  indent?: number;
  /** Precedes the first line, within the indent. It may hold escape sequences, so its visible width is given. */
  label?: { text: string; width: number };
}

/** Collects the lines of a report, wrapped to the terminal. */
export class Writer {
  readonly options: TextOptions;
  private readonly lines: string[] = [];

  constructor(options: TextOptions) {
    this.options = options;
  }

  blank(): void {
    if (this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('');
  }

  heading(text: string): void {
    this.blank();
    this.prose(text, { style: 'bold', indent: 0 });
  }

  prose(text: string, { style, indent = MARGIN.length, label }: ProseOptions = {}): void {
    const { columns, paint } = this.options;
    const head = label ? label.text + ' '.repeat(Math.max(0, indent - label.width)) : ' '.repeat(indent);
    wrap(text, columns - indent).forEach((line, index) => {
      this.lines.push((index === 0 ? head : ' '.repeat(indent)) + (style ? paint(style, line) : line));
    });
  }

  /** A label in the margin with its text beside it. */
  row(name: string, text: string, indent: number, style?: Style): void {
    const label = { text: MARGIN + this.options.paint('dim', name), width: MARGIN.length + stringWidth(name) };
    this.prose(text, { indent, label, ...(style ? { style } : {}) });
  }

  rule(text: string): void {
    this.blank();
    const { columns, paint } = this.options;
    const [name = ''] = wrap(text, columns - 8);
    this.lines.push(
      `${paint('dim', '──')} ${paint('bold', name)} ${paint('dim', '─'.repeat(Math.max(2, columns - 4 - stringWidth(name))))}`,
    );
  }

  text(): string {
    return this.lines.join('\n');
  }
}
