import type { Analysis } from '../analysis.ts';
import type { Check, CheckFinding } from '../result.ts';
import type { Evidence } from '../rule.ts';
import { html, type Markup } from './markup.ts';
import { crossFindings } from './sections.ts';
import type { ShownPages } from './shown-pages.ts';
import { visible } from './visible.ts';
import { count } from './wording.ts';

/** A document's part of the report: the target of its links, and its pages. */
export interface Part {
  href: string;
  shown: ShownPages;
}

export type BesideContradiction = (check: Check, finding: CheckFinding) => Markup | undefined;

/** Contradictions between documents, at the top of the report. Undefined for a single document without contradictions. */
export function contradictions(
  analysis: Analysis,
  parts: ReadonlyMap<string, Part>,
  beside?: BesideContradiction,
): Markup | undefined {
  const { cross_checks: checks, documents } = analysis;
  const found = crossFindings(checks);
  if (found.length === 0 && documents.length < 2) return undefined;
  const decisive = found.filter(({ finding }) => finding.strength !== 'context');
  const others = found.filter(({ finding }) => finding.strength === 'context');
  const agreed = checks.filter(({ status }) => status === 'passed');
  const idle = checks.filter(({ status }) => status === 'not_applicable');
  const cards = (some: typeof found) =>
    html`<ol class="findings">${some.map(({ check, finding }) => card(check, finding, parts, beside?.(check, finding)))}</ol>`;
  return html`<section class="contradictions" aria-labelledby="contradictions">
<h2 id="contradictions">Do the documents agree with each other?</h2>
<p class="means">${answer(decisive.length, agreed.length)}</p>
${decisive.length > 0 ? html`<h3>Contradictions <span class="count">${decisive.length}</span></h3>${cards(decisive)}` : undefined}
${others.length > 0 ? html`<h3>For your information <span class="count">${others.length}</span></h3>${cards(others)}` : undefined}
<details class="folded"><summary>What was compared <span class="count">${checks.length}</span></summary>
<ul class="checks clean">${agreed.map(({ title }) => html`<li>${title}: no contradiction</li>`)}</ul>
<ul class="checks idle">${idle.map(({ title }) => html`<li>${title}: nothing to compare</li>`)}</ul></details>
</section>`;
}

function answer(found: number, agreed: number): Markup {
  if (found > 0)
    return html`<strong>No: ${count(found, 'contradiction')}.</strong> The documents alone do not show which of them is right. Ask for those named here, as they were downloaded.`;
  return agreed > 0
    ? html`<strong>No contradiction was found</strong> in what could be compared.`
    : html`They say nothing that could be compared.`;
}

function card(
  { title, rule, version }: Check,
  { strength, message, evidence }: CheckFinding,
  parts: ReadonlyMap<string, Part>,
  beside: Markup | undefined,
) {
  return html`<li class="finding ${strength}">
<h4>${title}</h4>
<p class="tags"><span class="strength">${strength}</span> <code>${rule} v${version}</code></p>
<p class="message">${visible(message, 600)}</p>
<ul class="sides">${evidence.map((place) => side(place, strength, parts.get(place.document_id ?? '')))}</ul>
${beside}
</li>`;
}

function side(
  { document, page = 1, box, after }: Evidence,
  strength: CheckFinding['strength'],
  part: Part | undefined,
): Markup {
  const name = html`<bdi>${visible(document ?? 'document', 200)}</bdi>`;
  const label = `The place in ${visible(document ?? 'the document', 100)}, enlarged`;
  const picture = box && part?.shown.enlarged({ page, box, strength, label });
  return html`<li><p class="place">${part ? html`<a href="${part.href}">${name}</a>` : name}, page ${page}</p>
${after === undefined ? undefined : html`<p class="said"><bdi>${visible(after)}</bdi></p>`}${picture}</li>`;
}
