import { html } from '../../../core/html.ts';
import { documentPictures, portrait } from './document-pictures.ts';
import { documentNames, type KycPage, type StepView, stepPage } from './kyc-step.ts';

/** First the document, then the person; no camera is used. */
export function capturePage(view: StepView): KycPage {
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
