import { WRITTEN_FAULTS } from '../messages.ts';

/** Characters that show nothing, or only space. */
const UNSEEN = /[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const UNSEEN_AT_AN_END =
  /^(?:[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])|[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

const ENCLOSING = new Map([
  ...['""', "''", '``', '“”', '„“', '‘’', '«»', '»«'].map((pair): [string, string] => [pair, 'quotation marks']),
  ['<>', 'angle brackets'],
]);

/** A character as a message shows it: by its name or number when it cannot be seen. */
export function nameOf(character: string): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (character === ' ') return 'a space';
  if (character === '\t') return 'a tab';
  if (/[\n\r\u2028\u2029]/.test(character)) return 'a line break';
  if (/\p{Zs}/u.test(character)) return `the space ${number}`;
  if (/\p{Cc}/u.test(character)) return `the control character ${number}`;
  if (UNSEEN.test(character)) return `the invisible character ${number}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? character : number;
}

export function isUnseen(character: string): boolean {
  return UNSEEN.test(character);
}

/** What was copied along: enclosing marks, or something unseen at an end. The end of a sentence; undefined when there is nothing. */
export function faultAround(text: string): string | undefined {
  const [unseen] = UNSEEN_AT_AN_END.exec(text) ?? [];
  if (unseen !== undefined)
    return WRITTEN_FAULTS.unwanted(nameOf(unseen), text.startsWith(unseen) ? 'at the beginning' : 'at the end');
  const marks = ENCLOSING.get(text.slice(0, 1) + text.slice(-1));
  return marks !== undefined && text.length > 1 ? WRITTEN_FAULTS.enclosed(marks) : undefined;
}

/** The first character of a text that matches; undefined when none does. */
export function firstOf(pattern: RegExp, text: string): string | undefined {
  return pattern.exec(text)?.[0];
}
