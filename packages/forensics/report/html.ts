import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Analysis, Preview } from '../analysis.ts';
import { badge, documentSection } from './html-document.ts';
import { html, Markup } from './markup.ts';
import { countedOutcomes, gravestFirst, numberedFindings } from './sections.ts';
import { visible } from './visible.ts';
import { count, LIMITS, OUTCOME_ORDER, OUTCOMES, STRENGTH_ORDER, STRENGTHS } from './wording.ts';

interface HtmlOptions {
  /** Previews by document id. */
  previews: ReadonlyMap<string, readonly Preview[]>;
  madeAt: Date;
}

const STYLE = readFileSync(new URL('report.css', import.meta.url), 'utf8');

/** Loads nothing and runs no script: pictures are inline, and the only style is allowed by its hash. */
const POLICY = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Byte for byte, or the hash would not match. */
const STYLE_ELEMENT = new Markup(`<style>${STYLE}</style>`);

/** A self-contained page that can be mailed, stored and printed. */
export function htmlReport(analysis: Analysis, { previews, madeAt }: HtmlOptions): string {
  const { engine, documents } = analysis;
  const [first] = documents;
  const isOne = documents.length === 1 && first;
  const title = `Document check: ${isOne ? visible(first.name, 100) : count(documents.length, 'document')}`;
  const sections = documents.map((document, index) =>
    documentSection(document, `d${index + 1}`, previews.get(document.document_id) ?? []),
  );
  const moment = madeAt.toISOString();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
${STYLE_ELEMENT}
</head>
<body>
<header class="top">
<h1>Document check</h1>
<p>${count(documents.length, 'document')} · <time datetime="${moment}">${moment.slice(0, 16).replace('T', ' ')} UTC</time> · engine ${visible(engine.name)} ${visible(engine.version)}</p>
</header>
<main>
${isOne ? undefined : summary(analysis)}
${sections}
${explanation()}
</main>
</body>
</html>
`.text;
}

function summary({ documents }: Analysis): Markup {
  const rows = gravestFirst(documents).map(({ place, document }) => {
    const [worst, ...others] = numberedFindings(document).filter(({ finding }) => finding.strength !== 'context');
    const found = visible(worst?.finding.message ?? document.reason ?? 'Nothing was found.');
    const more =
      others.length > 0 ? html` <span class="more">and ${count(others.length, 'more finding')}</span>` : undefined;
    return html`<tr><td>${badge(document.outcome)}</td><th scope="row"><a href="#d${place}"><bdi>${visible(document.name, 200)}</bdi></a></th><td>${found}${more}</td></tr>`;
  });
  const counted = countedOutcomes(documents).map(([outcome, number]) => html`<li>${number} ${badge(outcome)}</li>`);
  return html`<section class="summary" aria-labelledby="summary">
<h2 id="summary">Summary</h2>
<ul class="counts">${counted}</ul>
<table><thead><tr><th scope="col">Outcome</th><th scope="col">Document</th><th scope="col">First finding, or reason</th></tr></thead><tbody>${rows}</tbody></table>
</section>`;
}

function explanation(): Markup {
  const outcomes = OUTCOME_ORDER.map(
    (outcome) => html`<div><dt>${badge(outcome)}</dt><dd>${OUTCOMES[outcome].means}</dd></div>`,
  );
  const strengths = STRENGTH_ORDER.map(
    (strength) =>
      html`<div><dt><span class="strength ${strength}">${strength}</span></dt><dd>${STRENGTHS[strength]}</dd></div>`,
  );
  return html`<section class="explanation" aria-labelledby="explanation">
<h2 id="explanation">How to read this</h2>
<ul>${LIMITS.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<h3>Outcomes of a document</h3>
<dl>${outcomes}</dl>
<h3>Strengths of a finding</h3>
<dl>${strengths}</dl>
</section>`;
}
