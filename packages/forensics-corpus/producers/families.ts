/**
 * Producers whose files are written by the same code. Rules may be tuned on the known families. The held-out ones are never examined while
 * a rule is written, and only their benchmark results count.
 */
export interface ProducerFamily {
  name: string;
  isHeldOut: boolean;
}

/** Families that no rule, table or threshold was derived from. A family that is examined to improve a rule becomes a known one. */
const HELD_OUT: ReadonlySet<string> = new Set([
  'typst',
  'go-fpdf',
  'pdfbox',
  'openpdf',
  'printpdf',
  'prawn',
  'lualatex',
]);

export function familyOf(producer: string): ProducerFamily {
  const name = producer.replace(/-embedded$/, '');
  return { name, isHeldOut: HELD_OUT.has(name) };
}
