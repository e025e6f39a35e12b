import type { AnalysedDocument, Preview } from '../analysis.ts';
import type { Check } from '../result.ts';
import { type DrawnPage, drawnPages, errorLevelFigure, pageFigure } from './drawn-pages.ts';
import { findingItem } from './html-finding.ts';
import { html, type Markup } from './markup.ts';
import {
  type ChecksOfReason,
  cleanChecks,
  factsOf,
  failedChecks,
  idleChecks,
  numberedFindings,
  parts,
} from './sections.ts';
import { visible } from './visible.ts';
import { count, OUTCOMES, whyOf } from './wording.ts';

const NAMED_EACH = 4;

/** @param prefix of every id in this part of the report, such as `d1` */
export function documentSection(document: AnalysedDocument, prefix: string, previews: readonly Preview[]): Markup {
  const findings = numberedFindings(document);
  const pages = drawnPages(prefix, previews, findings);
  return html`<section class="document" aria-labelledby="${prefix}">
${verdict(document, prefix)}
${facts(document)}
<div class="columns${pages.length === 0 ? ' alone' : findings.length === 0 ? ' bare' : ''}">
<div>
${findings.length === 0 ? html`<h3>Findings</h3><p class="none">None.</p>` : undefined}${parts(findings).map(
  ({ title, members }) =>
    html`<h3>${title} <span class="count">${members.length}</span></h3><ol class="findings">${members.map((found) => findingItem(found, prefix, document.facts, pages))}</ol>`,
)}
</div>
${pages.length === 0 ? undefined : pictures(document, prefix, pages)}
</div>
${checks(document)}
</section>`;
}

function verdict(document: AnalysedDocument, prefix: string): Markup {
  const { outcome, name } = document;
  const { means, advice } = OUTCOMES[outcome];
  const why = whyOf(document);
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

/** Marked pages large, then the others small; for a JPEG also its error levels. */
function pictures(document: AnalysedDocument, prefix: string, pages: readonly DrawnPage[]): Markup {
  const { kind, pages: total = pages.length } = document.facts;
  const isPicture = kind !== 'pdf';
  const isLarge = ({ marks }: DrawnPage) => isPicture || marks.length > 0 || total === 1;
  const draw = (page: DrawnPage) => pageFigure(page, prefix, document);
  const others = pages.filter((page) => !isLarge(page)).map(draw);
  const levels = pages.flatMap(({ preview }) =>
    preview.errorLevels ? [errorLevelFigure(preview, preview.errorLevels)] : [],
  );
  return html`<div class="pages">
<h3>${isPicture ? 'Picture' : total === 1 ? 'Page' : 'Pages'}</h3>
${pages.filter(isLarge).map(draw)}${levels}${others.length > 0 ? html`<div class="others">${others}</div>` : undefined}
${total > pages.length ? html`<p class="more">${count(total - pages.length, 'more page')} not drawn.</p>` : undefined}
</div>`;
}

function checks(document: AnalysedDocument): Markup {
  const clean = cleanChecks(document);
  const list = clean.map((check) => html`<li>${checkName(check)}</li>`);
  return html`${
    clean.length > 0
      ? html`<h3>Ran, and found nothing <span class="count">${clean.length}</span></h3><ul class="checks clean">${list}</ul>`
      : undefined
  }${reasons('Could not run', 'failed', failedChecks(document))}${reasons('Had nothing to look at', 'idle', idleChecks(document))}`;
}

/** Groups of more than NAMED_EACH checks come last, one line each. */
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
