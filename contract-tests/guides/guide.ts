import { readdirSync, readFileSync } from 'node:fs';

/** The path of a program in `examples/`, from its path in the repository. */
export const exampleFile = (path: string) => new URL(`../../${path}`, import.meta.url).pathname;

const FOLDER = new URL('../../docs/guides/', import.meta.url);

/** A fenced code block of a guide. */
export interface Block {
  language: string;
  text: string;
  /** The heading above it. */
  heading: string;
}

/** The file names of all guides. */
export const guideNames = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

export function readGuide(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** The fenced code blocks of a guide, in order. */
export function blocksOf(name: string): Block[] {
  const pieces = readGuide(name).matchAll(/^(?:#+ (?<heading>[^\n]+)|```(?<language>\w+)\n(?<text>.*?)\n```)$/gms);
  let heading = '';
  const blocks: Block[] = [];
  for (const { groups = {} } of pieces) {
    const { language, text } = groups;
    if (language === undefined || text === undefined) heading = groups['heading'] ?? '';
    else blocks.push({ language, text, heading });
  }
  return blocks;
}

/** The only block in a language under a heading. @throws unless there is exactly one */
export function blockUnder(name: string, heading: string, language: string): string {
  const [found, ...others] = blocksOf(name).filter((block) => block.heading === heading && block.language === language);
  if (!found || others.length > 0) throw new Error(`${name} needs exactly one ${language} block under "${heading}".`);
  return found.text;
}
