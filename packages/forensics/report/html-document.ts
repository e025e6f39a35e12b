import type { AnalysedDocument } from '../analysis.ts';
import type { Check } from '../result.ts';
import { findingItem } from './html-finding.ts';
import { html, type Markup } from './markup.ts';
import {
  type ChecksOfReason,
  cleanChecks,
  editsIn,
  factsOf,
  failedChecks,
  idleChecks,
  type NumberedFinding,
  numberedFindings,
  parts,
} from './sections.ts';
import type { ShownPages } from './shown-pages.ts';
import { visible } from './visible.ts';
import { count, OUTCOMES, type Together, whyOf } from './wording.ts';

const NAMED_EACH = 4;

export type BesideFinding = (found: NumberedFinding) => Markup | undefined;

/**
 * @param prefix of every id in this part of the report, such as `d1`
 * @param beside returns additional markup for a finding's card
 */
export function documentSection(
  document: AnalysedDocument,
  prefix: string,
  shown: ShownPages,
  beside?: BesideFinding,
  together?: Together,
): Markup {
  const findings = numberedFindings(document);
  const edits = editsIn(findings);
  return html`<section class="document" aria-labelledby="${prefix}">
${verdict(document, prefix, together)}
${facts(document)}
<div class="columns${shown.pages.length === 0 ? ' alone' : findings.length === 0 ? ' bare' : ''}">
<div>
${findings.length === 0 ? html`<h3>Findings</h3><p class="none">None.</p>` : undefined}${parts(
  edits.map(({ first }) => first),
).map(
  ({ title, members }) =>
    html`<h3>${title} <span class="count">${members.length}</span></h3><ol class="findings">${edits.filter(({ first }) => members.includes(first)).map((edit) => findingItem(edit, prefix, document.facts, shown, beside?.(edit.first)))}</ol>`,
)}
</div>
${shown.pages.length === 0 ? undefined : pictures(document, shown)}
</div>
${checks(document)}
</section>`;
}

function verdict(document: AnalysedDocument, prefix: string, together: Together | undefined): Markup {
  const { outcome, name } = document;
  const { means, advice } = OUTCOMES[outcome];
  const why = whyOf(document, together);
  return html`<header class="verdict ${outcome}">
<h2 id="${prefix}"><bdi>${visible(name, 200)}</bdi></h2>
<p class="means">${badge(outcome)} <strong>${means}</strong></p>
${why ? html`<p>${visible(why)}</p>` : undefined}
<p class="advice">${advice}</p>
</header>`;
}

export function badge(outcome: AnalysedDocument['outcome']): Markup {
  return html`<span class="badge ${outcome}">${OUTCOMES[outcome].name}</span>`;
}

function facts(document: AnalysedDocument): Markup {
  const rows = factsOf(document.facts);
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div${name === 'SHA-256' ? html` class="sha256"` : undefined}><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>`;
}

/** Marked pages large and the others small. */
function pictures(document: AnalysedDocument, { pages }: ShownPages): Markup {
  const { kind, pages: total = pages.length } = document.facts;
  const isPicture = kind !== 'pdf';
  const isLarge = ({ isMarked }: ShownPages['pages'][number]) => isPicture || isMarked || total === 1;
  const others = pages.filter((page) => !isLarge(page)).map(({ figure }) => figure);
  return html`<div class="pages">
<h3>${isPicture ? 'Picture' : total === 1 ? 'Page' : 'Pages'}</h3>
${pages.filter(isLarge).map(({ figure }) => figure)}${others.length > 0 ? html`<div class="others">${others}</div>` : undefined}
${total > pages.length ? html`<p class="more">${count(total - pages.length, 'more page')} not drawn.</p>` : undefined}
</div>`;
}

/** Checks without findings are folded, because readers look for findings. Checks that could not run stay visible. */
function checks(document: AnalysedDocument): Markup {
  const clean = cleanChecks(document);
  const list = clean.map(
    (check) => html`<li>${checkName(check)}${check.compared === undefined ? '' : `: ${visible(check.compared)}`}</li>`,
  );
  const idle = idleChecks(document);
  const number = clean.length + idle.reduce((sum, { checks: of }) => sum + of.length, 0);
  return html`${reasons('Could not run', 'failed', failedChecks(document))}
<details class="folded"><summary>Checks without findings <span class="count">${number}</span></summary>
${
  clean.length > 0
    ? html`<h3>Ran, and found nothing <span class="count">${clean.length}</span></h3><ul class="checks clean">${list}</ul>`
    : undefined
}${reasons('Had nothing to look at', 'idle', idle)}</details>`;
}

/** Groups of more than NAMED_EACH checks come last, in one paragraph each. */
function reasons(title: string, name: string, groups: ChecksOfReason[]): Markup | undefined {
  const total = groups.reduce((sum, { checks }) => sum + checks.length, 0);
  if (total === 0) return undefined;
  const isLarge = ({ checks }: ChecksOfReason) => checks.length > NAMED_EACH;
  const each = groups
    .filter((group) => !isLarge(group))
    .flatMap(({ reason, checks }) =>
      checks.map((check) => html`<li>${checkName(check)}<p class="reason">${visible(reason)}</p></li>`),
    );
  const together = groups
    .filter(isLarge)
    .map(
      ({ reason, checks }) =>
        html`<p class="together"><strong>${visible(reason)}</strong> ${checks.map((check, index) => html`${index === 0 ? '' : ' · '}${checkName(check)}`)}</p>`,
    );
  return html`<h3>${title} <span class="count">${total}</span></h3><ul class="checks ${name}">${each}</ul>${together}`;
}

function checkName({ title, rule, version }: Check): Markup {
  return html`${title} <code>${rule} v${version}</code>`;
}
