/** What shows whether two fonts are faces of one family. */
export interface Face {
  /** Its name without the subset prefix. */
  font: string;
  /** The family that the embedded font program or the descriptor names; empty if there is no such name. */
  programFamily: string;
}

/** Abbreviations of weights, widths and slants at the end of a name, as foundries write them. */
const FACE =
  /(?:ultra|extra|semi|demi|bold|bd|black|blk|heavy|hvy|medium|medi|med|md|regular|regu|reg|rg|roman|rm|book|bk|light|lt|thin|th|hairline|narrow|condensed|cond|cn|compressed|extended|ext|ex|italic|ital|it|oblique|obl|ou|outline|display|text|caption|variable|vf)$/;
/** Marks of formats and foundries, which are part of no family. */
const FORMAT = /(?:psmt|ps|mt|std|pro|otf|ttf|tt|ltstd|ltpro|com|web)$/;

/** A font's family by its name, such as "arial" for Arial-BoldMT; empty if the font has no name. */
export function familyOf(font: string): string {
  // PostScript names are FAMILY-STYLE, and some programs write FAMILY,STYLE.
  const [, stem = '', style = ''] = /^([^-,]*)[-,]?(.*)$/s.exec(font.slice(0, 100)) ?? [];
  const plain = letters(stem) || letters(style);
  const family = withoutEnds(withoutEnds(plain, FORMAT) || plain, FACE);
  return withoutEnds(family, FORMAT) || family || plain;
}

/** Whether they may be faces of one family: by their names, or by what the fonts themselves say. An unnamed font may be of any family. */
export function areOneFamily(one: Face, other: Face): boolean {
  const [own, theirs] = [familyOf(one.font), familyOf(other.font)];
  if (own === theirs || own === '' || theirs === '') return true;
  const [program, others] = [familyOf(one.programFamily), familyOf(other.programFamily)];
  return program !== '' && program === others;
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}]/gu, '');
}

/** Removes the ends one by one: a repeated group before the end of a text takes quadratic time. */
function withoutEnds(name: string, end: RegExp): string {
  const shorter = name.replace(end, '');
  return shorter === name ? name : withoutEnds(shorter, end);
}
