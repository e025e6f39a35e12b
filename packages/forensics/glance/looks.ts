import type { Look } from '../analysis.ts';
import { amountsIn } from '../content/amounts.ts';
import { zonesIn } from '../content/ids/mrz.ts';
import { CLOSING, DEDUCTIONS, folded, GROSS, NET, OPENING } from '../content/labels.ts';
import { isDatedRow } from '../content/ledger/rows.ts';
import { TAX_AUTHORITY, TITLES } from '../content/terms/terms.ts';
import { type WordLine, wordLines } from '../content/words.ts';
import type { Page } from '../model.ts';

/** What speaks for each kind, in points: a title is worth 3, and so are the parts that only this kind has. */
type Points = Record<Look, number>;

export interface Looks {
  /** Undefined when it is unclear. */
  look: Look | undefined;
  /** Every kind that something speaks for. */
  possible: Look[];
  /** Whether anything speaks for any, such as one labelled total. */
  isLikeAny: boolean;
}

const TITLE = 3;
const ENOUGH = 3;
/** By how much the best must lead. */
const LEAD = 1.5;
const SOMETHING = 1.5;
/** Titles stand in the first lines, or are larger than the text. */
const HEAD_LINES = 14;
const TITLE_SIZE = 1.25;
/** A title in a sentence is a mention. */
const MAX_BESIDE = 60;
const SENTENCE = /[.;!?]$/;
const MIN_ROWS = 4;
const PAGES = 3;

/** The kind of a document by its title and its parts. */
export async function looksOf(pages: readonly Page[], isRead: boolean): Promise<Looks> {
  const first = pages.slice(0, PAGES);
  const lines = wordLines(first);
  const amounts = new Set(amountsIn(lines).map(({ line }) => line));
  // A booking may be called "salary".
  const points = titlePoints(lines.filter((line) => line.page === first[0]?.number && !amounts.has(line)));
  const texts = lines.map((line) => ({ text: folded(line.text), hasAmount: amounts.has(line) }));
  const has = (label: RegExp) => texts.some(({ text, hasAmount }) => hasAmount && label.test(text));
  const rows = lines.filter((line) => amounts.has(line) && isDatedRow(line)).length;
  points.payslip += (has(GROSS) ? 1 : 0) + (has(NET) ? 1 : 0) + (has(DEDUCTIONS) ? 1 : 0);
  points.bank_statement += (has(OPENING) ? 1 : 0) + (has(CLOSING) ? 1 : 0) + (rows >= MIN_ROWS ? 1.5 : 0);
  if ((await zonesIn(lines, isRead)).length > 0) points.identity += TITLE + 1;
  if (texts.slice(0, HEAD_LINES).some(({ text }) => TAX_AUTHORITY.test(text))) points.tax_assessment += SOMETHING;
  return chosen(points);
}

function chosen(points: Points): Looks {
  const sorted = (Object.keys(points) as Look[]).sort((one, other) => points[other] - points[one]);
  const possible = sorted.filter((look) => points[look] >= SOMETHING);
  const [best, next] = sorted;
  const isClear = best && next && points[best] >= ENOUGH && points[best] - points[next] >= LEAD;
  return { look: isClear ? best : undefined, possible, isLikeAny: best !== undefined && points[best] > 0 };
}

/** Only the first title counts in full: a letter may mention other documents below its own title. */
function titlePoints(lines: readonly WordLine[]): Points {
  const points: Points = { payslip: 0, bank_statement: 0, identity: 0, employment_letter: 0, tax_assessment: 0 };
  const sizes = lines.map(({ fontSize }) => fontSize).sort((one, other) => one - other);
  const usual = sizes[Math.floor(sizes.length / 2)] ?? 0;
  let worth = TITLE;
  lines.forEach((line, index) => {
    if (index >= HEAD_LINES && line.fontSize < TITLE_SIZE * usual) return;
    for (const cell of line.text.split('\t')) {
      const text = folded(cell);
      for (const look of Object.keys(points) as Look[]) {
        const match = TITLES[look].exec(text);
        if (match === null || text.length - match[0].length > MAX_BESIDE || points[look] >= TITLE) continue;
        if (SENTENCE.test(text) && line.fontSize < TITLE_SIZE * usual) continue;
        points[look] = Math.max(points[look], worth);
        worth = SOMETHING;
      }
    }
  });
  return points;
}
