import type { AnalysedDocument, Analysis } from '../analysis.ts';
import type { Check, Facts, Outcome } from '../result.ts';
import type { Evidence, Strength } from '../rule.ts';
import {
  type ChecksOfReason,
  cleanChecks,
  comparedBy,
  countedOutcomes,
  crossFindings,
  detailsOf,
  factsOf,
  failedChecks,
  gravestFirst,
  idleChecks,
  type NumberedFinding,
  numberedFindings,
  parts,
  placeOf,
} from './sections.ts';
import { MARGIN, type Style, type TextOptions, Writer } from './text-writer.ts';
import { visible } from './visible.ts';
import { count, FAMILIES, LIMITS, moreOf, OUTCOMES, type Together, whyOf } from './wording.ts';

const WIDEST = 100;
const PLACES_A_FINDING = 5;
const INDENT = 5;
const PLACE_INDENT = 15;
/** More checks than this that share a reason are counted instead of named. */
const NAMED = 4;

// `no_finding` is not green: it does not mean that a document is genuine.
const OUTCOME_STYLES: Record<Outcome, Style> = {
  tampered: 'red',
  suspicious: 'yellow',
  inconclusive: 'cyan',
  no_finding: 'bold',
};
const STRENGTH_STYLES: Record<Strength, Style> = { strong: 'red', medium: 'yellow', context: 'dim' };

/** A report for a terminal. Control characters in text from documents are escaped. */
export function textReport({ engine, cross_checks, documents }: Analysis, options: TextOptions): string {
  const writer = new Writer({ ...options, columns: Math.min(options.columns, WIDEST) });
  writeContradictions(writer, cross_checks);
  if (documents.length > 1) writeSummary(writer, documents);
  for (const document of documents) writeDocument(writer, document, { documents, cross_checks });
  writer.heading('How to read this');
  for (const sentence of LIMITS) writer.prose(sentence, { style: 'dim' });
  writer.prose(`Engine: ${visible(engine.name)} ${visible(engine.version)}.`, { style: 'dim' });
  return writer.text();
}

function badge({ options: { paint } }: Writer, outcome: Outcome): string {
  return paint(OUTCOME_STYLES[outcome], paint('bold', OUTCOMES[outcome].name.toUpperCase()));
}

/** Comes first, because no single document shows it. */
function writeContradictions(writer: Writer, checks: readonly Check[]): void {
  const found = crossFindings(checks);
  if (found.length === 0) return;
  writer.heading('The documents against each other');
  for (const { check, finding } of found) {
    const name = finding.strength === 'strong' ? 'STRONG' : finding.strength;
    writer.prose(`${name} · ${check.title}`, { style: STRENGTH_STYLES[finding.strength], indent: INDENT });
    writer.prose(visible(finding.message, 600), { indent: INDENT });
    for (const { document = '', page = 1, after = '' } of finding.evidence.slice(0, PLACES_A_FINDING))
      writer.prose(`${visible(document, 100)}, page ${page}: ${visible(after)}`, { indent: INDENT, style: 'bold' });
    writer.blank();
  }
}

function writeSummary(writer: Writer, documents: readonly AnalysedDocument[]): void {
  const counted = countedOutcomes(documents).map(([outcome, number]) => `${number} ${OUTCOMES[outcome].name}`);
  writer.heading(`${count(documents.length, 'document')}: ${counted.join(', ')}`);
  const widest = Math.max(...documents.map(({ outcome }) => OUTCOMES[outcome].name.length));
  for (const { outcome, name } of gravestFirst(documents).map(({ document }) => document))
    writer.prose(visible(name), {
      indent: MARGIN.length + widest + 2,
      label: { text: MARGIN + badge(writer, outcome), width: MARGIN.length + OUTCOMES[outcome].name.length },
    });
}

