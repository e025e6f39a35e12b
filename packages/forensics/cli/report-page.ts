import { styleText } from 'node:util';
import type { Analysis, Preview } from '../analysis.ts';
import { htmlReport } from '../report/html.ts';
import { textReport } from '../report/text.ts';
import { writePrivately } from './files.ts';

/** A pipe has no width, and a terminal of unknown width reports 0. */
export function reportForTerminal(analysis: Analysis): string {
  const columns = process.stdout.columns || Number(process.env['COLUMNS']) || Number.POSITIVE_INFINITY;
  return textReport(analysis, { columns, paint: styleText });
}

/** Readable by its owner only: the page shows the documents. @throws FileFault */
export async function writePage(
  file: string,
  analysis: Analysis,
  previews: ReadonlyMap<string, readonly Preview[]>,
): Promise<void> {
  await writePrivately(file, htmlReport(analysis, { previews, madeAt: new Date() }));
}
