import type { AnalysedDocument } from '../analysis.ts';
import type { Check, CheckFinding, DocumentResult, Facts } from '../result.ts';
import type { Evidence, Strength } from '../rule.ts';
import { visible } from './visible.ts';
import { count, KINDS, OUTCOME_ORDER, STRENGTH_ORDER, sizeOf } from './wording.ts';

/** A document's result in reading order. */

export interface NumberedFinding {
  /** From 1 in each document; marks on its pages show it. */
  number: number;
  check: Check;
  finding: CheckFinding;
}

/** Strongest first; of those, findings about a value before those about the file. */
export function numberedFindings({ checks }: DocumentResult): NumberedFinding[] {
  const rank = ({ strength, evidence }: CheckFinding) =>
    2 * STRENGTH_ORDER.indexOf(strength) + (evidence.some(isAboutValue) ? 0 : 1);
  return checks
    .flatMap((check) => (check.findings ?? []).map((finding) => ({ check, finding })))
    .sort((a, b) => rank(a.finding) - rank(b.finding))
    .map((found, index) => ({ number: index + 1, ...found }));
}

/** Findings across documents, strongest first. */
export function crossFindings(checks: readonly Check[]): { check: Check; finding: CheckFinding }[] {
  const rank = ({ finding }: { finding: CheckFinding }) => STRENGTH_ORDER.indexOf(finding.strength);
  return checks
    .flatMap((check) => (check.findings ?? []).map((finding) => ({ check, finding })))
    .sort((one, other) => rank(one) - rank(other));
}

/** An edit: its strongest finding, and others about the same place. */
export interface Edit {
  first: NumberedFinding;
  others: NumberedFinding[];
}

/** Share of the smaller box that must lie in the other one. */
const SAME_PLACE = 0.5;

/** One for each changed place, however many checks found it. Findings must be sorted, strongest first. */
export function editsIn(findings: readonly NumberedFinding[]): Edit[] {
  const edits: Edit[] = [];
  for (const found of findings) {
    const same = edits.find(({ first }) => isInformation(first) === isInformation(found) && isSamePlace(first, found));
    if (same) same.others.push(found);
    else edits.push({ first: found, others: [] });
  }
  return edits;
}

/** Whether it shows a value at a place of a page. */
function isAboutValue({ box, before, after }: Evidence): boolean {
  return box !== undefined && (before ?? after ?? '') !== '';
}

function isInformation({ finding }: NumberedFinding): boolean {
  return finding.strength === 'context';
}

/** A finding is about the first place that it names. */
function isSamePlace(one: NumberedFinding, other: NumberedFinding): boolean {
  const [{ page, box } = {}, { page: otherPage, box: otherBox } = {}] = [
    one.finding.evidence[0],
    other.finding.evidence[0],
  ];
  if (!box || !otherBox || page !== otherPage) return false;
  const overlap = (start: number, length: number, otherStart: number, otherLength: number) =>
    Math.max(0, Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart));
  const shared =
    overlap(box.x, box.width, otherBox.x, otherBox.width) * overlap(box.y, box.height, otherBox.y, otherBox.height);
  return shared > 0 && shared >= SAME_PLACE * Math.min(box.width * box.height, otherBox.width * otherBox.height);
}

const SECTIONS: Record<Strength, string> = {
  strong: 'Strong findings',
  medium: 'Findings of medium strength',
  context: 'For your information',
};

/** Strongest first. A document without decisive findings may still have some for information. */
export function parts(findings: readonly NumberedFinding[]): { title: string; members: NumberedFinding[] }[] {
  return STRENGTH_ORDER.map((strength) => ({
    title: SECTIONS[strength],
    members: findings.filter(({ finding }) => finding.strength === strength),
  })).filter(({ members }) => members.length > 0);
}

export function cleanChecks({ checks }: DocumentResult): Check[] {
  return checks.filter(({ status }) => status === 'passed');
}

