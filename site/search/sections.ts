import MarkdownIt, { type Token } from 'markdown-it';

/** What the search finds of a page at once. */
export interface Section {
  /** The fragment of its heading or table row; none before the first heading. */
  id: string | undefined;
  heading: string;
  text: string;
}

/** The text below each heading, and each table row with an identifier. Program listings are left out. */
export function sectionsOf(tokens: readonly Token[]): Section[] {
  let current: Section = { id: undefined, heading: '', text: '' };
  let aroundRow: Section | undefined;
  const sections = [current];
  const begin = (id: string | undefined, heading: string) => {
    current = { id, heading, text: '' };
    sections.push(current);
  };
  tokens.forEach((token, index) => {
    const { type } = token;
    const attribute = token.attrGet('id');
    const id = attribute === null ? undefined : String(attribute);
    if (type === 'heading_open' && id !== undefined) begin(id, plainText(tokens[index + 1]));
    if (type === 'tr_open' && id !== undefined) {
      aroundRow = current;
      begin(id, id);
    }
    if (type === 'tr_close' && aroundRow) {
      current = aroundRow;
      aroundRow = undefined;
    }
    const before = tokens[index - 1]?.type;
    if (type !== 'inline' || before === 'heading_open' || plainText(token) === current.id) return;
    const separator = before === 'td_open' || before === 'th_open' ? ' · ' : ' ';
    current.text += (current.text && separator) + plainText(token);
  });
  return sections.filter(({ heading, text }) => heading !== '' || text !== '');
}

/** A token's text without markup. */
export function plainText(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' || type === 'hardbreak' ? ' ' : content))
    .join('')
    .trim();
}

/** Markdown as one line of plain text. */
export function wordsOf(markdown: string): string {
  return new MarkdownIt()
    .parse(markdown, {})
    .map(plainText)
    .filter((text) => text !== '')
    .join(' ');
}
