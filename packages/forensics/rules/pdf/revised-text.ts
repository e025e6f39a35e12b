import type { Box } from '../../model.ts';
import { findingsOf, type TextFinding } from '../../pdf/diff/findings.ts';
import { type PageState, pairsOf } from '../../pdf/diff/page-pairs.ts';
import { type Earlier, earlierStates, pageStates } from '../../pdf/diff/states.ts';
import { revisionsOf } from '../../pdf/revisions.ts';
import { type Finding, notApplicable, type Rule, type Strength, verdictOf } from '../../rule.ts';

const WEIGHT: Record<Strength, number> = { strong: 0, medium: 1, context: 2 };

/**
 * Programs that save a PDF "incrementally" keep the previous content and append the changes, so that every earlier version is the file up
 * to an earlier end (ISO 32000-1, 7.5.6). Each version is read on its own, and what its pages show is compared with what the file shows
 * now, word by word and place by place. Only visible text counts: signing, filling in forms, commenting, changing metadata, and rotating or
 * re-encoding pages leave a file clean, however often it was saved.
 *
 * Changed text and removed values are strong. Covered text, removed pages, pages that became a picture, and an amount added to a column of
 * amounts are medium. Other additions, blackened text, watermarks and page numbers are context.
 *
 * Known false positives: a publisher who corrects a document in an editor before sending it. Findings name the values, so that the
 * publisher can be asked.
 *
 * Source: ISO 32000-1, 7.5.6 and Annex F; own reasoning.
 */
export const revisedText: Rule = {
  name: 'revised-text',
  version: 1,
  title: 'Text of earlier versions of the file',
  strength: 'strong',
  family: 'structure',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    if (revisionsOf(bytes).length < 2) return notApplicable('The file holds no earlier version of itself.');
    const now = await pageStates(bytes);
    const states = await earlierStates(bytes);
    if (states.length === 0) return notApplicable('No earlier version in the file can be read.');
    const found = new Map<string, Finding & { strength: Strength }>();
    for (const state of states) {
      for (const pair of pairsOf(state.pages, now)) {
        const fields = fieldsOf([...states.map(({ pages }) => pages), now], pair.before.text.number);
        for (const finding of findingsOf(pair, fields)) found.set(finding.key, seenIn(state, finding));
      }
    }
    return verdictOf(
      [...found.values()].sort((a, b) => WEIGHT[a.strength] - WEIGHT[b.strength]),
      { count: states.length, what: 'earlier version' },
    );
  },
};

/** Where a page has, or once had, form fields and other annotations to write in. */
function fieldsOf(states: readonly PageState[][], page: number): Box[] {
  return states.flatMap((pages) => pages[page - 1]?.paint.annotations.map(({ box }) => box) ?? []);
}

/** The earlier version ends at the offset. */
function seenIn(
  { number, end }: Earlier,
  { message, strength, evidence }: TextFinding,
): Finding & { strength: Strength } {
  return {
    message,
    strength,
    evidence: evidence.map((place) => ({ ...place, offset: end, details: { version_of_the_file: number } })),
  };
}
