import { type Html, html } from '../../../core/html.ts';
import type { Mistake } from '../../../core/rules/form-mistake.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { SimulatedKyc } from '../../../providers/sandbox/kyc.ts';
import { type UnmarkedPage, windowTitle } from './page.ts';

/** The steps of the simulated verification, each at its own address. */
export const kycSteps = ['name', 'document', 'capture', 'outcome'] as const;
export type KycStep = (typeof kycSteps)[number];

/** The paths below a verification's address. */
export type KycPlace = KycStep | 'agree' | 'left' | 'status' | 'continue' | 'returned';

/** The address of a place, or of the verification itself. */
export type KycAddress = (place?: KycPlace) => string;

export interface StepView {
  t: Texts;
  kyc: SimulatedKyc;
  /** The name that the landlord knows the person by, possibly empty. */
  knownName: string;
  to: KycAddress;
  /** Why the submitted form was refused. */
  fault?: Mistake;
  sent?: URLSearchParams;
}

interface StepParts {
  title: string;
  lead: Html;
  fields: Html;
  /** The label of the submit button. */
  button: string;
}

/** One step: its progress, its heading and its form. */
export function stepPage(step: KycStep, { t, to, fault }: StepView, parts: StepParts): UnmarkedPage {
  const { title, lead, fields, button } = parts;
  const number = kycSteps.indexOf(step) + 1;
  const progress = t.text('page.step', { number, count: kycSteps.length });
  const bars = kycSteps.map((_, index) => html`<i${index < number ? html` class="done"` : undefined}></i>`);
  const previous = kycSteps[number - 2];
  return {
    t,
    title: windowTitle(t, [title, progress, t.text('name.kyc')], fault !== undefined),
    leave: to('left'),
    main: html`<div class="progress"><p>${progress}</p><div class="bars" aria-hidden="true">${bars}</div></div>
<h1 id="heading" tabindex="-1">${title}</h1>
${lead}
<form method="post" action="${to(step)}" novalidate>
${fields}
<p class="go"><button>${button}</button>${previous && html`<a href="${to(previous)}#step">${t.text('page.back')}</a>`}</p>
</form>`,
  };
}

/** The field of a person's name, with its hint and the fault of a refused form. */
export function nameField(t: Texts, value: string, fault: string | undefined): Html {
  const describedBy = fault
    ? html` aria-invalid="true" aria-describedby="name-hint fault" data-focus`
    : html` aria-describedby="name-hint"`;
  return html`<label for="name">${t.text('profile.name')}</label>
<p class="hint" id="name-hint">${t.text('profile.name-hint')}</p>
${faultText(t, fault)}
<input id="name" name="name" type="text" dir="auto" autocomplete="name" required value="${value}"${describedBy}>`;
}

/** The message that fields refer to with `aria-describedby`. */
export function faultText(t: Texts, fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<p class="fault" id="fault">${t.rich('fault.shown', { fault })}</p>`;
}
