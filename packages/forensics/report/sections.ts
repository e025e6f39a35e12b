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

/** Strongest first. */
export function numberedFindings({ checks }: DocumentResult): NumberedFinding[] {
  const rank = (strength: Strength) => STRENGTH_ORDER.indexOf(strength);
  return checks
    .flatMap((check) => (check.findings ?? []).map((finding) => ({ check, finding })))
    .sort((a, b) => rank(a.finding.strength) - rank(b.finding.strength))
    .map((found, index) => ({ number: index + 1, ...found }));
}

/** Separates findings that decide from those for information: a document without findings may still have the latter. */
export function parts(findings: readonly NumberedFinding[]): { title: string; members: NumberedFinding[] }[] {
  const isContext = ({ finding }: NumberedFinding) => finding.strength === 'context';
  return [
    { title: 'Findings', members: findings.filter((found) => !isContext(found)) },
    { title: 'For your information', members: findings.filter(isContext) },
  ].filter(({ members }) => members.length > 0);
}

export function cleanChecks({ checks }: DocumentResult): Check[] {
  return checks.filter(({ status }) => status === 'passed');
}

export interface ChecksOfReason {
  reason: string;
  checks: Check[];
}

/** Checks that should have run and could not, by reason. */
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

/** Names and values, with everything that comes from the file made visible. */
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

/** Gravest outcome first, otherwise in order of submission; `place` is that order, from 1. */
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
