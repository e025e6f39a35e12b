import { type Html, html } from '../../../core/html.ts';
import { documentPictures, portrait } from './document-pictures.ts';
import { documentNames, type KycPage, type StepView, stepPage } from './kyc-step.ts';

/** First the document, then the person; no camera is used. */
export function capturePage(view: StepView): KycPage {
  return view.kyc.captured === 'document' ? selfiePage(view) : documentPhotoPage(view);
}

function documentPhotoPage(view: StepView): KycPage {
  const { document = 'passport' } = view.kyc;
  return stepPage('capture', view, {
    title: `Take a photo of your ${documentNames[document].toLowerCase()}`,
    lead: html`<p class="lead">Lay it flat, with all four corners in the frame. Avoid glare.</p>`,
    fields: viewfinder('document', documentPictures[document]),
    button: 'Take the photo',
  });
}

function selfiePage(view: StepView): KycPage {
  const { document = 'passport' } = view.kyc;
  return stepPage('capture', view, {
    title: 'Take a selfie',
    lead: html`<p class="taken"><span class="picture">${documentPictures[document]}</span>
<span>The photo of your ${documentNames[document].toLowerCase()} is taken.</span></p>
<p class="lead">Now look straight at the camera, without glasses or a hat.</p>`,
    fields: viewfinder('person', portrait),
    button: 'Take the selfie',
  });
}

function viewfinder(photo: 'document' | 'person', picture: Html): Html {
  return html`<input type="hidden" name="photo" value="${photo}">
<div class="viewfinder">${picture}<p>Simulated: no camera is used</p></div>`;
}
