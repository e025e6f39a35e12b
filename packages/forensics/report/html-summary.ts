import type { Analysis } from '../analysis.ts';
import { badge } from './html-document.ts';
import { html, type Markup } from './markup.ts';
import { countedOutcomes, gravestFirst, numberedFindings } from './sections.ts';
import { visible } from './visible.ts';
import { count, LIMITS, OUTCOME_ORDER, OUTCOMES, STRENGTH_ORDER, STRENGTHS, whyOf } from './wording.ts';

/** @param hrefOf returns the link to a document, by its position in the submission, from 1 */
export function summary({ documents, cross_checks }: Analysis, hrefOf: (place: number) => string): Markup {
  const rows = gravestFirst(documents).map(({ place, document }) => {
    const [worst, ...others] = numberedFindings(document).filter(({ finding }) => finding.strength !== 'context');
    const found = visible(
      worst?.finding.message ?? whyOf(document, { documents, cross_checks }) ?? 'Nothing was found.',
    );
    const more =
      others.length > 0 ? html` <span class="more">and ${count(others.length, 'more finding')}</span>` : undefined;
    return html`<tr><td>${badge(document.outcome)}</td><th scope="row"><a href="${hrefOf(place)}"><bdi>${visible(document.name, 200)}</bdi></a></th><td>${found}${more}</td></tr>`;
  });
  const counted = countedOutcomes(documents).map(([outcome, number]) => html`<li>${number} ${badge(outcome)}</li>`);
  return html`<section class="summary" aria-labelledby="summary">
<h2 id="summary">Summary</h2>
<ul class="counts">${counted}</ul>
<table><thead><tr><th scope="col">Outcome</th><th scope="col">Document</th><th scope="col">First finding, or reason</th></tr></thead><tbody>${rows}</tbody></table>
</section>`;
}

export function explanation(): Markup {
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
