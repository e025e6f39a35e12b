import { type Html, html } from '../../../core/html.ts';
import {
  isRejectionReason,
  rejectionReasons,
  type SimulatedDocument,
  type SimulatedOutcome,
  simulatedDocuments,
} from '../../../providers/sandbox/kyc.ts';
import { faultText, type KycStep, nameField, type StepView, stepPage } from '../views/kyc-step.ts';
import { faultIn } from '../views/link-states.ts';
import type { UnmarkedPage } from '../views/page.ts';
import { documentPictures, portrait } from './document-pictures.ts';

export function namePage(view: StepView): UnmarkedPage {
  const { t, kyc, knownName, sent, fault } = view;
  return stepPage('name', view, {
    title: t.text('kyc.name'),
    lead: html`<p class="lead">${t.text('kyc.name-lead')}</p>`,
    fields: nameField(t, sent?.get('name') ?? kyc.name ?? knownName, faultIn(t, fault)),
    button: t.text('page.continue'),
  });
}

export function documentPage(view: StepView): UnmarkedPage {
  const { t, kyc, fault } = view;
  const kind = (name: SimulatedDocument, index: number) => {
    const checked = kyc.document === name ? html` checked` : undefined;
    const focus = fault && index === 0 ? html` data-focus` : undefined;
    return html`<label class="choice"><input type="radio" name="document" value="${name}" required${checked}${focus}>
<span class="picture">${documentPictures[name]}</span><span><b>${t.text(`kyc.document.${name}`)}</b><small>${t.text(`kyc.side.${name}`)}</small></span></label>`;
  };
  return stepPage('document', view, {
    title: t.text('kyc.document'),
    lead: html`<p class="lead">${t.text('kyc.document-lead')}</p>`,
    fields: html`${faultText(t, faultIn(t, fault))}
<fieldset aria-labelledby="heading"${fault && html` aria-describedby="fault"`}>${simulatedDocuments.map(kind)}</fieldset>`,
    button: t.text('page.continue'),
  });
}

/** First the document, then the person; no camera is used. */
export function capturePage(view: StepView): UnmarkedPage {
  const { t } = view;
  const { document = 'passport', captured } = view.kyc;
  const picture = documentPictures[document];
  const [photo, shown] = captured === 'document' ? ['person', portrait] : ['document', picture];
  const fields = html`<input type="hidden" name="photo" value="${photo}">
<div class="viewfinder">${shown}<p>${t.text('kyc.simulated')}</p></div>`;
  if (captured !== 'document')
    return stepPage('capture', view, {
      title: t.text(`kyc.capture.${document}`),
      lead: html`<p class="lead">${t.text('kyc.capture-lead')}</p>`,
      fields,
      button: t.text('kyc.capture-button'),
    });
  return stepPage('capture', view, {
    title: t.text('kyc.selfie'),
    lead: html`<p class="taken"><span class="picture">${picture}</span>
<span>${t.text(`kyc.taken.${document}`)}</span></p>
<p class="lead">${t.text('kyc.selfie-lead')}</p>`,
    fields,
    button: t.text('kyc.selfie-button'),
  });
}

/** The answers so far, and the chosen outcome. */
export function reviewPage(view: StepView): UnmarkedPage {
  const { t } = view;
  const { name, document = 'passport' } = view.kyc;
  const row = (label: string, value: Html | string | undefined, step: KycStep, change: Html) =>
    html`<div><dt>${label}</dt><dd>${value}</dd>
<dd class="change"><a href="${view.to(step)}#step"><span>${change}</span></a></dd></div>`;
  const ownName = name === undefined ? undefined : html`<bdi>${name}</bdi>`;
  return stepPage('outcome', view, {
    title: t.text('kyc.review'),
    lead: html`<dl class="facts">${row(t.text('facts.name'), ownName, 'name', t.rich('kyc.change-name'))}
${row(t.text('facts.document'), t.text(`kyc.document.${document}`), 'document', t.rich('kyc.change-document'))}
${row(t.text('facts.photos'), photos(view), 'capture', t.rich('kyc.change-photos'))}</dl>`,
    fields: testerPanel(view),
    button: t.text('kyc.submit'),
  });
}

function photos({ t, kyc: { document = 'passport' } }: StepView): Html {
  return html`<span class="photos"><span class="picture">${documentPictures[document]}</span><span class="picture face">${portrait}</span></span>
<span class="sr">${t.text('kyc.photos')}</span>`;
}

const reasons = Object.keys(rejectionReasons).filter(isRejectionReason);

function testerPanel({ t, fault }: StepView): Html {
  const options = reasons.map((reason) => html`<option value="${reason}">${t.text(`reason.${reason}`)}</option>`);
  const choice = (value: SimulatedOutcome, more?: Html) =>
    html`<label class="choice"><input type="radio" name="outcome" value="${value}" required${more}>
<span><b>${t.text(`kyc.outcome.${value}`)}</b><small>${t.text(`kyc.outcome.${value}-hint`)}</small></span></label>`;
  return html`<fieldset class="tester"${fault && html` aria-describedby="fault"`}><legend>${t.text('kyc.tester')}</legend>
<p>${t.text('kyc.tester-note')}</p>
${faultText(t, faultIn(t, fault))}
${choice('verified', fault ? html` data-focus` : html` checked`)}
${choice('rejected')}
<div class="reason"><label for="reason">${t.text('kyc.reason')}</label><select id="reason" name="reason">${options}</select></div>
${choice('error')}</fieldset>`;
}
