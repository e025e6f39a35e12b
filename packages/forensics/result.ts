import type { Kind } from './model.ts';
import type { Evidence, Family, Finding, Strength } from './rule.ts';

/** `no_finding` never means that a document is genuine. */
export type Outcome = 'no_finding' | 'suspicious' | 'tampered' | 'inconclusive';

export interface CheckFinding {
  message: string;
  strength: Strength;
  evidence: Evidence[];
  /** Number of places beyond those listed. */
  more?: number;
}

export interface Check {
  rule: string;
  version: number;
  title: string;
  strength: Strength;
  family: Family;
  status: 'passed' | 'finding' | 'not_applicable' | 'unreadable' | 'error';
  /** Why the check is not applicable or unreadable. */
  reason?: string;
  /** What a passed check compared, as in "3 IBANs". */
  compared?: string;
  findings?: CheckFinding[];
}

/** Properties of the file, without judgement. */
export interface Facts {
  kind?: Kind;
  size_bytes: number;
  sha256: string;
  pages?: number;
  width?: number;
  height?: number;
  /** As stated in the file, truncated. */
  producer?: string;
  creator?: string;
  created_at?: string;
  modified_at?: string;
}

export interface DocumentResult {
  outcome: Outcome;
  /** Why the outcome is `inconclusive`. */
  reason?: string;
  /** The ids of documents that this one contradicts; which of them is right is unknown. */
  contradicts?: string[];
  facts: Facts;
  checks: Check[];
}

/** A rule's finding as a result lists it. */
export function checkFinding(finding: Finding, strength: Strength, places: number): CheckFinding {
  const { message, evidence } = finding;
  const more = evidence.length - places;
  return {
    message,
    strength: finding.strength ?? strength,
    evidence: evidence.slice(0, places),
    ...(more > 0 ? { more } : {}),
  };
}
