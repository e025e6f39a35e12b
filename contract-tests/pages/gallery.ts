import { createServer } from 'node:http';
import express from 'express';
import sharp from 'sharp';
import { NO_SETTINGS } from '../../core/rules/landlord-settings.ts';
import type { Texts } from '../../core/texts/texts.ts';
import type { Brand } from '../../db/access/landlord-brands.ts';
import { listen, type RunningServer } from '../../harness/process/running-server.ts';
import { eidAgreement, kycAgreement } from '../../http/pages/agreement-lines.ts';
import { hostedAssets } from '../../http/pages/assets.ts';
import { brandFiles } from '../../http/pages/brand-files.ts';
import { capturePage, documentPage, namePage, reviewPage } from '../../http/pages/kyc/kyc-answers.ts';
import * as states from '../../http/pages/kyc/kyc-states.ts';
import { agreementPage } from '../../http/pages/views/agreement.ts';
import {
  eidNoCookiesPage,
  eidOverPage,
  eidRefusedPage,
  eidTroublePage,
  eidTryAgainPage,
  eidUnknownPage,
  eidWaitingPage,
  simulatedEidPage,
} from '../../http/pages/views/eid.ts';
import type { StepView } from '../../http/pages/views/kyc-step.ts';
import { type Page, sendPage, type UnmarkedPage } from '../../http/pages/views/page.ts';
import { rejectionReasons } from '../../providers/sandbox/kyc.ts';
import { bankPagesFor } from './gallery-bank.ts';
import { CONTACT, linkPagesFor, NO_BRAND } from './gallery-links.ts';

/** Two words that are too long for a phone. */
const NAME = `Wolfeschlegelsteinhausenbergerdorff ${'Maximilianalexander'.repeat(4)}`;

const title = 'Flat on Calle de Alcalá 42, third floor';
const asker = { landlord: 'Casa Clara', brand: NO_BRAND, contact: CONTACT, periods: NO_SETTINGS };
const requester = { ...asker, isGuarantor: false, title, name: NAME };
const longRequester = { ...requester, landlord: NAME, title: `${NAME} `.repeat(3) };

const to = () => '#';
const retention = { RETAIN_VERIFICATIONS_DAYS: 90, RETAIN_DOCUMENTS_DAYS: 180 };
const fault = 'no-document';
const asked = { action: '#', phone: `https://screening.example/verify/kyc/${'x'.repeat(60)}` };

function steps(t: Texts): Record<string, UnmarkedPage> {
  const view: StepView = { t, kyc: { name: NAME, document: 'driving_licence' }, knownName: NAME, to };
  const taken: StepView = { ...view, kyc: { ...view.kyc, captured: 'document' } };
  const kycLines = kycAgreement(t, requester, { kyc: { provider: 'sandbox' }, retention });
  const openLines = kycAgreement(t, longRequester, { kyc: { provider: 'sandbox' }, retention: {} });
  const [agreement, changed] = [
    agreementPage(t, kycLines, asked),
    agreementPage(t, openLines, { ...asked, isChanged: true }),
  ];
  return {
    agreement: { ...agreement, leave: '#' },
    'agreement-wrong': changed,
    'agreement-guarantor': agreementPage(
      t,
      kycAgreement(t, { ...requester, isGuarantor: true }, { kyc: { provider: 'sandbox' }, retention }),
      asked,
    ),
    name: namePage(view),
    'name-wrong': namePage({ ...view, fault: 'long-name', sent: new URLSearchParams({ name: NAME }) }),
    document: documentPage(view),
    'document-wrong': documentPage({ ...view, kyc: {}, fault }),
    capture: capturePage(view),
    'capture-passport': capturePage({ ...view, kyc: { document: 'passport' } }),
    selfie: capturePage(taken),
    review: reviewPage(taken),
    'review-wrong': reviewPage({ ...taken, fault: 'no-reason' }),
    checking: states.checkingPage(t, to),
    leaving: { ...states.leavingPage(t, to), moves: { seconds: 9999 } },
    left: states.leftPage(t, to),
    verified: states.verifiedPage(t),
    rejected: states.rejectedPage(t, rejectionReasons.other_person),
    failed: states.failedPage(t),
    expired: states.expiredPage(t),
    unknown: states.unknownPage(t),
    trouble: states.troublePage(t),
    'hand-over': states.handOverPage(t, to, asked.phone),
    'try-again': states.tryAgainPage(t, to),
  };
}

