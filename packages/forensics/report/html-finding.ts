import type { Facts } from '../result.ts';
import type { Evidence } from '../rule.ts';
import { type DrawnPage, enlarged } from './drawn-pages.ts';
import { html, type Markup } from './markup.ts';
import { detailsOf, type NumberedFinding, placeOf } from './sections.ts';
import { visible } from './visible.ts';
import { FAMILIES, moreOf } from './wording.ts';

const PLACES_A_FINDING = 12;
const ENLARGED_A_FINDING = 3;

export function findingItem(found: NumberedFinding, prefix: string, facts: Facts, pages: readonly DrawnPage[]): Markup {
  const { number, check, finding } = found;
  const { strength, evidence, message } = finding;
  const shown = evidence.slice(0, PLACES_A_FINDING);
  let enlargements = 0;
  const places = shown.map((each) => {
    const picture = enlargements < ENLARGED_A_FINDING ? enlargedPlace(each, found, pages) : undefined;
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
</li>`;
}

function enlargedPlace({ page = 1, box }: Evidence, { number, finding }: NumberedFinding, pages: readonly DrawnPage[]) {
  const drawn = pages.find(({ preview }) => preview.page === page);
  return drawn && box ? enlarged(drawn, box, finding.strength, `The place of finding ${number}, enlarged`) : undefined;
}

/** Undefined if there is nothing to show besides the place's existence. */
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

/** <bdi>, so that right-to-left text cannot reorder its surroundings. */
function value(label: string, name: string, text: string): Markup {
  return html`<div class="${name}"><dt>${label}</dt><dd><bdi>${visible(text)}</bdi></dd></div>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
