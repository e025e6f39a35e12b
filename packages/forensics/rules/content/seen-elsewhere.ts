import type { Sighting } from '../../analysis.ts';
import type { Finding, Rule, Verdict } from '../../rule.ts';
import { notApplicable, verdictOf } from '../../rule.ts';

/**
 * The same file, or one with the same figures, submitted by another tenant who is not a co-applicant.
 *
 * How: the caller, which keeps the documents of many tenants, looks up three fingerprints: the bytes of the file; the first half of a PDF's
 * identifier, which survives edits; and the figures of a statement or payslip. The finding gives the number of other tenants with a match,
 * never their identity.
 *
 * Known false positives: a person with two accounts; members of one household who apply separately; a leaflet or an empty form. Therefore a
 * match with many tenants is context, as is a file that only has the same original, which all copies of a form have.
 *
 * Source: own reasoning; ISO 32000-1, 14.4 for the identifier.
 */
export const seenElsewhere: Rule = {
  name: 'seen-elsewhere',
  version: 1,
  title: 'The same document at other tenants',
  strength: 'medium',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf', 'jpeg', 'png'],
  run: () => notApplicable('Documents of other tenants are not known here.'),
};

/** Few tenants submit the same forged payslip; if more have it, it is a leaflet. */
const MANY = 3;

/** The rule's verdict if other tenants' documents are known. Messages name no one. */
export function verdictOnSightings(sightings: readonly Sighting[]): Verdict {
  const seen = (kind: Sighting['kind']) => sightings.find((one) => one.kind === kind && one.tenants > 0)?.tenants ?? 0;
  const [file, figures, origin] = [seen('file'), seen('figures'), seen('origin')];
  const compared = { count: 1, what: 'document' };
  if (file > 0) return verdictOf([sameFile(file)], compared);
  if (figures > 0) return verdictOf([sameFigures(figures)], compared);
  return verdictOf(origin > 0 ? [sameOrigin(origin)] : [], compared);
}

function sameFile(tenants: number): Finding {
  const isCommon = tenants > MANY;
  const message = `${others(tenants)} submitted the same file${isCommon ? '; it may be a leaflet or an empty form' : ''}.`;
  return { message, evidence: [{ details: { tenants } }], ...(isCommon ? { strength: 'context' } : {}) };
}

function sameFigures(tenants: number): Finding {
  const isCommon = tenants > MANY;
  const message = `${others(tenants)} submitted a document with exactly the same figures.`;
  return { message, evidence: [{ details: { tenants } }], ...(isCommon ? { strength: 'context' } : {}) };
}

function sameOrigin(tenants: number): Finding {
  const message = `${others(tenants)} submitted a file made from the same original, such as an edited copy or a form from the same source.`;
  return { message, strength: 'context', evidence: [{ details: { tenants } }] };
}

function others(tenants: number): string {
  return tenants === 1 ? 'Another tenant' : `${tenants} other tenants`;
}
