import { availableParallelism } from 'node:os';

/** How much time and memory the analysis of a document may take, and how many run side by side. */
export interface ForensicSettings {
  secondsADocument: number;
  memoryMib: number;
  parallel: number;
  /** Whether text is read from pictures, which takes seconds a page. */
  ocr: boolean;
}

/** Adds to `faults` whatever is wrong. */
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
