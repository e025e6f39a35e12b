import table from './programs.json' with { type: 'json' };

/** The one table of programs that write or change PDFs. */

/** What a program's name in a file implies. */
export type Trade =
  /** Changes the content of existing pages. */
  | 'editor'
  /** Draws pages freely, or edits pictures. */
  | 'graphics'
  /** Processes the file and not its content: merges, compresses, converts or signs. Some can also edit pages. */
  | 'service';

interface KnownProgram {
  name: string;
  trade: Trade;
}

/**
 * Patterns for the names that programs write into Producer, Creator or XMP; the first match counts, so printers and readers precede editors
 * of the same makers. A component that several products of a maker share, such as the Corel PDF Engine of WordPerfect and CorelDRAW, names
 * none of them.
 */
const PROGRAMS = table.map(({ name, trade, pattern }) => ({
  name,
  trade: tradeOf(trade),
  pattern: new RegExp(pattern, 'i'),
}));

function tradeOf(text: string): Trade {
  return text === 'editor' || text === 'graphics' ? text : 'service';
}

/** The program behind a name, if it matters to the rules. */
export function programNamed(text: string): KnownProgram | undefined {
  return PROGRAMS.find(({ pattern }) => pattern.test(text));
}
