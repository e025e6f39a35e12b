import { type Html, html } from '../../../core/html.ts';
import type { Texts } from '../../../core/texts/texts.ts';

/** A person's steps behind each kind of link, in order. */
const STEPS = {
  invitation: ['answer', 'profile', 'documents'],
  onboarding: ['profile', 'documents'],
} as const;

type Step = 'answer' | 'profile' | 'documents';

/** A person's progress behind their link. */
export interface StepProgress {
  place: keyof typeof STEPS;
  /** Whether they have accepted; behind an onboarding link, accepting is part of the profile. */
  hasAnswered: boolean;
  hasProfile: boolean;
  /** How many documents they have submitted. */
  documents: number;
}

/** Shows the completed and missing steps. @param at the step of the current page */
export function journey(t: Texts, { place, hasAnswered, hasProfile, documents }: StepProgress, at: Step): Html {
  const isDone = { answer: hasAnswered, profile: hasProfile, documents: documents > 0 };
  const steps: readonly Step[] = STEPS[place];
  const missing = steps.filter((step) => !isDone[step]).map((step) => t.text(`journey.${step}`));
  const bars = steps.map((step) => html`<i class="${isDone[step] ? 'done' : 'open'}"></i>`);
  const where = t.text('page.step', { number: steps.indexOf(at) + 1, count: steps.length });
  const open = missing.length > 0 ? t.text('journey.missing', { names: t.list(missing) }) : t.text('journey.complete');
  return html`<div class="progress"><p>${where}</p><div class="bars" aria-hidden="true">${bars}</div>
<p>${open}</p></div>`;
}
