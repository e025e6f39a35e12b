import { type Html, html } from '../../../core/html.ts';
import { type Step, type StepName, summaryOf } from '../../../core/rules/progress.ts';
import type { Message, Texts } from '../../../core/texts/texts.ts';

/** The steps as parts of a sentence. */
const words: Record<StepName, Message> = {
  answer: 'journey.answer',
  profile: 'journey.profile',
  documents: 'journey.documents',
  kyc: 'journey.kyc',
  eid: 'journey.eid',
  analysis: 'journey.analysis',
};

/** Shows the completed and missing steps. @param at the step of the current page; without it, the first that waits for the person */
export function journey(t: Texts, steps: readonly Step[], at?: StepName): Html {
  const own = steps.filter(({ name }) => name !== 'analysis');
  const current = at ?? own.find(({ state }) => state === 'open')?.name ?? own.at(-1)?.name;
  const number = own.findIndex(({ name }) => name === current) + 1;
  const bars = own.map(({ state }) => html`<i class="${state === 'done' ? 'done' : 'open'}"></i>`);
  return html`<div class="progress"><p>${t.text('page.step', { number, count: own.length })}</p><div class="bars" aria-hidden="true">${bars}</div>
<p>${summaryIn(t, steps)}</p></div>`;
}

/** Where the person stands, in one sentence. */
function summaryIn(t: Texts, steps: readonly Step[]): string {
  const summary = summaryOf(steps);
  if (summary.kind === 'complete') return t.text('journey.complete');
  const names = t.list(summary.steps.map((name) => t.text(words[name])));
  return t.text(`journey.${summary.kind}`, { names });
}
