import type { Box, Document, Kind } from './model.ts';
import type { RuleName } from './named-rules.ts';

/** `strong` alone makes a document tampered; `context` is for people and decides nothing. */
export type Strength = 'strong' | 'medium' | 'context';

/** The source of a finding. Two findings of one family may share one cause. */
export type Family = 'structure' | 'content' | 'image';

/** A place in the document and what is there. */
export interface Evidence {
  /** For a check across documents: the id and the name of the document that contains the place. */
  document_id?: string;
  document?: string;
  /** From 1. */
  page?: number;
  box?: Box;
  /** Bytes from the beginning of the file. */
  offset?: number;
  /** In bytes. */
  length?: number;
  /** The earlier or the expected value. */
  before?: string;
  /** The present value. */
  after?: string;
  /** Further details by name. */
  details?: Record<string, string | number | boolean>;
}

export interface Finding {
  /** One sentence for a caseworker: what is there, never what it proves. */
  message: string;
  /** At least one. */
  evidence: Evidence[];
  /** Weaker than the rule's strength if this finding is less certain. */
  strength?: Strength;
}

export type Verdict =
  | { status: 'passed'; compared: string }
  | { status: 'finding'; findings: Finding[] }
  | { status: 'not_applicable'; reason: string }
  | { status: 'unreadable'; reason: string };

export interface Rule {
  /** In kebab-case; never changes. */
  name: RuleName;
  /** Incremented when the rule's verdict changes for any document. */
  version: number;
  /** What the rule looks at, for a caseworker, as in "Earlier versions of the file". */
  title: string;
  strength: Strength;
  family: Family;
  /** Whether passing says that what the document shows is as its issuer made it; what a file says of its own making does not. */
  substance: boolean;
  appliesTo: readonly Kind[];
  /** Unreadable makes the check `unreadable`; any other error makes it `error`. */
  run(document: Document): Promise<Verdict> | Verdict;
}

export function notApplicable(reason: string): Verdict {
  return { status: 'not_applicable', reason };
}

/** What a rule compared. */
export interface Compared {
  count: number;
  /** One of them, and several, as in "IBAN" and "IBANs". */
  what: string;
  many?: string;
  /** Why there were none. */
  none?: string;
}

/** Without findings, `passed` with what was compared; a check that compared nothing is not applicable. */
export function verdictOf(findings: Finding[], { count, what, many = `${what}s`, none }: Compared): Verdict {
  if (findings.length > 0) return { status: 'finding', findings };
  if (count > 0) return { status: 'passed', compared: `${count} ${count === 1 ? what : many}` };
  return notApplicable(none ?? `There were no ${many} to compare.`);
}

/**
 * The findings of several looks at a document; one that fails does not affect the others.
 * @throws the first failure, if there are no findings or only context
 */
export async function foundBy(looks: readonly (() => Promise<Finding[]> | Finding[])[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const failures: unknown[] = [];
  for (const look of looks) {
    try {
      findings.push(...(await look()));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0 && findings.every(({ strength }) => strength === 'context')) throw failures[0];
  return findings;
}
