import MarkdownIt from 'markdown-it';
import anchors from 'markdown-it-anchor';
import { slugOf } from './addresses.ts';
import { codeBlock } from './code-block.ts';
import { codeHtml } from './html.ts';
import { plainText, type Section, sectionsOf } from './search/sections.ts';
import { withLabelledCells } from './tables.ts';

export interface Heading {
  level: number;
  id: string;
  text: string;
}

export interface Article {
  title: string;
  /** The first paragraph as plain text. */
  lead: string;
  html: string;
  headings: Heading[];
  /** The text between headings, and each table row that can be linked, for the search. Without program listings. */
  sections: Section[];
}

const toItself = () => anchors.permalink.headerLink({ safariReaderFix: true });

/** @param text with links as the site has them @param omit heading of a column to leave out */
export function renderMarkdown(text: string, omit?: string): Article {
  const headings: Heading[] = [];
  const markdown = new MarkdownIt({ html: false, typographer: false });
  markdown.use(anchors, {
    level: [2, 3, 4],
    slugify: slugOf,
    tabIndex: false,
    permalink: linkHeading,
    callback: ({ tag }, { slug, title }) => headings.push({ level: Number(tag.slice(1)), id: slug, text: title }),
  });
  useRules(markdown);
  const tokens = withLabelledCells(markdown.parse(text, {}), omit);
  const plain = (opening: string) => plainText(tokens[tokens.findIndex(({ type }) => type === opening) + 1]);
  const sections = sectionsOf(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return { title: plain('heading_open'), lead: plain('paragraph_open'), html, headings, sections };
}

/** A heading links to itself, unless it holds a link already. */
const linkHeading: ReturnType<typeof toItself> = (slug, options, state, index) => {
  const holdsLink = state.tokens[index + 1]?.children?.some(({ type }) => type === 'link_open');
  if (!holdsLink) toItself()(slug, options, state, index);
};

function useRules({ renderer }: InstanceType<typeof MarkdownIt>): void {
  renderer.rules['fence'] = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    return codeBlock(content, info.trim().split(/\s+/)[0] ?? '');
  };
  renderer.rules['code_inline'] = (tokens, index) => codeHtml(tokens[index]?.content ?? '');
  renderer.rules['table_open'] = (tokens, index, options, _env, self) =>
    `<div class="table" role="group" aria-label="Table" tabindex="0">${self.renderToken(tokens, index, options)}`;
  renderer.rules['table_close'] = () => '</table></div>\n';
}
