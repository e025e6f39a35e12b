import { type Html, html } from '../../../core/html.ts';
import { rejectionReasons, type SimulatedDocument } from '../../../providers/sandbox/kyc.ts';
import { documentPictures, portrait } from './document-pictures.ts';
import { documentNames, faultText, type KycPage, type KycStep, type StepView, stepPage } from './kyc-step.ts';

/** The answers so far, and the chosen outcome. */
export function reviewPage(view: StepView): KycPage {
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
