import { emptiedText } from '../../pdf/residue/emptied.ts';
import { formerContent } from '../../pdf/residue/orphans.ts';
import { filledUp } from '../../pdf/residue/padding.ts';
import { touchedText } from '../../pdf/residue/touched.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Finding, foundBy, type Rule, verdictOf } from '../../rule.ts';

/**
 * Traces that programs leave when they change the content of a page, in a file that was rewritten and holds no earlier version: the former
 * content, which nothing draws any more, compared with what the page shows now; the mark that Acrobat sets before edited text; values
 * written in the place of emptied text; and content that was replaced by shorter content and padded to its length. The last two do not show
 * what was there before, so they are medium.
 *
 * Merely saving, merging or compressing a file leaves none of these. Former content that shows the same text is no finding, nor is the
 * content of removed pages.
 *
 * Known false positives: an issuer who corrects a document. Findings name the values, so that the issuer can be asked.
 *
 * Source: own measurements on files changed with pdf-lib and MuPDF; published content streams for the mark of Acrobat; RFC 1950 for where
 * compressed data end.
 */
export const editorResidue: Rule = {
  name: 'editor-residue',
  version: 3,
  title: 'Traces of content editing',
  strength: 'strong',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const structure = structureOf(bytes);
    return verdictOf(
      await foundBy([
        () => formerContent(structure),
        () => touchedText(structure),
        () => emptiedText(bytes),
        () => filledContent(structure),
      ]),
      { count: structure.current.pages().length, what: 'page' },
    );
  },
};

function filledContent(structure: Structure): Finding[] {
  const evidence = filledUp(structure);
  if (evidence.length === 0) return [];
  const pages = [...new Set(evidence.map(({ page }) => page))].slice(0, 10).join(', ');
  const message = `The content of page ${pages} was replaced in place by shorter content, and the rest was padded.`;
  return [{ message, strength: 'medium', evidence }];
}
