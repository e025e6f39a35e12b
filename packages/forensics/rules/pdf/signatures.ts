import { Unreadable } from '../../model.ts';
import { findingsOf } from '../../pdf/diff/findings.ts';
import { pairsOf } from '../../pdf/diff/page-pairs.ts';
import { pageStates } from '../../pdf/diff/states.ts';
import { changesBetween } from '../../pdf/signature/changes.ts';
import type { CmsCheck } from '../../pdf/signature/cms.ts';
import { type Coverage, coverageOf, type Signature, signaturesOf } from '../../pdf/signature/fields.ts';
import { fieldsShownOtherwise } from '../../pdf/signature/shown-fields.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Evidence, type Finding, foundBy, notApplicable, type Rule, verdictOf } from '../../rule.ts';

const CHANGED_PAGES = 20;

/**
 * Checks each signature of the form separately: it must cover a version of the file from its first byte to its last; the bytes it covers
 * must be those that were signed; its value must have been made with the key of the certificate it carries; and only what may follow a
 * signature may have been saved after it (another signature, proofs of validity, a time stamp, fields that were empty, comments). What a
 * page shows must not change: its content, its fonts and pictures, its size, and what its form fields show, whatever value they store.
 * What cannot be verified, such as an unknown algorithm, makes the check unreadable; it is no finding.
 *
 * A valid signature is reported as context, with the facts of its certificate. Trust in the certificate is not checked, because there is no
 * list of authorities here.
 *
 * Known false positives: a signed file that a website compressed or merged keeps its signature, which then covers nothing. The file is no
 * longer what was signed, but perhaps without bad intent.
 *
 * Source: ISO 32000-1, 12.8; RFC 5652; RFC 3161; ETSI EN 319 142-1; Mladenov et al., "1 Trillion Dollar Refund: How To Spoof PDF
 * Signatures" (2019), and "Shadow Attacks" (2021), for what signatures leave open.
 */
export const signatures: Rule = {
  name: 'signatures',
  version: 3,
  title: 'Digital signatures',
  strength: 'strong',
  family: 'structure',
  substance: true,
  appliesTo: ['pdf'],
  async run({ bytes }) {
    const structure = structureOf(bytes);
    const all = signaturesOf(structure);
    if (all.length === 0) return notApplicable('The file is not signed.');
    const findings = await foundBy(all.map((signature) => () => findingsAbout(structure, signature)));
    return verdictOf(once(findings), { count: all.length, what: 'signature' });
  },
};

async function findingsAbout(structure: Structure, signature: Signature): Promise<Finding[]> {
  const coverage = coverageOf(structure, signature);
  const place = { offset: signature.contents.start, length: signature.contents.end - signature.contents.start };
  if (coverage.problem !== undefined) return [uncovered(signature, coverage, place)];
  // Loaded on demand, because few documents are signed.
  const { checkCms } = await import('../../pdf/signature/cms.ts');
  const check = checkCms(signature.contents.bytes, signature.subFilter, coveredBytes(structure.bytes, signature));
  const details = factsAbout(signature, check);
  if (!check.isIntact || !check.isGenuine) return [broken(check, { ...place, details })];
  const changes = await changesSince(structure, signature, coverage, check);
  return changes.length > 0 ? changes : [holds(signature, check, { ...place, details })];
}

function coveredBytes(bytes: Uint8Array, { byteRange }: Signature): Uint8Array[] {
  const [start = 0, before = 0, resumed = 0, after = 0] = byteRange;
  return [bytes.subarray(start, start + before), bytes.subarray(resumed, resumed + after)];
}

function factsAbout({ subFilter }: Signature, { certificate, signedAt }: CmsCheck) {
  const { subject, issuer, valid_from, valid_to, self_signed } = certificate;
  return {
    kind: subFilter,
    signer: subject,
    issuer,
    valid_from,
    valid_to,
    self_signed,
    certificate_trust: 'not checked',
    ...(signedAt === undefined ? {} : { signed_at: signedAt }),
  };
}

function uncovered({ name }: Signature, { problem, left }: Coverage, place: Evidence): Finding {
  const message = `A signature of the file does not cover the file as it should: ${lowered(problem ?? '')}`;
  const signer: Record<string, string> = name === undefined ? {} : { signer: name };
  return { message, evidence: [{ ...place, ...left, details: signer }] };
}

