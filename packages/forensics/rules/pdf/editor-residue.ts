import { formerContent } from '../../pdf/residue/orphans.ts';
import { touchedText } from '../../pdf/residue/touched.ts';
import { structureOf } from '../../pdf/structure.ts';
import { foundBy, type Rule, verdictOf } from '../../rule.ts';

/**
 * Traces that programs leave when they change the content of a page, in a file that was rewritten and holds no earlier version: the former
 * content, which nothing draws any more, compared with what the page shows now, and the mark that Acrobat sets before edited text.
 *
 * Merely saving, merging or compressing a file leaves none of these. Former content that shows the same text is no finding, nor is the
 * content of removed pages.
 *
 * Known false positives: an issuer who corrects a document. Findings name the values, so that the issuer can be asked.
 *
 * Source: own measurements on files changed with pdf-lib and MuPDF; published content streams for the mark of Acrobat.
 */
export const editorResidue: Rule = {
  name: 'editor-residue',
  version: 5,
  title: 'Traces of content editing',
  strength: 'strong',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const structure = structureOf(bytes);
    return verdictOf(await foundBy([() => formerContent(structure), () => touchedText(structure)]), {
      count: structure.current.pages().length,
      what: 'page',
    });
  },
};
