import type { Facts } from '../result.ts';
import type { Evidence } from '../rule.ts';
import { html, type Markup } from './markup.ts';
import { detailsOf, type Edit, type NumberedFinding, placeOf } from './sections.ts';
import type { ShownPages } from './shown-pages.ts';
import { visible } from './visible.ts';
import { FAMILIES, moreOf } from './wording.ts';

const PLACES_A_FINDING = 12;
const ENLARGED_A_FINDING = 3;

/** One card for an edit, with every finding about it. */
export function findingItem(
  { first: found, others }: Edit,
  prefix: string,
  facts: Facts,
  shownPages: ShownPages,
  beside: Markup | undefined,
): Markup {
  const { number, check, finding } = found;
  const { strength, evidence, message } = finding;
  const shown = evidence.slice(0, PLACES_A_FINDING);
  let enlargements = 0;
  const places = shown.map((each) => {
    const picture = enlargements < ENLARGED_A_FINDING ? enlargedPlace(each, found, shownPages) : undefined;
    if (picture) enlargements++;
    return placeItem(each, facts, picture);
  });
  const more = moreOf(finding, shown.length);
  return html`<li class="finding ${strength}" id="${prefix}f${number}">
<h4><span class="number">${number}</span> ${check.title}</h4>
<p class="tags"><span class="strength">${strength}</span> <span>${FAMILIES[check.family]}</span> <code>${check.rule} v${check.version}</code></p>
<p class="message">${visible(message)}</p>
<ul class="places">${places}</ul>
${more ? html`<p class="more">${more}.</p>` : undefined}
${others.length > 0 ? html`<ul class="also">${others.map((other) => alsoItem(other, prefix))}</ul>` : undefined}
${beside}
</li>`;
}

/** Another check's finding about the same edit. */
function alsoItem({ number, check, finding }: NumberedFinding, prefix: string): Markup {
  return html`<li id="${prefix}f${number}"><h5><span class="number">${number}</span> ${check.title} <span class="strength ${finding.strength}">${finding.strength}</span></h5>
<p class="message">${visible(finding.message)}</p></li>`;
}

function enlargedPlace({ page = 1, box }: Evidence, { number, finding }: NumberedFinding, shown: ShownPages) {
  const label = `The place of finding ${number}, enlarged`;
  return box && shown.enlarged({ page, box, strength: finding.strength, label });
}

/** Undefined if there is nothing to show. */
function placeItem(evidence: Evidence, facts: Facts, picture: Markup | undefined): Markup | undefined {
  const place = placeOf(evidence, facts);
  const { before, after } = evidence;
  const values = [
    before === undefined ? undefined : value('Was, or should be', 'before', before),
    after === undefined ? undefined : value(before === undefined ? 'What is there' : 'Is now', 'after', after),
  ];
  const details = detailsOf(evidence).map(([name, detail]) => html`<div><dt>${name}</dt> <dd>${detail}</dd></div>`);
  if (!place && !picture && before === undefined && after === undefined && details.length === 0) return undefined;
  return html`<li>${place ? html`<p class="place">${capital(place)}</p>` : undefined}${
    values.some(Boolean) ? html`<dl class="change">${values}</dl>` : undefined
  }${picture}${details.length > 0 ? html`<dl class="details">${details}</dl>` : undefined}</li>`;
}

/** In `<bdi>`, so that right-to-left text cannot reorder its surroundings. */
function value(label: string, name: string, text: string): Markup {
  return html`<div class="${name}"><dt>${label}</dt><dd><bdi>${visible(text)}</bdi></dd></div>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
