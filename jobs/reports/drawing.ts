import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ReportContent } from '../../core/reports/content.ts';
import type { Language } from '../../core/texts/languages.ts';
import { reportTextsOf } from '../../core/texts/report-texts.ts';
import { type Copy, drawReport } from './draw-report.ts';

/** What the thread of `drawing-thread.ts` is given. */
export interface Drawing {
  language: Language;
  content: ReportContent;
  copy: Copy;
}

/** What it answers. */
export interface Drawn {
  file: Uint8Array;
  pages: number;
}

/** A third of the share of the processor that the thread of the requests has. */
const NICENESS = 5;

// On Linux, each thread has a priority of its own (setpriority(2)); elsewhere it would be that of the process.
if (parentPort && process.platform === 'linux') setPriority(NICENESS);
parentPort?.on('message', async ({ language, content, copy }: Drawing) => {
  parentPort?.postMessage((await drawReport(reportTextsOf(language), content, copy)) satisfies Drawn);
});
