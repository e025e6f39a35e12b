import { kindOf, quoted } from '../../pdf/diff/values.ts';
import { entry } from '../../pdf/objects.ts';
import { readPaint } from '../../pdf/paint/read-paint.ts';
import { structureOf } from '../../pdf/structure.ts';
import { type OutOfTurn, outOfTurn } from '../../pdf/text/first-use.ts';
import { readPages, type TextPage } from '../../pdf/text/read-pages.ts';
import { codesBySubset, type Unused, unusedIn } from '../../pdf/text/subsets.ts';
import { type Evidence, type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

/** A smaller subset proves little. */
const FEWEST = 12;
/** More unused characters come from removed pages, or from a subset made for more than this file; so do letters together with digits. */
const MOST = 3;
const MAX_DIGITS = 4;
const MAX_SHARE = 0.1;
/** If a font sets this few values, one of them is probably the changed one. */
const FEW_VALUES = 4;

/**
 * A program that embeds part of a font takes the characters that the document shows. Two things reveal what was there before:
 *
 * 1. A character that is in the font but on no page was shown before, in a value that was overwritten or removed.
 * 2. Many programs number the characters as they need them. A character that appears before its turn, or not where its number says it was
 * first needed, was exchanged there.
 *
 * Digits are medium, letters are context.
 *
 * Known false positives: a page taken out of a longer document, if the page has all the characters except a digit; a program that lays out
 * one value later than it draws it.
 *
 * Source: ISO 32000-1, 9.6.4 (font subsets) and 9.10.3 (ToUnicode); on numbering, files of PDFKit, and the sources of cairo
 * (cairo-scaled-font-subsets.c) and Apache FOP (CIDSubset).
 */
export const unusedGlyphs: Rule = {
  name: 'unused-glyphs',
  version: 3,
  title: 'Characters of embedded fonts',
  strength: 'medium',
  family: 'structure',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const structure = structureOf(bytes);
    const painted = await readPaint(bytes);
    // Text on hidden layers is not painted.
    if (entry(structure.current.catalog, 'OCProperties') !== undefined)
      return notApplicable('The file has layers, which may show more.');
    const codes = codesBySubset(structure);
    const subsets = unusedIn(codes, painted).filter(({ total }) => total >= FEWEST);
    if (subsets.length === 0) return notApplicable('No part of a font is embedded that says what it contains.');
    const pages = await readPages(bytes);
    const unused = subsets.filter(isTelling).map((one) => unusedFinding(one, pages));
    return verdictOf([...unused, ...outOfTurn(painted, pages, codes).map(turnFinding)], {
      count: subsets.length,
      what: 'font',
    });
  },
};

function isTelling({ characters, total }: Unused): boolean {
  if (characters.length === 0) return false;
  const isFew = characters.length <= Math.max(MOST, MAX_SHARE * total);
  return characters.every(isDigit) ? characters.length <= MAX_DIGITS : isFew;
}

function unusedFinding({ subset, characters }: Unused, pages: readonly TextPage[]): Finding {
  const font = subset.slice(7);
  const [digits, letters] = [characters.filter(isDigit), characters.filter((character) => !isDigit(character))];
  const shown = [...digits, ...letters].slice(0, 12).join(' ');
  const values = digits.length > 0 ? valuesIn(subset, pages) : [];
  return {
    message: `The font ${font} was embedded with “${shown}”, which no page shows any more.`,
    strength: letters.length === 0 ? 'medium' : 'context',
    evidence: [{ before: shown, after: '', details: { font } }, ...values],
  };
}

/** The values that the font sets, if they are few. */
function valuesIn(subset: string, pages: readonly TextPage[]): Evidence[] {
  const values = pages.flatMap(({ number, items }) =>
    items
      .filter(({ text, runs }) => kindOf(text) === 'amount' && runs.some((run) => run.subset === subset))
      .map(({ text, box }): Evidence => ({ page: number, box, after: text, details: { possibly_this_one: true } })),
  );
  return values.length <= FEW_VALUES ? values : [];
}

function turnFinding({ font, page, word, early, gone }: OutOfTurn): Finding {
  const list = (characters: readonly string[]) => `“${[...new Set(characters)].sort().join(' ')}”`;
  const place = `${quoted(word.text)} on page ${page}`;
  return {
    message:
      early.length > 0
        ? `${place} shows ${list(early)}, which the font ${font} numbers as first needed further on.`
        : `${place} does not show ${list(gone)}, which the font ${font} numbers as first needed there.`,
    // Programs count pages once they have laid them out.
    strength: LONG.test(word.text) && [...early, ...gone].some(isDigit) ? 'medium' : 'context',
    evidence: [
      { page, box: word.box, after: word.text, details: { font, early: early.join(''), missing: gone.join('') } },
    ],
  };
}

/** Shorter numbers count pages, rows and notes. */
const LONG = /(?:\d\D{0,3}){3}/;

function isDigit(character: string): boolean {
  return /^\d$/.test(character);
}
