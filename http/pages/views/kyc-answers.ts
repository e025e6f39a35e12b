import { type Html, html } from '../../../core/html.ts';
import { type SimulatedDocument, simulatedDocuments } from '../../../providers/sandbox/kyc.ts';
import { documentPictures } from './document-pictures.ts';
import { documentNames, faultText, type KycPage, type StepView, stepPage } from './kyc-step.ts';

export function namePage(view: StepView): KycPage {
  const { kyc, accountName, sent, fault } = view;
  const describedBy = fault
    ? html` aria-invalid="true" aria-describedby="name-hint fault" data-focus`
    : html` aria-describedby="name-hint"`;
  return stepPage('name', view, {
    title: 'What is your name?',
    lead: html`<p class="lead">We check that you are who you say you are. It takes about two minutes. Have an identity document at hand.</p>`,
    fields: html`<label for="name">Full name</label>
<p class="hint" id="name-hint">As it is written on your identity document.</p>
${faultText(fault)}
<input id="name" name="name" type="text" autocomplete="name" required value="${sent?.get('name') ?? kyc.name ?? accountName}"${describedBy}>`,
    button: 'Continue',
  });
}

export function documentPage(view: StepView): KycPage {
  const { kyc, fault } = view;
  const choice = (name: SimulatedDocument, index: number) => {
    const checked = kyc.document === name ? html` checked` : undefined;
    const focus = fault && index === 0 ? html` data-focus` : undefined;
    return html`<label class="choice"><input type="radio" name="document" value="${name}" required${checked}${focus}>
<span class="picture">${documentPictures[name]}</span><span><b>${documentNames[name]}</b><small>${sides[name]}</small></span></label>`;
  };
  return stepPage('document', view, {
    title: 'Which document do you have?',
    lead: html`<p class="lead">Choose one that is valid. You take a photo of it next.</p>`,
    fields: choices(fault, simulatedDocuments.map(choice)),
    button: 'Continue',
  });
}

const sides: Record<SimulatedDocument, string> = {
  passport: 'The page with your photo',
  identity_card: 'The side with your photo',
  driving_licence: 'The side with your photo',
};

function choices(fault: string | undefined, radios: Html[]): Html {
  return html`${faultText(fault)}
<fieldset aria-labelledby="heading"${fault && html` aria-describedby="fault"`}>${radios}</fieldset>`;
}
