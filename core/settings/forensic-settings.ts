import { availableParallelism } from 'node:os';
import { valuesOf } from './values.ts';

/** The limits of an analysis in time and memory, and how many run in parallel. */
export interface ForensicSettings {
  secondsADocument: number;
  memoryMib: number;
  parallel: number;
  /** OCR takes seconds per page. */
  ocr: boolean;
}

/** Appends problems to `faults`. */
export function readForensics(env: NodeJS.ProcessEnv, faults: string[]): ForensicSettings {
  const { oneOf, wholeNumber } = valuesOf(env, faults);
  return {
    secondsADocument: wholeNumber('FORENSIC_SECONDS', 30, 600),
    memoryMib: wholeNumber('FORENSIC_MEMORY_MIB', 1024, 65_536, 256),
    parallel: wholeNumber('FORENSIC_PARALLEL', availableParallelism(), 64),
    ocr: oneOf('FORENSIC_OCR', ['true', 'false'], 'true') === 'true',
  };
}