/** The colours with the poorest contrast, and logos of every shape. */
const brands: Record<string, Brand> = {
  white: { colour: '#ffffff', logo: { digest: 'wide', width: 480, height: 40 }, language: null },
  black: { colour: '#000000', logo: { digest: 'tall', width: 60, height: 160 }, language: null },
  yellow: { colour: '#ffff00', logo: null, language: null },
  grey: { colour: '#777777', logo: { digest: 'square', width: 160, height: 160 }, language: null },
};

function branded(t: Texts): Record<string, Page> {
  const { documents, invitation } = linkPagesFor(t, NAME);
  const { document } = steps(t);
  const all = Object.entries(brands).flatMap(([name, brand]) => {
    const landlord = name === 'yellow' ? NAME : 'Casa Clara';
    const whose = { simulated: false, requester: { ...requester, landlord, brand } };
    return Object.entries({
      document: document && { ...document, ...whose, simulated: true },
      documents: documents && { ...documents, ...whose },
      invitation: invitation && { ...invitation, simulated: false, host: { landlord, brand, contact: CONTACT } },
    }).flatMap(([page, shown]): [string, Page][] => (shown ? [[`${page}-of-${name}`, shown]] : []));
  });
  return Object.fromEntries(all);
}

/** Every page in every state. */
export function pagesIn(t: Texts): Record<string, Page> {
  const isMarked = (name: string) => name.endsWith('-wrong');
  const ofKyc = Object.entries(steps(t)).map(([name, page]): [string, Page] => [
    name,
    { ...page, requester: isMarked(name) ? longRequester : requester, simulated: true },
  ]);
  const ofLinks = Object.entries({ ...linkPagesFor(t, NAME), ...bankPagesFor(t, NAME) }).map(
    ([name, page]): [string, Page] => [name, { ...page, simulated: isMarked(name) }],
  );
  return { ...branded(t), ...Object.fromEntries([...ofKyc, ...ofLinks]), ...eidPages(t) };
}

function eidPages(t: Texts): Record<string, Page> {
  return {
    'eid-agreement': {
      ...agreementPage(t, eidAgreement(t, requester, { retention }), asked),
      requester,
      simulated: false,
    },
    'eid-agreement-unnamed': {
      ...agreementPage(t, eidAgreement(t, undefined, { retention: {} }), asked),
      simulated: false,
    },
    'eid-simulated': simulatedEidPage(t, requester, () => '#'),
    'eid-simulated-nobody': simulatedEidPage(t, undefined, () => '#'),
    'eid-confirmed': eidOverPage(t, { show: 'over', status: 'succeeded', requester }),
    'eid-cancelled': eidOverPage(t, { show: 'over', status: 'cancelled', requester: longRequester, again: '#' }),
    'eid-failed': eidOverPage(t, { show: 'over', status: 'failed', requester }),
    'eid-expired': eidOverPage(t, { show: 'over', status: 'expired', requester: undefined }),
    'eid-waiting': { ...eidWaitingPage(t, { show: 'waiting', requester }), moves: { seconds: 9999 } },
    'eid-no-cookies': eidNoCookiesPage(
      t,
      { show: 'unbound', requester },
      { again: '#', site: 'screening.letting.example' },
    ),
    'eid-refused': eidRefusedPage(t, { show: 'refused', requester }),
    'eid-try-again': eidTryAgainPage(t, { show: 'unavailable', again: '#', requester }),
    'eid-unknown': eidUnknownPage(t),
    'eid-trouble': eidTroublePage(t),
  };
}

/** Serves each at `/verify/gallery/<language>/<name>`. */
export function openGallery(galleries: readonly Texts[]): Promise<RunningServer> {
  const logos = Object.values(brands).map(({ logo }) => logo);
  const app = express();
  app.use(hostedAssets);
  app.use(
    brandFiles(async (digest) => {
      const logo = logos.find((one) => one?.digest === digest);
      return logo
        ? sharp({ create: { ...logo, channels: 3, background: '#c2185b' } })
            .png()
            .toBuffer()
        : undefined;
    }),
  );
  const pages = new Map(galleries.map((t) => [t.language, pagesIn(t)]));
  app.get('/verify/gallery/:language/:name', (req, res, next) => {
    const page = pages.get(req.params.language)?.[req.params.name];
    if (page) sendPage(res, page, "'none'");
    else next();
  });
  return listen(createServer(app), 0);
}
