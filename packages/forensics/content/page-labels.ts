import type { WordLine } from './words.ts';

const LABEL = /\b(?:page|seite|pagina|p[áa]gina|side|strona|sida|blatt|p[áa]g\.?)[ :]{0,2}(\d{1,3})\b/iu;

/** The printed page numbers, by page index from 1; pages with none or several are omitted. */
export function pageLabels(lines: readonly WordLine[]): Map<number, number> {
  const labels = new Map<number, number>();
  const doubtful = new Set<number>();
  for (const { page, text } of lines) {
    const label = LABEL.exec(text)?.[1];
    if (label === undefined) continue;
    if (labels.has(page) && labels.get(page) !== Number(label)) doubtful.add(page);
    labels.set(page, Number(label));
  }
  for (const page of doubtful) labels.delete(page);
  return labels;
}