function writeDocument(writer: Writer, document: AnalysedDocument, together: Together): void {
  const { outcome, name, facts } = document;
  writer.rule(visible(name, 200));
  const { means, advice } = OUTCOMES[outcome];
  const why = whyOf(document, together);
  const width = OUTCOMES[outcome].name.length;
  writer.prose(means, { indent: width + 2, label: { text: badge(writer, outcome), width } });
  if (why) writer.prose(visible(why), { indent: width + 2 });
  writer.prose(advice, { indent: width + 2, style: 'dim' });
  writer.blank();
  const rows = factsOf(facts);
  for (const [label, value] of rows) writer.row(label, value, 14);
  const findings = numberedFindings(document);
  for (const { title, members } of parts(findings)) {
    writer.heading(title);
    for (const found of members) writeFinding(writer, found, document);
  }
  writeChecks(writer, document);
}

function writeFinding(writer: Writer, { number, check, finding }: NumberedFinding, { facts }: AnalysedDocument): void {
  const { paint } = writer.options;
  const { strength, evidence, message } = finding;
  const label = { text: paint('bold', String(number).padStart(3)), width: 3 };
  const name = strength === 'strong' ? 'STRONG' : strength;
  writer.prose(`${name} · ${check.title}`, { style: STRENGTH_STYLES[strength], indent: INDENT, label });
  writer.prose(visible(message), { indent: INDENT });
  const shown = evidence.slice(0, PLACES_A_FINDING);
  for (const each of shown) writePlace(writer, each, facts);
  const more = moreOf(finding, shown.length);
  if (more) writer.prose(`${more}; --json lists them`, { indent: INDENT, style: 'dim' });
  writer.prose(`${FAMILIES[check.family]} · ${check.rule} v${check.version}`, { indent: INDENT, style: 'dim' });
  writer.blank();
}

function writePlace(writer: Writer, evidence: Evidence, facts: Facts): void {
  const { paint } = writer.options;
  const change = changeOf(evidence);
  const details = detailsOf(evidence).map(([key, value]) => `${key}: ${value}`);
  const name = placeOf(evidence, facts) ?? (change === undefined ? '' : facts.kind === 'pdf' ? 'file' : 'picture');
  if (name === '' && details.length === 0) return;
  const label = { text: ' '.repeat(INDENT) + paint('dim', name), width: INDENT + name.length };
  const lines: { text: string; style: Style }[] = [
    ...(change === undefined ? [] : [{ text: change, style: 'bold' as const }]),
    ...(details.length === 0 ? [] : [{ text: details.join(' · '), style: 'dim' as const }]),
  ];
  if (lines.length === 0) writer.prose(name, { indent: INDENT, style: 'dim' });
  for (const [index, { text, style }] of lines.entries())
    writer.prose(text, { indent: PLACE_INDENT, style, ...(index === 0 ? { label } : {}) });
}

/** The earlier or expected value and the present one. */
function changeOf({ before, after }: Evidence): string | undefined {
  if (before !== undefined && after !== undefined) return `${visible(before)} → ${visible(after)}`;
  if (before !== undefined) return `was, or should be: ${visible(before)}`;
  return after === undefined ? undefined : visible(after);
}

function writeChecks(writer: Writer, document: AnalysedDocument): void {
  const clean = cleanChecks(document);
  if (clean.length > 0) {
    writer.heading(`Ran, and found nothing (${clean.length})`);
    writer.prose(clean.map(comparedBy).join(' · '));
  }
  writeReasons(writer, 'Could not run', failedChecks(document), 'yellow');
  writeReasons(writer, 'Had nothing to look at', idleChecks(document), 'dim');
}

function writeReasons(writer: Writer, title: string, groups: ChecksOfReason[], style: Style): void {
  const total = groups.reduce((sum, { checks }) => sum + checks.length, 0);
  if (total > 0) writer.heading(`${title} (${total})`);
  // Long lists of names would bury the reasons.
  for (const { reason, checks } of [...groups].sort((a, b) => a.checks.length - b.checks.length)) {
    const names = checks.length > NAMED ? `${checks.length} checks` : checks.map((check) => check.title).join(' · ');
    writer.prose(`${names}: ${visible(reason)}`, { style });
  }
}
