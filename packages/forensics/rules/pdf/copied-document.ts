import type { Document } from '../../model.ts';
import { COPIED_DOCUMENT } from '../../named-rules.ts';
import { cut } from '../../pdf/diff/values.ts';
import { dictionaryOf, entry, listOf, nameOf, type PdfObject } from '../../pdf/objects.ts';
import type { PaintedPage } from '../../pdf/paint/marks.ts';
import { area } from '../../pdf/paint/matrix.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { programNamed, type Trade } from '../../pdf/producers.ts';
import { programsNamed } from '../../pdf/programs-named.ts';
import { contentTokens, pageContent } from '../../pdf/residue/content.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { figuresAddedTo } from '../../pdf/text/added.ts';
import { seenRuns } from '../../pdf/text/seen.ts';
import { wordsOf } from '../../pdf/text/words.ts';
import { isKeyword } from '../../pdf/tokens.ts';
import { consumerProgramOf } from '../../pdf/writing/consumer-programs.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

const PAGES = 500;
/** Pictures that cover less of a page are logos and photographs. */
const MAX_PAGE_SHARE = 0.5;
/** Scanning programs add their name below. */
const FEW_WORDS = 5;
const CHANGES_PAGES: ReadonlySet<Trade> = new Set<Trade>(['editor', 'graphics']);
const LISTED = 10;
const MARKS = 1000;
const MARKUP = new Set(['Highlight', 'Underline', 'Squiggly', 'StrikeOut']);
const ASK_FOR_FILE = 'Ask for the file as it was downloaded, not printed, scanned or photographed.';
const ASK_FOR_ORIGINAL =
  'Ask for the file as it was downloaded; of an identity card or passport, look at the original.';
/** Operators that paint content; a page that only shows another one has none of them. */
const SHOWN = new Set(['Tj', 'TJ', "'", '"', 'BI', 'sh']);

/**
 * A copy shows what a document looked like, and nothing about how it was made: images of pages, pages printed into a new file or
 * written with consumer software such as browsers, office programs, editors and drawing programs, and photographs. A forger who edits a
 * document and then prints or scans it leaves no trace, and an honest scan looks the same. So a copy never counts as a document without
 * findings: unless other findings decide, it is inconclusive, and the finding says what to ask for. The same applies to pages on which comments,
 * stamps or form fields show or hide figures.
 *
 * Known false positives: employers who create each payslip by printing it into a file, so that the original is a print; identity documents,
 * for which no file exists.
 *
 * Source: names and ways of writing (`pdf/writing/consumer-programs.ts`); how imposition libraries draw a page as a form (ISO 32000-1, 8.10).
 */
export const copiedDocument: Rule = {
  name: COPIED_DOCUMENT,
  version: 4,
  title: 'Whether the file is a copy',
  strength: 'context',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: async (document) =>
    verdictOf(document.kind === 'pdf' ? await copiesIn(document) : [picture()], { count: 1, what: 'file' }),
};

function picture(): Finding {
  const message = `The file is a picture of a document, which shows nothing of how the document came about. ${ASK_FOR_ORIGINAL}`;
  return { message, evidence: [{ page: 1 }] };
}

async function copiesIn({ bytes }: Document): Promise<Finding[]> {
  const painted = await readPaint(bytes);
  const only = painted.filter(isImageOnly).map(({ number }) => number);
  if (only.length > 0) {
    const message = `${pagesAre(only)} a scan, a photograph or a picture of a page, which shows nothing of how it came about. ${ASK_FOR_FILE}`;
    return [{ message, evidence: only.map((page) => ({ page })) }];
  }
  const structure = structureOf(bytes);
  const program = consumerProgramOf(structure);
  if (program !== undefined) return [printed(program)];
  const changed = programsNamed(structure).find(({ text }) =>
    CHANGES_PAGES.has(programNamed(text)?.trade ?? 'service'),
  );
  if (changed !== undefined) return [saved(changed.text)];
  const drawn = structure.current
    .pages()
    .slice(0, PAGES)
    .map((page, index) => ({ page: index + 1, ...drawnAgain(structure, page) }));
  const again = drawn.filter(({ isDrawnAgain }) => isDrawnAgain).map(({ page }) => page);
  if (again.length === 0) return written(painted, structure);
  const message = `${pagesAre(again)} drawn as a whole into a new file, as printing does. ${ASK_FOR_FILE}`;
  return [{ message, evidence: again.map((page) => ({ page })) }];
}

