import type { Sighting } from '../../analysis.ts';
import type { Finding, Rule, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * The same file, or one with the same figures, that another tenant handed in, who does not apply together with this one.
 *
 * How: the caller, which keeps the documents of several tenants, looks up three things: the file, byte by byte; the first half
 * of a PDF's identifier, which survives edits; and the figures of a statement or payslip together. The finding says how many
 * other tenants have it, never who.
 *
 * Known false positives: a person with two accounts; people of one household whose applications are not the same; a leaflet or
 * an empty form, which is why a file that many have, and a file that was only made from the same original (as all who fill
 * in one form do), count as context.
 *
 * Source: own reasoning; ISO 32000-1, 14.4 for the identifier.
 */
export const seenElsewhere: Rule = {
  name: 'seen-elsewhere',
  version: 1,
  title: 'The same document at other tenants',
  strength: 'medium',
  family: 'structure',
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: () => notApplicable('Documents of other tenants are not known here.'),
};

/** A forged payslip is handed in by few; what more have is a leaflet. */
const MANY = 3;

/** The rule's findings where other tenants' documents are known. Their text names no one. */
export function verdictOnSightings(sightings: readonly Sighting[]): Verdict {
  const seen = (kind: Sighting['kind']) => sightings.find((one) => one.kind === kind && one.tenants > 0)?.tenants ?? 0;
  const [file, figures, origin] = [seen('file'), seen('figures'), seen('origin')];
  if (file > 0) return verdictOf([sameFile(file)]);
  if (figures > 0) return verdictOf([sameFigures(figures)]);
  return verdictOf(origin > 0 ? [sameOrigin(origin)] : []);
}

function sameFile(tenants: number): Finding {
  const isCommon = tenants > MANY;
  const message = `${others(tenants)} handed in the very same file${isCommon ? '; it may be a leaflet or an empty form' : ''}.`;
  return { message, evidence: [{ details: { tenants } }], ...(isCommon ? { strength: 'context' } : {}) };
}

function sameFigures(tenants: number): Finding {
  const isCommon = tenants > MANY;
  const message = `${others(tenants)} handed in a document with exactly the same figures.`;
  return { message, evidence: [{ details: { tenants } }], ...(isCommon ? { strength: 'context' } : {}) };
}

function sameOrigin(tenants: number): Finding {
  const message = `${others(tenants)} handed in a file that was made from the same original, as an edited copy or a form from the same place is.`;
  return { message, strength: 'context', evidence: [{ details: { tenants } }] };
}

function others(tenants: number): string {
  return tenants === 1 ? 'Another tenant' : `${tenants} other tenants`;
}
