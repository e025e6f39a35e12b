import { type Html, html } from '../../../core/html.ts';
import { journeyTexts as texts } from '../texts/journey.ts';

/** The first step behind each kind of link, before the documents. */
export type FirstStep = 'answer' | 'profile';

/** How far a person is, and what is missing. Undefined documents: they may not hand in any yet. */
export interface Way {
  first: FirstStep;
  documents?: number | undefined;
}

/** @param at the step that this page is for */
export function journey({ first, documents }: Way, at: FirstStep | 'documents'): Html {
  const steps = [
    { name: first, isDone: documents !== undefined },
    { name: 'documents' as const, isDone: (documents ?? 0) > 0 },
  ];
  const number = at === 'documents' ? 2 : 1;
  const missing = steps.filter(({ isDone }) => !isDone).map(({ name }) => texts.names[name]);
  const bars = steps.map(({ isDone }) => html`<i class="${isDone ? 'done' : 'open'}"></i>`);
  return html`<div class="progress"><p>${texts.step(number, steps.length)}</p><div class="bars" aria-hidden="true">${bars}</div>
<p>${missing.length > 0 ? texts.missing(missing) : texts.complete}</p></div>`;
}