/** Whether a page shows pictures and almost no text; invisible recognised text over them makes no difference. */
function isImageOnly(page: PaintedPage): boolean {
  const { width, height, marks } = page;
  const pictured = marks.reduce((sum, { kind, box }) => sum + (kind === 'picture' ? area(box) : 0), 0);
  return pictured > MAX_PAGE_SHARE * width * height && wordsOf(seenRuns(page)).length <= FEW_WORDS;
}

function saved(program: string): Finding {
  return {
    message: `The file was saved with ${cut(program, 80)}, with which anyone can draw or change a page. ${ASK_FOR_FILE}`,
    evidence: [{ details: { program } }],
  };
}

function printed({ name, shownBy }: { name: string; shownBy: string }): Finding {
  return {
    message: `The file was printed or written with ${name} (${shownBy}), which anyone can do with any page, and not with software of an issuer alone. ${ASK_FOR_FILE}`,
    evidence: [{ details: { program: name, shown_by: shownBy } }],
  };
}

/** On pages to which figures were added as viewers add them, or marks that viewers draw differently. */
function written(painted: readonly PaintedPage[], structure: Structure): Finding[] {
  const marked = structure.current
    .pages()
    .slice(0, PAGES)
    .flatMap((page, index) => (hasUnplacedMark(structure, page) ? [{ page: index + 1 }] : []));
  const figures = painted.flatMap((page) => figuresAddedTo(page).map((box) => ({ page: page.number, box })));
  const places = [...figures, ...marked];
  const pages = [...new Set(places.map(({ page }) => page))];
  const where = pages.length === 1 ? `Page ${pages[0]} has` : `Pages ${listed(pages)} have`;
  const message = `${where} figures written or hidden with comments, stamps or form fields, which anyone can add. ${ASK_FOR_FILE}`;
  return places.length === 0 ? [] : [{ message, evidence: places }];
}

/** Text markup without the places that it marks (ISO 32000-1, 12.5.6.10): some viewers show its drawing and others, as our reader, do not. */
function hasUnplacedMark({ current }: Structure, page: PdfObject): boolean {
  return current
    .list(page.value, 'Annots')
    .slice(0, MARKS)
    .some(
      (mark) =>
        MARKUP.has(nameOf(current.get(mark, 'Subtype')) ?? '') &&
        current.get(mark, 'AP') !== undefined &&
        current.list(mark, 'QuadPoints').length === 0,
    );
}

/** Whether a page consists of one form that is about as large as the page, or larger. */
function drawnAgain(structure: Structure, page: PdfObject): { isDrawnAgain: boolean } {
  const content = pageContent(structure, page);
  if (content === undefined) return { isDrawnAgain: false };
  const drawn: string[] = [];
  let last: unknown;
  for (const { token } of contentTokens(content)) {
    if (isKeyword(token)) {
      if (SHOWN.has(token.keyword)) return { isDrawnAgain: false };
      if (token.keyword === 'Do' && typeof last === 'string') drawn.push(last);
    } else last = nameOf(token);
  }
  const [name] = drawn;
  return { isDrawnAgain: drawn.length === 1 && name !== undefined && isWholePage(structure, page, name) };
}

function isWholePage({ current }: Structure, page: PdfObject, name: string): boolean {
  const form = current.get(current.dictionary(current.get(page.value, 'Resources'), 'XObject'), name);
  if (nameOf(current.get(form, 'Subtype')) !== 'Form' || dictionaryOf(current.get(form, 'Resources')) === undefined)
    return false;
  const [own, box] = [sizeOf(current.list(page.value, 'MediaBox')), sizeOf(listOf(entry(form, 'BBox')) ?? [])];
  return own !== undefined && box !== undefined && box.width > 0.8 * own.width && box.height > 0.8 * own.height;
}

function sizeOf(box: readonly unknown[]): { width: number; height: number } | undefined {
  const [left, bottom, right, top] = box.map(Number);
  if (left === undefined || bottom === undefined || right === undefined || top === undefined) return undefined;
  return { width: Math.abs(right - left), height: Math.abs(top - bottom) };
}

function pagesAre(pages: readonly number[]): string {
  return pages.length === 1 ? `Page ${pages[0]} is` : `Pages ${listed(pages)} are`;
}

function listed(pages: readonly number[]): string {
  const shown = pages.slice(0, LISTED).join(', ');
  return pages.length > LISTED ? `${shown} and ${pages.length - LISTED} more` : shown;
}