/** A passed check by its title, with what it compared. */
export function comparedBy({ title, compared }: Check): string {
  return compared === undefined ? title : `${title} (${compared})`;
}

export interface ChecksOfReason {
  reason: string;
  checks: Check[];
}

/** Checks that should have run but failed, by reason. */
export function failedChecks({ checks }: DocumentResult): ChecksOfReason[] {
  const failed = checks.filter(({ status }) => status === 'unreadable' || status === 'error');
  return byReason(failed, 'The check itself failed. That is a fault of this program, not of the document.');
}

/** Checks that did not apply, by reason. */
export function idleChecks({ checks }: DocumentResult): ChecksOfReason[] {
  return byReason(
    checks.filter(({ status }) => status === 'not_applicable'),
    'There was nothing to look at.',
  );
}

function byReason(checks: Check[], otherwise: string): ChecksOfReason[] {
  const groups = Map.groupBy(checks, ({ reason }) => reason ?? otherwise);
  return Array.from(groups, ([reason, members]) => ({ reason, checks: members }));
}

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/;

/** Names and values, with control characters from the file escaped. */
export function factsOf(facts: Facts): [string, string][] {
  const { kind, pages, width, height, size_bytes, producer, creator, created_at, modified_at, sha256 } = facts;
  const extent =
    pages !== undefined ? count(pages, 'page') : width && height ? `${width} × ${height} pixels` : undefined;
  const file = [kind ? KINDS[kind] : 'unknown kind of file', extent, sizeOf(size_bytes)];
  const rows: [string, string | undefined][] = [
    ['File', file.filter(Boolean).join(', ')],
    ['Written by', producer],
    ['Made with', creator],
    ['Created', created_at?.replace(MOMENT, '$1 $2 UTC')],
    ['Changed', modified_at?.replace(MOMENT, '$1 $2 UTC')],
    ['SHA-256', sha256],
  ];
  return rows.flatMap(([name, value]): [string, string][] => (value ? [[name, visible(value, 200)]] : []));
}

/** The page; undefined for a picture, which has only one. */
export function placeOf({ page }: Evidence, { kind }: Facts): string | undefined {
  return page === undefined || kind === 'jpeg' || kind === 'png' ? undefined : `page ${page}`;
}

/** Further details of a place, for readers who inspect the file itself. */
export function detailsOf({ offset, length, details = {} }: Evidence): [string, string][] {
  const from = offset?.toLocaleString('en');
  const to = length === undefined || offset === undefined ? undefined : (offset + length).toLocaleString('en');
  const bytes: [string, string][] =
    from === undefined ? [] : [to === undefined ? ['at byte', from] : ['bytes', `${from} to ${to}`]];
  return [...Object.entries(details).map(([name, value]): [string, string] => [nameOf(name), wordOf(value)]), ...bytes];
}

function nameOf(key: string): string {
  return visible(
    key
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .replaceAll('_', ' ')
      .toLowerCase(),
  );
}

function wordOf(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return visible(String(value));
}

/** Gravest outcome first, otherwise in order of submission; `place` is the position in the submission, from 1. */
export function gravestFirst(documents: readonly AnalysedDocument[]): { place: number; document: AnalysedDocument }[] {
  const rank = ({ outcome }: AnalysedDocument) => OUTCOME_ORDER.indexOf(outcome);
  return documents
    .map((document, index) => ({ place: index + 1, document }))
    .sort((a, b) => rank(a.document) - rank(b.document));
}

/** Documents for each outcome, gravest first. */
export function countedOutcomes(documents: readonly AnalysedDocument[]): [AnalysedDocument['outcome'], number][] {
  return OUTCOME_ORDER.map((outcome): [AnalysedDocument['outcome'], number] => [
    outcome,
    documents.filter((document) => document.outcome === outcome).length,
  ]).filter(([, number]) => number > 0);
}
