import { type Html, html, isolated } from '../../../core/html.ts';
import type { WantedState } from '../../../core/rules/progress.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Progress } from '../../../jobs/invitations/progress.ts';

/** The wanted documents that are still missing, and what the landlord asked for again, each with its reason. */
export function missingDocuments(
  t: Texts,
  { wanted, requests }: Pick<Progress, 'wanted' | 'requests'>,
): Html | undefined {
  const missing = wanted.filter(({ count, handed }) => handed < count);
  if (missing.length === 0 && requests.length === 0) return undefined;
  return html`<ul class="wanted">${missing.map((one) => html`<li>${wantedName(t, one)}</li>`)}${requests.map(
    ({ type, reason }) =>
      html`<li><b>${t.text('wanted.again', { kind: t.text(`documents.type.${type}`) })}</b> ${isolated(reason)}</li>`,
  )}</ul>`;
}

/** A kind with how many are missing or handed in, such as "Payslip: 1 of 3". */
function wantedName(t: Texts, { type, count, handed }: WantedState): string {
  return t.text('wanted.count', { kind: t.text(`documents.type.${type}`), handed, count });
}

/** Everything that the landlord wants, with a good and a bad example of each. */
export function wantedList(t: Texts, { wanted, requests }: Pick<Progress, 'wanted' | 'requests'>): Html | undefined {
  if (wanted.length === 0 && requests.length === 0) return undefined;
  const asked = requests.map(
    ({ type, reason }) =>
      html`<li class="open"><p class="what"><b>${t.text('wanted.again', { kind: t.text(`documents.type.${type}`) })}</b></p><p>${isolated(reason)}</p></li>`,
  );
  const items = wanted.map((one, index) => {
    const isDone = one.handed >= one.count;
    const state = t.text(isDone ? 'home.state.done' : 'home.state.open');
    const age =
      one.maxAgeMonths === undefined ? undefined : html`<p>${t.text('wanted.age', { months: one.maxAgeMonths })}</p>`;
    return html`<li class="${isDone ? 'done' : 'open'}"><p class="what"><b>${wantedName(t, one)}</b> <span>${state}</span></p>${age}
<details id="examples-${index}"><summary>${t.text('wanted.examples', { kind: t.text(`documents.type.${one.type}`) })}</summary><p>${t.text(`wanted.${one.type}.good`)}</p><p>${t.text(`wanted.${one.type}.bad`)}</p></details></li>`;
  });
  return html`<section aria-labelledby="wanted"><h2 id="wanted">${t.text('wanted.title')}</h2><ul class="steps">${asked}${items}</ul></section>`;
}
