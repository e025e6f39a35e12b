import { examineBytes } from '@tenant-screening/forensics/examine-bytes';
import type { Rule } from '@tenant-screening/forensics/rule';

/** Each finding of a payslip that is more than context: the rule, its message, and the texts before and after. */
export async function accusationsIn(bytes: Uint8Array, rules: readonly Rule[]): Promise<string[]> {
  const { checks } = await examineBytes('payslip.pdf', bytes, { rules, reading: { ocr: true, ocrSeconds: 15 } });
  return checks
    .flatMap(({ rule, findings = [] }) => findings.map((finding) => ({ rule, ...finding })))
    .filter(({ strength }) => strength !== 'context')
    .map(({ rule, message, evidence }) =>
      [`${rule}: ${message}`, ...evidence.flatMap(({ before = '', after = '' }) => [before, after])].join(' '),
    );
}

/** Whether a text contains a name. OCR loses accents and spaces. */
export function isNamedIn(text: string, name: string): boolean {
  return lettersOf(text).includes(lettersOf(name));
}

function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^a-z]/gi, '')
    .toLowerCase();
}
