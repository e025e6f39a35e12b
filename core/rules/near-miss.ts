/** Longer names are never compared, so the cost is linear in the caller's input. */
const MAX_COMPARED_LENGTH = 40;

/** The known name that a misspelt one most likely means: one or two edits away, and never most of a short name. */
export function nearMiss(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_COMPARED_LENGTH) return undefined;
  const folded = fold(name);
  let [nearest, minEdits]: [string | undefined, number] = [undefined, Math.min(2, Math.floor(folded.length / 3)) + 1];
  for (const candidate of known) {
    if (candidate.length > MAX_COMPARED_LENGTH || Math.abs(candidate.length - name.length) > MAX_COMPARED_LENGTH / 4)
      continue;
    const edits = editsBetween(folded, fold(candidate));
    if (edits < minEdits) [nearest, minEdits] = [candidate, edits];
  }
  return nearest;
}

/** ` Did you mean x?`, or nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearMiss(name, known);
  return nearest ? ` Did you mean \`${nearest}\`?` : '';
}

/** Case and separators do not count as edits: `isLead` is `is_lead`. */
function fold(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editsBetween(from: string, to: string): number {
  let [before, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const differs = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + differs,
        swapped ? at(before, column - 2) + 1 : MAX_COMPARED_LENGTH,
      );
    }
    [before, last] = [last ?? [], next];
  }
  return at(last, to.length);
}

function at(row: readonly number[] | undefined, column: number): number {
  return row?.[column] ?? MAX_COMPARED_LENGTH;
}
