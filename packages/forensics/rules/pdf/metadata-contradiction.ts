import { areDaysApart, isClearlyLater, readPdfDate, readXmpDate, type StatedDate } from '../../pdf/dates.ts';
import { type Metadata, metadataOf } from '../../pdf/metadata.ts';
import { signaturesOf } from '../../pdf/signature/fields.ts';
import { type Structure, structureOf } from '../../pdf/structure.ts';
import { type Finding, notApplicable, type Rule, verdictOf } from '../../rule.ts';

/**
 * A file states in two places, in each revision, when and with which program it was made. Some of these statements rule each other out: a
 * change or a signature before the creation, an impossible date, two dates of one event. Wrong clocks, and time zones that writers omit or
 * mistake, are tolerated.
 *
 * What one version of a file states accuses no one: programs fill in templates, and archives and portals save files again, and each renews
 * some of the statements and leaves the others. An earlier version with another date of creation does, and a signature before the creation.
 *
 * Known false positives: a template whose date of creation a program renews when it fills it in as a further version.
 *
 * Source: ISO 32000-1, 14.3; ISO 16684-1; own reasoning.
 */
export const metadataContradiction: Rule = {
  name: 'metadata-contradiction',
  version: 4,
  title: 'Dates and names that the file states of itself',
  strength: 'medium',
  family: 'structure',
  substance: false,
  appliesTo: ['pdf'],
  run({ bytes }) {
    const structure = structureOf(bytes);
    const now = metadataOf(structure);
    const { producer, created, modified, xmp } = now;
    if ([producer, created, modified, xmp].every((stated) => stated === undefined))
      return notApplicable('The file states nothing of itself.');
    const findings = [...statedAtOnce(now), ...renewedCreation(structure, now), ...signedBeforeMade(structure, now)];
    const count = [producer, created, modified, xmp].filter((stated) => stated !== undefined).length;
    return verdictOf(findings, { count, what: 'statement' });
  },
};

const read = (date: string | undefined) => (date === undefined ? undefined : readPdfDate(date));
const readX = (date: string | undefined) => (date === undefined ? undefined : readXmpDate(date));

function contradiction(message: string, before: StatedDate, after: StatedDate): Finding {
  return { message, evidence: [{ before: before.iso, after: after.iso }] };
}

/** What one version of a file states. */
function statedAtOnce(now: Metadata): Finding[] {
  const findings = [...impossibleDates(now), ...changedBeforeMade(now), ...twoPlaces(now), ...historyAfterwards(now)];
  return findings.map((finding) => ({ ...finding, strength: 'context' }));
}

/** Dates whose digits form no valid date. Words or zeros in their place are the work of faulty programs. */
function impossibleDates({ created, modified }: Metadata): Finding[] {
  return [created, modified].flatMap((date) => {
    if (date === undefined || !/^D:(?:19[9]|20\d)\d{5}/.test(date) || readPdfDate(date) !== undefined) return [];
    return [{ message: `The file states an impossible date: ${date}.`, evidence: [{ after: date }] }];
  });
}

function changedBeforeMade({ created, modified }: Metadata): Finding[] {
  const [made, changed] = [read(created), read(modified)];
  if (made === undefined || changed === undefined || changed.time > made.time || !areDaysApart(made, changed))
    return [];
  const message = 'The file says it was last changed before it was made.';
  return [contradiction(message, made, changed)];
}

function twoPlaces(now: Metadata): Finding[] {
  const { producer, created, modified, xmp } = now;
  const findings: Finding[] = [];
  const [made, madeToo] = [read(created), readX(xmp?.created)];
  if (made !== undefined && madeToo !== undefined && areDaysApart(made, madeToo)) {
    const message = 'The file states two different dates on which it was made.';
    findings.push(contradiction(message, madeToo, made));
  }
  const [changed, changedToo] = [read(modified), readX(xmp?.modified)];
  if (
    changed !== undefined &&
    changedToo !== undefined &&
    changedToo.time > changed.time &&
    areDaysApart(changed, changedToo)
  ) {
    const message = 'The file states two dates of its last change, the second later than the first.';
    findings.push(contradiction(message, changedToo, changed));
  }
  if (producer !== undefined && xmp?.producer !== undefined && !isAlike(producer, xmp.producer)) {
    const message = 'The file names two different programs that wrote it.';
    findings.push({ message, evidence: [{ before: xmp.producer, after: producer }] });
  }
  return findings;
}

/** Ignores trademark signs and what a program adds to its name. */
function isAlike(first: string, second: string): boolean {
  const [one, other] = [first, second].map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  return one === undefined || other === undefined || one.includes(other) || other.includes(one);
}

function historyAfterwards({ modified, xmp }: Metadata): Finding[] {
  const changed = read(modified) ?? readX(xmp?.modified);
  if (changed === undefined) return [];
  return (xmp?.history ?? [])
    .flatMap(({ when, action = 'changed', agent = 'a program' }) => {
      const event = readX(when);
      if (event === undefined || !isClearlyLater(event, changed)) return [];
      const message = `The history in the file says that ${agent} ${action} it after the day of its last change.`;
      return [contradiction(message, changed, event)];
    })
    .slice(0, 5);
}

/** Saving a file does not change its creation date. */
function renewedCreation(structure: Structure, now: Metadata): Finding[] {
  const after = read(now.created);
  for (const view of structure.views.slice(0, -1)) {
    const before = read(metadataOf(structure, view).created);
    if (before === undefined || after === undefined || !areDaysApart(before, after)) continue;
    const message = 'An earlier version of the file states another date on which it was made.';
    return [{ message, evidence: [{ offset: view.end, before: before.iso, after: after.iso }] }];
  }
  return [];
}

function signedBeforeMade(structure: Structure, { created, xmp }: Metadata): Finding[] {
  const made = read(created) ?? readX(xmp?.created);
  if (made === undefined) return [];
  return signaturesOf(structure).flatMap(({ signedAt }) => {
    const signed = read(signedAt);
    if (signed === undefined || !areDaysApart(made, signed) || signed.time > made.time) return [];
    return [contradiction('The file says it was signed before it was made.', made, signed)];
  });
}
