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

parentPort?.on('message', async ({ language, content, copy }: Drawing) => {
  parentPort?.postMessage((await drawReport(reportTextsOf(language), content, copy)) satisfies Drawn);
});
