/** Trusted markup, in which all interpolated text is escaped. Only `html` creates it. */
export class Html {
  readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = Html | string | number | undefined | Part[];

/** Template tag that escapes every interpolation except markup. Undefined renders as nothing. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((markup, string, index) => markup + render(parts[index - 1]) + string));
}

/** Third-party text, isolated for its writing direction. */
export function isolated(text: string): Html;
export function isolated(text: string | null): Html | null;
export function isolated(text: string | null): Html | null {
  return text === null ? null : html`<bdi>${text}</bdi>`;
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.markup;
  return Array.isArray(part) ? part.map(render).join('') : escaped(String(part));
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
