import type { Claim, ClaimKind, Paper } from '../claims.ts';
import type { RuleName } from '../named-rules.ts';
import type { Evidence, Finding, Strength } from '../rule.ts';

/** A paper of a submitted document. */
export interface OwnedPaper extends Paper {
  document_id: string;
  name: string;
}

/** Compares the papers of one applicant with each other. */
export interface CrossRule {
  /** In kebab-case; never changes. */
  name: RuleName;
  /** Incremented when its findings change for any set of documents. */
  version: number;
  title: string;
  strength: Strength;
  /** Undefined when there is nothing to compare. */
  run(papers: readonly OwnedPaper[]): Finding[] | undefined;
}

export function ofKind(papers: readonly OwnedPaper[], kind: Paper['kind']): OwnedPaper[] {
  return papers.filter((paper) => paper.kind === kind);
}

/** Limits on quantity, because every payslip is compared with every statement. */
const MOST: Partial<Record<ClaimKind, number>> = { credit: 300, figure: 80, name: 14 };
const MAX_OTHERS = 6;

export function claimsOf({ claims }: Paper, kind: ClaimKind): Claim[] {
  return claims.filter((claim) => claim.kind === kind).slice(0, MOST[kind] ?? MAX_OTHERS);
}

export function claimOf(paper: Paper, kind: ClaimKind): Claim | undefined {
  return claimsOf(paper, kind)[0];
}

/** Every pair, the earlier submission first. */
export function pairsOf<Item>(items: readonly Item[]): [Item, Item][] {
  return items.flatMap((one, index) => items.slice(index + 1).map((other): [Item, Item] => [one, other]));
}

/** Where a claim is, with the value that another document leads one to expect. */
export function at({ document_id, name }: OwnedPaper, { page, box, text }: Claim, before?: string): Evidence {
  return { document_id, document: name, page, box, ...(before === undefined ? {} : { before }), after: text };
}

/** Context only if a digit may have been misread. */
export function between(papers: readonly OwnedPaper[], finding: Finding): Finding {
  return papers.some(({ is_read }) => is_read) ? { ...finding, strength: 'context' } : finding;
}
