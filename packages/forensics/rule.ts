import type { Box, Document, Kind } from './model.ts';

/** What a finding weighs: `strong` alone makes a document tampered, `context` is for people and decides nothing. */
export type Strength = 'strong' | 'medium' | 'context';

/** Where a finding comes from. Two of one family may be one cause seen twice. */
export type Family = 'structure' | 'content' | 'image';

/** A place in the document, and what was seen there. */
export interface Evidence {
  /** From 1. */
  page?: number;
  box?: Box;
  /** In bytes from the beginning of the file. */
  offset?: number;
  /** In bytes. */
  length?: number;
  /** What stood there, or should. */
  before?: string;
  /** What stands there. */
  after?: string;
  /** What else is of use, by name. */
  details?: Record<string, string | number | boolean>;
}

export interface Finding {
  /** One sentence for a caseworker: what was seen, never what it proves. */
  message: string;
  /** At least one. */
  evidence: Evidence[];
  /** Weaker than the rule's, when this one is less certain. */
  strength?: Strength;
}

export type Verdict =
  | { status: 'passed' }
  | { status: 'finding'; findings: Finding[] }
  | { status: 'not_applicable'; reason: string }
  | { status: 'unreadable'; reason: string };

export interface Rule {
  /** In kebab-case; never changes. */
  name: string;
  /** Rises when the rule would answer otherwise for some document. */
  version: number;
  /** What is looked at, for a caseworker, as in "Earlier versions of the file". */
  title: string;
  strength: Strength;
  family: Family;
  appliesTo: readonly Kind[];
  /** Whatever it throws becomes a check `error`, but Unreadable, which becomes `unreadable`. */
  run(document: Document): Promise<Verdict> | Verdict;
}

export const passed: Verdict = { status: 'passed' };

export function notApplicable(reason: string): Verdict {
  return { status: 'not_applicable', reason };
}

/** Passed when there is no finding. */
export function verdictOf(findings: Finding[]): Verdict {
  return findings.length === 0 ? passed : { status: 'finding', findings };
}