function lowered(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function broken({ isIntact, certificate }: CmsCheck, place: Evidence): Finding {
  const message = isIntact
    ? `The signature in the name of ${certificate.subject} was not made with the key of that certificate.`
    : `The part of the file that ${certificate.subject} signed is not what was signed: it was changed afterwards.`;
  return { message, evidence: [place] };
}

function holds({ subFilter }: Signature, { certificate, signedAt }: CmsCheck, place: Evidence): Finding {
  const what = subFilter === 'ETSI.RFC3161' ? 'time stamp' : 'signature';
  const when = signedAt === undefined ? '' : ` of ${signedAt.slice(0, 10)}`;
  return {
    message: `The ${what}${when} in the name of ${certificate.subject} fits the file; whether that certificate can be trusted was not checked.`,
    strength: 'context',
    evidence: [place],
  };
}

async function changesSince(
  structure: Structure,
  signature: Signature,
  { revision }: Coverage,
  { certificate }: CmsCheck,
): Promise<Finding[]> {
  const signed = revision === undefined ? undefined : structure.views[revision];
  if (signed === undefined || signed === structure.current) return [];
  const changes = changesBetween(structure, signed, structure.current);
  const signer = certificate.subject;
  const findings: Finding[] = [];
  if (changes.pagesBefore !== changes.pagesAfter) {
    const [before, after] = [`${changes.pagesBefore} pages`, `${changes.pagesAfter} pages`];
    const message = `The file had ${before} when ${signer} signed it and has ${after} now.`;
    findings.push({ message, evidence: [{ offset: signed.end, before, after }] });
  }
  if (changes.pages.length > 0) findings.push(await changedPages(structure, signed.end, changes.pages, signer));
  for (const { name, before, after } of changes.fields) {
    const message = `The field "${name}" read "${before}" when ${signer} signed the file and reads "${after}" now.`;
    findings.push({ message, strength: signature.allows === 1 ? 'strong' : 'medium', evidence: [{ before, after }] });
  }
  findings.push(...(await shownOtherwise(structure, signed.end, changes.fields, signer)));
  for (const { page, kind, text } of changes.notes) {
    const message = `Something that looks like part of page ${page} was laid over it after ${signer} had signed the file.`;
    findings.push({ message, strength: 'medium', evidence: [{ page, before: '', after: text, details: { kind } }] });
  }
  return findings;
}

/** A field whose stored value changed, too, is reported already: signers may allow that. */
async function shownOtherwise(
  { bytes }: Structure,
  end: number,
  stored: readonly { after: string }[],
  signer: string,
): Promise<Finding[]> {
  try {
    const shown = await fieldsShownOtherwise(bytes, end);
    const known = new Set(stored.map(({ after }) => after.trim()));
    return shown
      .filter(({ after }) => !known.has(after))
      .map(({ page, box, before, after }) => ({
        message: `A field on page ${page} showed "${before}" when ${signer} signed the file and shows "${after}" now.`,
        evidence: [{ page, box, before, after }],
      }));
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

async function changedPages(structure: Structure, end: number, pages: number[], signer: string): Promise<Finding> {
  const values = await changedValues(structure.bytes, end, pages);
  const where = `page${pages.length > 1 ? 's' : ''} ${pages.slice(0, CHANGED_PAGES).join(', ')}`;
  return {
    message: `What ${where} show${pages.length > 1 ? '' : 's'} was changed after ${signer} had signed the file.`,
    evidence: values.length > 0 ? values : pages.map((page) => ({ page, offset: end })),
  };
}

/** The texts that differ, if they can be read. */
async function changedValues(bytes: Uint8Array, end: number, pages: number[]): Promise<Evidence[]> {
  try {
    const pairs = pairsOf(await pageStates(bytes.subarray(0, end)), await pageStates(bytes));
    const changed = pairs.filter(({ before }) => pages.includes(before.text.number));
    return changed
      .flatMap((pair) => findingsOf(pair, []))
      .flatMap(({ evidence }) => evidence.map((place) => ({ ...place, offset: end })));
  } catch (error) {
    if (error instanceof Unreadable) return [];
    throw error;
  }
}

/** Reports a change once, even if two signatures reveal it. */
function once(findings: Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ evidence, strength }) => {
    const key = JSON.stringify(
      evidence.map(({ page, before, after, offset }) => [page, before, after, page ? 0 : offset]),
    );
    if (strength === 'context' || !seen.has(key)) {
      seen.add(key);
      return true;
    }
    return false;
  });
}
