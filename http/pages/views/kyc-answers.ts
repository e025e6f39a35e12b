import { html } from '../../../core/html.ts';
import { type SimulatedDocument, simulatedDocuments } from '../../../providers/sandbox/kyc.ts';
import { documentPictures } from './document-pictures.ts';
import { documentNames, faultText, type KycPage, nameField, type StepView, stepPage } from './kyc-step.ts';

export function namePage(view: StepView): KycPage {
  const { kyc, accountName, sent, fault } = view;
  return stepPage('name', view, {
    title: 'What is your name?',
    lead: html`<p class="lead">We check that you are who you say you are. It takes about two minutes. Have an identity document at hand.</p>`,
    fields: nameField(sent?.get('name') ?? kyc.name ?? accountName, fault),
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
    fields: html`${faultText(fault)}
<fieldset aria-labelledby="heading"${fault && html` aria-describedby="fault"`}>${simulatedDocuments.map(choice)}</fieldset>`,
    button: 'Continue',
  });
}

const sides: Record<SimulatedDocument, string> = {
  passport: 'The page with your photo',
  identity_card: 'The side with your photo',
  driving_licence: 'The side with your photo',
};
