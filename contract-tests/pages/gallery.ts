import { createServer } from 'node:http';
import express from 'express';
import { listen, type RunningServer } from '../../harness/process/running-server.ts';
import { hostedAssets } from '../../http/pages/assets.ts';
import { eidAgreement, kycAgreement } from '../../http/pages/texts/agreement.ts';
import { agreementPage } from '../../http/pages/views/agreement.ts';
import {
  eidOverPage,
  eidRefusedPage,
  eidTryAgainPage,
  eidUnknownPage,
  eidWaitingPage,
  simulatedEidPage,
} from '../../http/pages/views/eid.ts';
import { capturePage, documentPage, namePage, reviewPage } from '../../http/pages/views/kyc-answers.ts';
import * as states from '../../http/pages/views/kyc-states.ts';
import type { StepView } from '../../http/pages/views/kyc-step.ts';
import { type Page, sendPage, type UnmarkedPage } from '../../http/pages/views/page.ts';
import { rejectionReasons } from '../../providers/sandbox/kyc.ts';
import { linkPagesFor } from './gallery-links.ts';

/** Two words that fit no phone. */
const NAME = `Wolfeschlegelsteinhausenbergerdorff ${'Maximilianalexander'.repeat(4)}`;

const asker = { landlord: 'Casa Clara', title: 'Flat on Calle de Alcalá 42, third floor', name: NAME };
const longAsker = { ...asker, landlord: NAME, title: `${NAME} `.repeat(3) };

const to = () => '#';
const view: StepView = { kyc: { name: NAME, document: 'driving_licence' }, knownName: NAME, to };
const taken: StepView = { ...view, kyc: { ...view.kyc, captured: 'document' } };
const fault = 'Use no more than 200 characters.';

const retention = { RETAIN_VERIFICATIONS_DAYS: 90, RETAIN_DOCUMENTS_DAYS: 180 };
const kycLines = kycAgreement(asker, { kyc: { provider: 'sandbox' }, retention });

const steps: Record<string, UnmarkedPage> = {
  agreement: { ...agreementPage(kycLines, '#'), leave: '#' },
  'agreement-wrong': agreementPage(kycAgreement(longAsker, { kyc: { provider: 'sandbox' }, retention: {} }), '#', true),
  name: namePage(view),
  'name-wrong': namePage({ ...view, fault, sent: new URLSearchParams({ name: NAME }) }),
  document: documentPage(view),
  'document-wrong': documentPage({ ...view, kyc: {}, fault }),
  capture: capturePage(view),
  'capture-passport': capturePage({ ...view, kyc: { document: 'passport' } }),
  selfie: capturePage(taken),
  review: reviewPage(taken),
  'review-wrong': reviewPage({ ...taken, fault }),
  checking: states.checkingPage(to),
  leaving: { ...states.leavingPage(to), moves: { seconds: 9999 } },
  left: states.leftPage(to),
  verified: states.verifiedPage(),
  rejected: states.rejectedPage(rejectionReasons.other_person),
  failed: states.failedPage(),
  expired: states.expiredPage(),
  unknown: states.unknownPage(),
  'hand-over': states.handOverPage(to),
  'try-again': states.tryAgainPage(to),
};

/** Every page in every state. */
export const pages: Record<string, Page> = {
  ...Object.fromEntries(
    Object.entries(steps).map(([name, page]) => [
      name,
      { ...page, asker: name.endsWith('-wrong') ? longAsker : asker, simulated: true },
    ]),
  ),
  'eid-agreement': { ...agreementPage(eidAgreement(asker, { retention }), '#'), asker, simulated: false },
  'eid-simulated': simulatedEidPage(asker, () => '#'),
  'eid-simulated-nobody': simulatedEidPage(undefined, () => '#'),
  'eid-confirmed': eidOverPage({ show: 'over', status: 'succeeded', asker }),
  'eid-cancelled': eidOverPage({ show: 'over', status: 'cancelled', asker: longAsker }),
  'eid-failed': eidOverPage({ show: 'over', status: 'failed', asker }),
  'eid-expired': eidOverPage({ show: 'over', status: 'expired', asker: undefined }),
  'eid-waiting': { ...eidWaitingPage({ show: 'waiting', asker }), moves: { seconds: 9999 } },
  'eid-refused': eidRefusedPage({ show: 'refused', asker }),
  'eid-try-again': eidTryAgainPage({ show: 'unavailable', again: '#', asker }),
  'eid-unknown': eidUnknownPage(),
  ...Object.fromEntries(
    Object.entries(linkPagesFor(NAME)).map(([name, page]) => [name, { ...page, simulated: name.endsWith('-wrong') }]),
  ),
};

/** Serves each at `/verify/gallery/<name>`. */
export function openGallery(): Promise<RunningServer> {
  const app = express();
  app.use(hostedAssets);
  app.get('/verify/gallery/:name', (req, res, next) => {
    const page = pages[req.params.name];
    if (page) sendPage(res, page, "'none'");
    else next();
  });
  return listen(createServer(app), 0);
}
