import { type LayerLie, layerLies } from '../../content/text-layer.ts';
import { withRoom } from '../../content/words.ts';
import type { Document } from '../../model.ts';
import { areOtherNames, isName, quoted } from '../../pdf/diff/values.ts';
import { readOtherwise } from '../../pdf/hand/actual-text.ts';
import { shownOn } from '../../pdf/hand/pages.ts';
import { structureOf } from '../../pdf/structure.ts';
import { doubtfulNames } from '../../pdf/text/doubtful.ts';
import { readPages } from '../../pdf/text/read-pages.ts';
import { type Finding, foundBy, type Rule, verdictOf } from '../../rule.ts';

/**
 * People see a picture of the text, and programs read what the file claims that it says. Three claims are compared with what is seen:
 *
 * 1. Replacement texts of marked content, as readers for the blind use them.
 * 2. The letters of a font: OCR reads names that are set in a font of their own, or in one with several characters for a letter.
 * 3. The text layer of a scan or of a page under a picture: OCR reads the page, and the names that differ once more, larger. The layer must
 *    otherwise be what OCR reads.
 *
 * A name counts if two readings of it share few letters; accents and single letters are misread too often.
 *
 * Known false positives: a stamp or a signature over a name that is read as another name.
 *
 * Source: ISO 32000-1, 9.10.3 (ToUnicode) and 14.9.4 (replacement text); Markwood et al., "PDF Mirage" (2017).
 */
export const textAsShown: Rule = {
  name: 'text-as-shown',
  version: 3,
  title: 'Whether programs read what people see',
  strength: 'medium',
  family: 'content',
  substance: false,
  appliesTo: ['pdf'],
  async run(document) {
    let compared = 0;
    const findings = await foundBy([
      async () => {
        const shown = (await shownOn(structureOf(document.bytes))).filter(({ actual }) => actual !== undefined);
        compared += shown.length;
        return readOtherwise(shown).map(({ page, shown: { text, box }, read }) =>
          findingOf({ page, box, read, shown: text }),
        );
      },
      async () => {
        const { lies, read } = await fontLies(document);
        compared += read;
        return lies.map(findingOf);
      },
      async () => {
        const layer = await layerLies(document);
        compared += layer.compared;
        return layer.lies.map(findingOf);
      },
    ]);
    return verdictOf(findings, {
      count: compared,
      what: 'text',
      none: 'No text of the file claims to be read otherwise than it looks.',
    });
  },
};

async function fontLies(document: Document): Promise<{ lies: LayerLie[]; read: number }> {
  const pages = await readPages(document.bytes);
  const lies: LayerLie[] = [];
  let read = 0;
  for (const { page, box, text } of doubtfulNames(pages)) {
    const { items = [], width = 0 } = pages[page - 1] ?? {};
    const shown = await document.textIn?.(page, withRoom(box, items, width));
    if (shown === undefined) break;
    read++;
    if (isName(shown) && areOtherNames(text, shown)) lies.push({ page, box, read: text, shown });
  }
  return { lies, read };
}

function findingOf({ page, box, read, shown }: LayerLie): Finding {
  return {
    message: `Page ${page} shows ${quoted(shown)} where programs read ${quoted(read)}.`,
    evidence: [{ page, box, before: read, after: shown }],
  };
}
