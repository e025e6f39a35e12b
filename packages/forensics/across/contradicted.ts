import type { AnalysedDocument } from '../analysis.ts';
import type { Check } from '../result.ts';

/**
 * A document that another one contradicts is at least suspicious. A contradiction alone never makes it tampered, because it does not
 * show which of the two was changed.
 */
export function contradicted(document: AnalysedDocument, crossChecks: readonly Check[]): AnalysedDocument {
  const contradicts = new Set<string>();
  for (const { evidence, strength } of crossChecks.flatMap(({ findings = [] }) => findings)) {
    if (strength === 'context') continue;
    const ids = evidence.flatMap(({ document_id }) => document_id ?? []);
    if (!ids.includes(document.document_id)) continue;
    const others = ids.filter((id) => id !== document.document_id);
    // A file may hold two payslips that contradict each other.
    for (const id of others.length > 0 ? others : ids) contradicts.add(id);
  }
  if (contradicts.size === 0) return document;
  const { document_id, name, outcome, facts, checks } = document;
  const atLeast = outcome === 'tampered' ? outcome : 'suspicious';
  return { document_id, name, outcome: atLeast, contradicts: [...contradicts], facts, checks };
}
