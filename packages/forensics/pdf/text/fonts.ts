/** Parts of font names that denote a face of a family, or nothing. */
const FACES =
  /bold|italic|oblique|regular|roman|medium|light|semi|demi|extra|ultra|black|heavy|book|thin|narrow|condensed|psmt|mt$|ps$|std$|pro$/g;

/** A font's family, such as "arial" for Arial-BoldMT; empty if the font has no name. */
export function familyOf(font: string): string {
  const plain = font
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  const family = plain.replace(FACES, '');
  return family === '' ? plain : family;
}
