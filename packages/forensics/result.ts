import type { Kind } from './model.ts';
import type { Evidence, Family, Finding, Strength } from './rule.ts';

/** `no_finding` says that nothing was found, never that a document is genuine. */
export type Outcome = 'no_finding' | 'suspicious' | 'tampered' | 'inconclusive';

export interface CheckFinding {
  message: string;
  strength: Strength;
  evidence: Evidence[];
  /** How many places more there are than are listed. */
  more?: number;
}

export interface Check {
  rule: string;
  version: number;
  title: string;
  strength: Strength;
  family: Family;
  status: 'passed' | 'finding' | 'not_applicable' | 'unreadable' | 'error';
  /** Why it is not applicable or unreadable. */
  reason?: string;
  findings?: CheckFinding[];
}

/** What is known of the file, whatever it means. */
export interface Facts {
  kind?: Kind;
  size_bytes: number;
  sha256: string;
  pages?: number;
  width?: number;
  height?: number;
  /** As the file itself says, cut to a sensible length. */
  producer?: string;
  creator?: string;
  created_at?: string;
  modified_at?: string;
}

export interface DocumentResult {
  outcome: Outcome;
  /** Of an outcome `inconclusive`. */
  reason?: string;
  facts: Facts;
  checks: Check[];
}

/** What `Finding` of a rule becomes in a result. */
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
