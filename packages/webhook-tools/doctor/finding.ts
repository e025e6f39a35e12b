/** One finding. The code is stable; the words are for people and contain no secret. */
export interface Finding {
  level: 'fault' | 'note' | 'good';
  code: string;
  /** What was found. */
  found: string;
  /** Why it matters, or its likely origin. */
  why: string;
  /** What to do; empty when nothing. */
  fix: string;
}

type Words = readonly [found: string, why: string, fix: string];

export const fault = (code: string, ...words: Words) => finding('fault', code, words);
export const note = (code: string, ...words: Words) => finding('note', code, words);
export const good = (code: string, found: string, why = '', fix = '') => finding('good', code, [found, why, fix]);

function finding(level: Finding['level'], code: string, [found, why, fix]: Words): Finding {
  return { level, code, found, why, fix };
}

/** Sorts by severity, keeping the order within a level, and drops repeated codes. */
export function worstFirst(findings: readonly Finding[]): Finding[] {
  const levels: Finding['level'][] = ['fault', 'note', 'good'];
  const sorted = levels.flatMap((level) => findings.filter((one) => one.level === level));
  return sorted.filter(({ code }, index) => sorted.findIndex((other) => other.code === code) === index);
}
