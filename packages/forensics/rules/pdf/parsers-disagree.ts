import { Unreadable } from '../../model.ts';
import { entry, nameOf } from '../../pdf/objects.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { contentTokens, pageContent, shownBytes } from '../../pdf/residue/content.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { isKeyword } from '../../pdf/tokens.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

/** Fewer characters are a page number, which a reader may pass. */
const LEAST_CHARACTERS = 20;
const PAGES = 200;

/**
 * A file is read twice: by our own reader, which follows the file's structure, and by pdf.js, which stands for what people see. Where
 * one sees other pages than the other, or text where the other sees none, the file is built so that readers differ: each sees its own
 * document, and a check that uses one may pass over what the other shows. Both readings are named.
 *
 * What pages that draw through forms and annotations show is not compared: our reader counts the text of the page's own content alone.
 *
 * Known false positives: damaged files, which every reader repairs in its own way.
 *
 * Source: ISO 32000-1, 7.5 and 7.7.3; Mladenov et al., "Shadow Attacks" (2021), for files that readers show differently.
 */
export const parsersDisagree: Rule = {
  name: 'parsers-disagree',
  version: 1,
  title: 'Whether readers agree on the file',
  strength: 'medium',
  family: 'structure',
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const [own, shown] = [ownReading(bytes), await viewersReading(bytes)];
    if (own instanceof Unreadable && shown instanceof Unreadable) throw own;
    if (own instanceof Unreadable) return verdictOf(shown instanceof Unreadable ? [] : [unreadHere(own, shown.length)]);
    // A damaged file: the document is inconclusive for that, and readers that repair it owe each other nothing.
    if (shown instanceof Unreadable) throw shown;
    if (own.pages.length !== shown.length) return verdictOf([differentPages(own.pages.length, shown.length)]);
    return verdictOf(own.pages.slice(0, PAGES).flatMap((_, index) => differentText(own, index, shown[index] ?? 0)));
  },
};

interface OwnReading {
  structure: Structure;
  pages: ReturnType<Structure['current']['pages']>;
}

/** A fault of our reader is one reading, too. */
function ownReading(bytes: Uint8Array): OwnReading | Unreadable {
  try {
    const structure = structureOf(bytes);
    return { structure, pages: structure.current.pages() };
  } catch (error) {
    return error instanceof Unreadable ? error : new Unreadable('The structure of the file cannot be read.');
  }
}

/** The number of characters that each page shows. */
async function viewersReading(bytes: Uint8Array): Promise<number[] | Unreadable> {
  try {
    const pages = await readPaint(bytes);
    return pages.map(({ marks }) =>
      marks.reduce((sum, mark) => sum + (mark.kind === 'text' ? mark.text.trim().length : 0), 0),
    );
  } catch (error) {
    if (error instanceof Unreadable) return error;
    throw error;
  }
}

function unreadHere({ message }: Unreadable, pages: number): Finding {
  return {
    message: `A viewer shows ${counted(pages)} of this file, but its structure cannot be followed: ${message}`,
    evidence: [{ details: { structure_pages: 'unreadable', viewer_pages: pages } }],
  };
}

function differentPages(own: number, shown: number): Finding {
  return {
    message: `By its structure the file has ${counted(own)}, and a viewer shows ${counted(shown)}.`,
    evidence: [{ details: { structure_pages: own, viewer_pages: shown } }],
  };
}

function differentText({ structure, pages }: OwnReading, index: number, shown: number): Finding[] {
  const page = pages[index];
  const content = page && pageContent(structure, page);
  if (page === undefined || content === undefined || entry(page.value, 'Annots') !== undefined) return [];
  const own = shownBytes(content).length;
  const isApart = (own === 0 && shown >= LEAST_CHARACTERS) || (shown === 0 && own >= LEAST_CHARACTERS);
  if (!isApart || drawsMore(content, structure, page)) return [];
  const readings = `${own === 0 ? 'no text' : `text of ${own} bytes`}, and a viewer shows ${shown === 0 ? 'none' : `${shown} characters`}`;
  return [
    {
      message: `By the structure of the file page ${index + 1} has ${readings}.`,
      evidence: [{ page: index + 1, details: { structure_bytes: own, viewer_characters: shown } }],
    },
  ];
}

/** Whether a page draws things that hold text of their own, or hides some of it in layers and behind clips of text. */
function drawsMore(content: Uint8Array, structure: Structure, page: OwnReading['pages'][number]): boolean {
  if (nameOf(structure.current.get(page.value, 'Type')) !== 'Page') return true;
  for (const { token } of contentTokens(content))
    if (isKeyword(token) && ['Do', 'BDC', 'Tr', 'sh', 'scn'].includes(token.keyword)) return true;
  return false;
}

function counted(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}
