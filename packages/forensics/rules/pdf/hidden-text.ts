import type { Line } from '../../model.ts';
import { cut, isLegible } from '../../pdf/diff/values.ts';
import type { PaintedPage, Run } from '../../pdf/paint/marks.ts';
import { area } from '../../pdf/paint/matrix.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { linesOf } from '../../pdf/text/lines.ts';
import { byPlace, type Invisible, isLikeGround, whyInvisible } from '../../pdf/text/seen.ts';
import { wordsOf } from '../../pdf/text/words.ts';
import { type Finding, type Rule, verdictOf } from '../../rule.ts';

type Why = Invisible | 'ground';

const SENTENCES: Record<Why, string> = {
  'no paint': 'has text that is not painted, and is not the recognised text of a scan',
  transparent: 'has text that is transparent',
  'too small': 'has text that is too small to be read',
  outside: 'has text that is cut off or lies outside of what is shown',
  ground: 'has text in the colour of what it stands on',
};

/** A picture that covers this share of a page is a scan, and unpainted text over it is its recognised text. */
const SCAN = 0.4;
const MAX_VALUE_LENGTH = 300;
/** Fewer characters on a page are spaces, dots and marks left by generators. */
const FEW_CHARACTERS = 4;

/**
 * Invisible text in the file: in rendering mode 3, transparent, in the colour of its background, smaller than one point, or outside the
 * page or its clipping path. People and programs then read two different documents. It is context and decides nothing, because generators
 * often leave anchors for signatures, marks for archives, and cut-off cells. Recognised text over a scan is normal and is no finding.
 *
 * Known false positives: all of these.
 *
 * Source: ISO 32000-1, 9.3.6 (text rendering mode), 8.5.4 (clipping); own reasoning.
 */
export const hiddenText: Rule = {
  name: 'hidden-text',
  version: 1,
  title: 'Text that cannot be seen',
  strength: 'context',
  family: 'content',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const pages = await readPaint(bytes);
    const count = pages.reduce((sum, { marks }) => sum + marks.filter(({ kind }) => kind === 'text').length, 0);
    return verdictOf(pages.flatMap(hiddenOn), { count, what: 'text', none: 'The pages have no digital text.' });
  },
};

function hiddenOn(page: PaintedPage): Finding[] {
  const { marks, width, height, number } = page;
  const isScan = marks.some(({ kind, box }) => kind === 'picture' && area(box) > SCAN * width * height);
  const around = byPlace(marks.filter((mark) => mark.kind !== 'text'));
  const reasons = new Map<Why, Run[]>();
  for (const run of marks) {
    if (run.kind !== 'text' || run.layer !== '') continue;
    const why = whyInvisible(run) ?? (isLikeGround(run, around(run.whole)) ? 'ground' : undefined);
    if (why === undefined || (why === 'no paint' && isScan)) continue;
    const others = reasons.get(why);
    if (others === undefined) reasons.set(why, [run]);
    else others.push(run);
  }
  return [...reasons].flatMap(([why, runs]) => {
    const lines = linesOf(wordsOf(runs)).filter(({ text }) => isLegible(text));
    return lines.reduce((sum, { text }) => sum + text.length, 0) < FEW_CHARACTERS
      ? []
      : [findingOf(number, why, lines)];
  });
}

function findingOf(page: number, why: Why, lines: readonly Line[]): Finding {
  return {
    message: `Page ${page} ${SENTENCES[why]}.`,
    evidence: lines.map(({ text, box }) => ({
      page,
      box,
      details: { text: cut(text, MAX_VALUE_LENGTH), reason: why },
    })),
  };
}
