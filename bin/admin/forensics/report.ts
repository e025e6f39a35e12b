import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { styleText } from 'node:util';
import type { Analysis, Preview } from '@tenant-screening/forensics/analysis';
import { htmlReport } from '@tenant-screening/forensics/report/html';
import { textReport } from '@tenant-screening/forensics/report/text';
import { OperatorError, UsageError } from '../cli/faults.ts';
import { terminalWidth } from '../cli/output.ts';
import { fileTyped } from '../cli/read-file.ts';
import { extractTo } from '../cli/write-file.ts';

/** The report of an analysis for this terminal; colours only where there is one that shows them. */
export function reportForTerminal(analysis: Analysis): string {
  return textReport(analysis, { columns: terminalWidth(), paint: styleText });
}

/**
 * The file that a page is to be written to, before any work is done for it. A report may be written over an earlier one, but
 * never over a document that was typed in the wrong place.
 * @throws UsageError, OperatorError
 */
export async function pageFile(typed: string): Promise<string> {
  const file = fileTyped(typed);
  if (!/\.html?$/i.test(file)) throw new UsageError('--html takes the name of a file that ends with .html');
  const folder = dirname(file);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new OperatorError(`cannot write ${file}: there is no folder ${folder}`);
  return file;
}

/** Writes the page, for nobody else to read: it shows the documents. @throws OperatorError when it cannot be written */
export async function writePage(
  file: string,
  analysis: Analysis,
  previews: ReadonlyMap<string, readonly Preview[]>,
): Promise<void> {
  const page = htmlReport(analysis, { previews, madeAt: new Date() });
  await extractTo(file, pieces(Buffer.from(page)), true);
}

async function* pieces(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
