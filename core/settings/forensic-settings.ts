import { availableParallelism } from 'node:os';
import { flag, readerOf, setting, wholeNumber } from './setting.ts';

/** The limits of an analysis in time and memory, and how many run in parallel. */
export interface ForensicSettings {
  secondsADocument: number;
  memoryMib: number;
  parallel: number;
  /** OCR takes seconds per page. */
  ocr: boolean;
}

const MAX_PARALLEL = 64;

export const forensicSettings = {
  FORENSIC_SECONDS: setting(wholeNumber(1, 600), 30, 'CPU time to [analyse](people.md#document-analysis) a document.'),
  FORENSIC_MEMORY_MIB: setting(wholeNumber(256, 65_536), 1024, 'Memory to analyse a document.'),
  FORENSIC_PARALLEL: setting(
    wholeNumber(1, MAX_PARALLEL),
    Math.min(availableParallelism(), MAX_PARALLEL),
    'Concurrent analyses per process.',
    `number of cores, at most ${MAX_PARALLEL}`,
  ),
  FORENSIC_OCR: setting(flag, true, '`false` skips OCR, which takes seconds per page.'),
};

/** Appends problems to `faults`. */
export function readForensics(env: NodeJS.ProcessEnv, faults: string[]): ForensicSettings {
  const read = readerOf(forensicSettings, env, faults);
  return {
    secondsADocument: read('FORENSIC_SECONDS'),
    memoryMib: read('FORENSIC_MEMORY_MIB'),
    parallel: read('FORENSIC_PARALLEL'),
    ocr: read('FORENSIC_OCR'),
  };
}
