let isWide = false;

/** For `--wide`: tables show every column in full. */
export function showWide(wanted: boolean): void {
  isWide = wanted;
}

/** A pipe has no width, because its reader wants whole lines. A terminal of unknown width reports 0. */
export function terminalWidth(): number {
  if (isWide) return Number.POSITIVE_INFINITY;
  return process.stdout.columns || Number(process.env['COLUMNS']) || Number.POSITIVE_INFINITY;
}
