import { formerContent } from '../../pdf/residue/orphans.ts';
import { filledUp } from '../../pdf/residue/padding.ts';
import { touchedText } from '../../pdf/residue/touched.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Finding, foundBy, type Rule, verdictOf } from '../../rule.ts';

/**
 * What programs leave behind when they change the content of a page, in a file that was rewritten and holds no earlier
 * version: the former content, which nothing draws any more, read and compared with what the page shows now; the mark that
 * Acrobat sets before text that was edited; and content put in the place of other content and filled up to its length,
 * which shows that it was replaced but not what stood there, and is medium therefore.
 *
 * That a file was merely saved, put together or compressed leaves none of these. Former content that shows the same text is
 * no finding, nor is content of pages that were taken out.
 *
 * Known false positives: an issuer who corrects his own document. The values are named, so that he can be asked.
 *
 * Source: own measurements on files changed with pdf-lib and MuPDF; for the mark of Acrobat, content streams that are quoted in
 * public; RFC 1950 for where compressed data end.
 */
export const editorResidue: Rule = {
  name: 'editor-residue',
  version: 1,
  title: 'Traces of content editing',
  strength: 'strong',
  family: 'structure',
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const structure = structureOf(bytes);
    const looks = [() => formerContent(structure), () => touchedText(structure), () => filledContent(structure)];
    return verdictOf(await foundBy(looks));
  },
};

function filledContent(structure: Structure): Finding[] {
  const evidence = filledUp(structure);
  if (evidence.length === 0) return [];
  const pages = [...new Set(evidence.map(({ page }) => page))].slice(0, 10).join(', ');
  const message = `The content of page ${pages} was replaced in its place by shorter content, and the rest was filled up.`;
  return [{ message, strength: 'medium', evidence }];
}
