/** Longer, so that nothing matches to the end. */
const END = '\u0001';
const COMMON = [
  'a',
  '0',
  '.',
  '-',
  ' ',
  '\n',
  ':',
  '/',
  '@',
  '%',
  '\\',
  '"',
  "'",
  '<',
  '=',
  ';',
  ',',
  '_',
  '[',
  '(',
  'é',
];
/** Escapes in a pattern, by a character that they match. */
const ESCAPED = new Map([
  ['d', '0'],
  ['w', 'a'],
  ['s', ' '],
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
]);
const MAX_PAIRED = 6;

/**
 * Generates texts of a given length that make an expression backtrack: runs and pairs of the characters in it, after a prefix that matches.
 */
export function adversarial({ source }: RegExp): ((length: number) => string)[] {
  const named = [...source.matchAll(/\\([dwsntr])|([^\\()[\]{}?*+|^$])/g)].map(
    ([, escaped, plain]) => ESCAPED.get(escaped ?? '') ?? plain ?? '',
  );
  const own = [...new Set(named)].filter(Boolean);
  const pairs = own.slice(0, MAX_PAIRED).flatMap((one) => own.slice(0, MAX_PAIRED).map((other) => one + other));
  const pumps = [...new Set([...own, ...COMMON, ...pairs])];
  const literal = /^\^?([\w:/@<>"'=;, -]+)/.exec(source)?.[1]?.slice(0, -1) ?? '';
  const beginnings = [...new Set(['', 'x', literal])];
  return pumps.flatMap((pump) =>
    beginnings.map(
      (beginning) => (length: number) =>
        beginning + pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + END,
    ),
  );
}
