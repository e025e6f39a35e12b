import { readFile } from 'node:fs/promises';

const END = '<!-- /generated -->';

interface Part {
  /** As the page's comment `<!-- generated: … -->` names it. */
  part: string;
  text: string;
}

/** A page with its generated parts replaced. @throws when the page has no place for one */
export async function withParts(page: URL, parts: readonly Part[]): Promise<string> {
  return parts.reduce((text, part) => withPart(page, text, part), await readFile(page, 'utf8'));
}

function withPart(page: URL, text: string, { part, text: generated }: Part): string {
  const begin = `<!-- generated: ${part} -->\n`;
  const from = text.indexOf(begin);
  const to = text.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`${page.pathname} has no ${begin.trim()} before ${END}.`);
  return `${text.slice(0, from)}${begin}\n${generated}\n${text.slice(to)}`;
}
