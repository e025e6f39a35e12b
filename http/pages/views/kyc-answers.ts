import { type Html, html } from '../../../core/html.ts';
import { rejectionReasons, type SimulatedDocument, simulatedDocuments } from '../../../providers/sandbox/kyc.ts';
import { documentPictures, portrait } from './document-pictures.ts';
import { documentNames, faultText, type KycStep, nameField, type StepView, stepPage } from './kyc-step.ts';
import type { UnmarkedPage } from './page.ts';

export function namePage(view: StepView): UnmarkedPage {
  const { kyc, knownName, sent, fault } = view;
  return stepPage('name', view, {
    title: 'What is your name?',
    lead: html`<p class="lead">We check that you are who you say you are. It takes about two minutes. Have an identity document at hand.</p>`,
    fields: nameField(sent?.get('name') ?? kyc.name ?? knownName, fault),
    button: 'Continue',
  });
}

export function documentPage(view: StepView): UnmarkedPage {
  const { kyc, fault } = view;
  const kind = (name: SimulatedDocument, index: number) => {
    const checked = kyc.document === name ? html` checked` : undefined;
    const focus = fault && index === 0 ? html` data-focus` : undefined;
    return html`<label class="choice"><input type="radio" name="document" value="${name}" required${checked}${focus}>
<span class="picture">${documentPictures[name]}</span><span><b>${documentNames[name]}</b><small>${sides[name]}</small></span></label>`;
  };
  return stepPage('document', view, {
    title: 'Which document do you have?',
    lead: html`<p class="lead">Choose one that is valid. You take a photo of it next.</p>`,
    fields: html`${faultText(fault)}
<fieldset aria-labelledby="heading"${fault && html` aria-describedby="fault"`}>${simulatedDocuments.map(kind)}</fieldset>`,
    button: 'Continue',
  });
}

const sides: Record<SimulatedDocument, string> = {
  passport: 'The page with your photo',
  identity_card: 'The side with your photo',
  driving_licence: 'The side with your photo',
};

/** First the document, then the person; no camera is used. */
export function capturePage(view: StepView): UnmarkedPage {
  const { document = 'passport', captured } = view.kyc;
  const picture = documentPictures[document];
  const name = documentNames[document].toLowerCase();
  const [photo, shown] = captured === 'document' ? ['person', portrait] : ['document', picture];
  const fields = html`<input type="hidden" name="photo" value="${photo}">
<div class="viewfinder">${shown}<p>Simulated: no camera is used</p></div>`;
  if (captured !== 'document')
    return stepPage('capture', view, {
      title: `Take a photo of your ${name}`,
      lead: html`<p class="lead">Lay it flat, with all four corners in the frame. Avoid glare.</p>`,
      fields,
      button: 'Take the photo',
    });
  return stepPage('capture', view, {
    title: 'Take a selfie',
    lead: html`<p class="taken"><span class="picture">${picture}</span>
<span>The photo of your ${name} is taken.</span></p>
<p class="lead">Now look straight at the camera, without glasses or a hat.</p>`,
    fields,
    button: 'Take the selfie',
  });
}

/** The answers so far, and the chosen outcome. */
export function reviewPage(view: StepView): UnmarkedPage {
  const { name, document = 'passport' } = view.kyc;
  const row = (label: string, value: Html | string | undefined, step: KycStep, what: string) =>
    html`<div><dt>${label}</dt><dd>${value}</dd>
<dd class="change"><a href="${view.to(step)}#step">Change<span class="sr"> ${what}</span></a></dd></div>`;
  return stepPage('outcome', view, {
    title: 'Check your details',
    lead: html`<dl class="facts">${row('Name', name, 'name', 'your name')}
${row('Document', documentNames[document], 'document', 'the document')}
${row('Photos', photos(document), 'capture', 'the photos')}</dl>`,
    fields: testerPanel(view),
    button: 'Submit for checking',
  });
}

function photos(document: SimulatedDocument): Html {
  return html`<span class="photos"><span class="picture">${documentPictures[document]}</span><span class="picture face">${portrait}</span></span>
<span class="sr">Your document, and you</span>`;
}

function testerPanel({ fault }: StepView): Html {
  const reasons = Object.entries(rejectionReasons).map(
    ([reason, sentence]) => html`<option value="${reason}">${sentence}</option>`,
  );
  return html`<fieldset class="tester"${fault && html` aria-describedby="fault"`}><legend>Sandbox: choose how this ends</legend>
<p>For testers. A real check decides by itself.</p>
${faultText(fault)}
${choice('verified', 'Verified', 'The identity is confirmed.', fault ? html` data-focus` : html` checked`)}
${choice('rejected', 'Rejected', 'The check says no, for a reason.')}
<div class="reason"><label for="reason">Reason</label><select id="reason" name="reason">${reasons}</select></div>
${choice('error', 'Technical error', 'There is no verdict.')}</fieldset>`;
}

function choice(value: string, label: string, hint: string, more?: Html): Html {
  return html`<label class="choice"><input type="radio" name="outcome" value="${value}" required${more}>
<span><b>${label}</b><small>${hint}</small></span></label>`;
}
