import { availableParallelism } from 'node:os';

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
  const wholeNumber = (name: string, fallback: number, minimum: number, maximum: number): number => {
    const text = env[name] || String(fallback);
    if (/^\d{1,6}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum) return Number(text);
    faults.push(`${name} is "${text}"; use a whole number from ${minimum} to ${maximum}.`);
    return fallback;
  };
  const ocr = env['FORENSIC_OCR'] || 'true';
  if (ocr !== 'true' && ocr !== 'false') faults.push(`FORENSIC_OCR is "${ocr}"; use one of true, false.`);
  return {
    secondsADocument: wholeNumber('FORENSIC_SECONDS', 30, 1, 600),
    memoryMib: wholeNumber('FORENSIC_MEMORY_MIB', 1024, 256, 65_536),
    parallel: wholeNumber('FORENSIC_PARALLEL', availableParallelism(), 1, 64),
    ocr: ocr === 'true',
  };
}
