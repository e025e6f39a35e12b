import { Unreadable } from '../../model.ts';
import { entry, nameOf } from '../../pdf/objects.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { contentTokens, pageContent, shownBytes } from '../../pdf/residue/content.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { isKeyword } from '../../pdf/tokens.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

/** Fewer characters are a page number, which one of the readers may skip. */
const MIN_CHARACTERS = 20;
/** Viewers show no text in a font that they cannot read. */
const MIN_HIDDEN = 60;
const PAGES = 200;

/**
 * Reads a file twice: with our own reader, which follows the file's structure, and with pdf.js, which stands for what people see. If the
 * two see different pages, or text where the other sees none, the file is built so that readers differ: each shows its own document, and a
 * check that uses one may miss what the other shows. The finding states both readings.
 *
 * Pages that draw through forms or have annotations are not compared, because our reader counts only the text of the page's own content.
 *
 * A structure that leads nowhere, although viewers repair it, makes the check unreadable: then the file is inconclusive at best.
 *
 * Known false positives: damaged files, which every reader repairs in its own way.
 *
 * Source: ISO 32000-1, 7.5 and 7.7.3; Mladenov et al., "Shadow Attacks" (2021), for files that readers show differently.
 */
export const parsersDisagree: Rule = {
  name: 'parsers-disagree',
  version: 2,
  title: 'Whether readers agree on the file',
  strength: 'medium',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const [own, shown] = [ownReading(bytes), await viewersReading(bytes)];
    if (own instanceof Unreadable) throw own;
    // A damaged file is inconclusive for that reason; readers that repair it need not agree.
    if (shown instanceof Unreadable) throw shown;
    const compared = { count: shown.length, what: 'page' };
    if (own.pages.length !== shown.length) return verdictOf([differentPages(own.pages.length, shown.length)], compared);
    return verdictOf(
      own.pages.slice(0, PAGES).flatMap((_, index) => differentText(own, index, shown[index] ?? 0)),
      compared,
    );
  },
};

interface OwnReading {
  structure: Structure;
  pages: ReturnType<Structure['current']['pages']>;
}

/** Any failure of our reader counts as a reading. */
function ownReading(bytes: Uint8Array): OwnReading | Unreadable {
  try {
    const structure = structureOf(bytes);
    const pages = structure.current.pages();
    return pages.length > 0 ? { structure, pages } : new Unreadable('Its structure leads to no page.');
  } catch (error) {
    return error instanceof Unreadable ? error : new Unreadable('The structure of the file cannot be read.');
  }
}

/** The number of characters shown on each page. */
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

function differentPages(own: number, shown: number): Finding {
  return {
    message: `By its structure the file has ${counted(own)}, and a viewer shows ${counted(shown)}.`,
    evidence: [{ details: { structure_pages: own, viewer_pages: shown } }],
  };
}

function differentText({ structure, pages }: OwnReading, index: number, shown: number): Finding[] {
  const page = pages[index];
  if (page === undefined || entry(page.value, 'Annots') !== undefined) return [];
  const content = pageContent(structure, page) ?? new Uint8Array(0);
  // Where a viewer shows text, it matters only whether there is any.
  const own = shownBytes(content, shown > 0 ? 1 : undefined).length;
  const isApart = (own === 0 && shown >= MIN_CHARACTERS) || (shown === 0 && own >= MIN_HIDDEN);
  if (!isApart || drawsMore(content, structure, page)) return [];
  const readings = `${own === 0 ? 'no text' : `text of ${own} bytes`}, and a viewer shows ${shown === 0 ? 'none' : `${shown} characters`}`;
  return [
    {
      message: `By the structure of the file page ${index + 1} has ${readings}.`,
      evidence: [{ page: index + 1, details: { structure_bytes: own, viewer_characters: shown } }],
    },
  ];
}

/** Whether the page may show more text than its own operators do (forms, shadings, patterns), or less (layers, rendering modes). */
function drawsMore(content: Uint8Array, structure: Structure, page: OwnReading['pages'][number]): boolean {
  if (nameOf(structure.current.get(page.value, 'Type')) !== 'Page') return true;
  for (const { token } of contentTokens(content))
    if (isKeyword(token) && ['Do', 'BDC', 'Tr', 'sh', 'scn'].includes(token.keyword)) return true;
  return false;
}

function counted(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`;
}
