import { type RequestHandler, Router } from 'express';
import { ProviderUnavailable } from '../../../core/errors.ts';
import { rateLimit } from '../../../core/rate-limit.ts';
import type { Config } from '../../../core/settings/config.ts';
import { sharedAnswers } from '../../../core/shared-answers.ts';
import { agreeToKyc, findHostedKyc, type HostedKyc, pollKycNow } from '../../../jobs/identity/kyc-verifications.ts';
import { unattendedKyc } from '../../../providers/sandbox/kyc.ts';
import { formOf, readForm } from '../../edge/form.ts';
import { nowhere, refuseMethods } from '../../edge/on-error.ts';
import { writeJson } from '../../edge/write-json.ts';
import { kycAgreement } from '../agreement-lines.ts';
import { keepLanguage } from '../page-language.ts';
import { agreementPage, asText, isOf } from '../views/agreement.ts';
import { kycSteps } from '../views/kyc-step.ts';
import { errorPages, guarded } from '../views/page.ts';
import { wayHome } from '../way-home.ts';
import { checkingPage, handOverPage, leftPage, troublePage, tryAgainPage, unknownPage } from './kyc-states.ts';
import { here, type KycRuntime, type Visit, type VisitHandler, visitsTo } from './kyc-visit.ts';
import { showProgress, showStep, takeAnswer } from './simulated-kyc.ts';

type KycConfig = Pick<Config, 'kyc' | 'frameAncestors' | 'retention'>;

/**
 * The pages behind the addresses of initiate-kyc: the simulated verification, or redirects to a real provider. The address alone
 * grants access. They live outside the API.
 */
export function kycPages(runtime: KycRuntime, config: KycConfig): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/verify/kyc', guarded(config.frameAncestors));
  const visit = visitsTo(runtime, config);
  const agreed = agreedIn(config);
  const get = (place: string, handler: RequestHandler) =>
    router.route(`/verify/kyc/:token${place}`).get(handler).all(refuseMethods('GET, HEAD'));
  if (config.kyc.provider === 'sandbox') {
    get('', visit(askedFirst(config, showProgress)));
    for (const step of kycSteps)
      router
        .route(`/verify/kyc/:token/${step}`)
        .get(visit(agreed(showStep(step))))
        .post(readForm, visit(agreed(takeAnswer(runtime, step))))
        .all(refuseMethods('GET, HEAD, POST'));
  } else {
    get('', visit(askedFirst(config, waitForProvider)));
    get('/continue', visit(agreed(handOver(runtime))));
    get('/returned', visit(agreed(welcomeBack(runtime))));
  }
  router
    .route('/verify/kyc/:token/agree')
    // A person who changes the language there reads the text again.
    .get(visit(({ to, go }) => go(here(to))))
    .post(readForm, visit(takeAgreement(runtime, config)))
    .all(refuseMethods('GET, HEAD, POST'));
  get('/left', visit(leave(runtime)));
  get('/status', reportState(runtime));
  const pages = { unknown: unknownPage, trouble: troublePage, simulated: false };
  router.use('/verify/kyc', nowhere('Verification'), errorPages(pages, config.frameAncestors, runtime.log));
  return router;
}

/** Nothing starts before the person has agreed. Simulated people who need no page need not agree either. */
function mustAgree({ hosted }: Visit, { kyc }: Pick<KycConfig, 'kyc'>): boolean {
  return !hosted.isAgreed && !(kyc.provider === 'sandbox' && unattendedKyc(hosted.flow.tenant.email));
}

function askedFirst(config: KycConfig, next: VisitHandler): VisitHandler {
  return (visit) => (mustAgree(visit, config) ? showAgreement(visit, config) : next(visit));
}

function agreedIn(config: KycConfig): (next: VisitHandler) => VisitHandler {
  return (next) => (visit) => (mustAgree(visit, config) ? visit.go(here(visit.to)) : next(visit));
}

function showAgreement({ hosted, t, to, phone, show }: Visit, config: KycConfig, isChanged = false): void {
  const page = agreementPage(t, kycAgreement(t, hosted.requester, config), { action: to('agree'), phone, isChanged });
  show({ ...page, leave: to('left') }, isChanged ? 400 : 200);
}

/** Stores the text that was shown; when it has changed, the person reads the current text. */
function takeAgreement(runtime: KycRuntime, config: KycConfig): VisitHandler {
  return async (visit) => {
    const lines = kycAgreement(visit.t, visit.hosted.requester, config);
    if (!isOf(formOf(visit.req), lines)) return showAgreement(visit, config, true);
    await agreeToKyc(runtime, visit.hosted.id, asText(lines));
    visit.go(here(visit.to));
  };
}

const waitForProvider: VisitHandler = ({ t, show, to, phone }) => show(handOverPage(t, to, phone));

/** The verification stays open. */
function leave(runtime: Pick<KycRuntime, 'db' | 'publicUrl'>): VisitHandler {
  return async ({ hosted, req, t, show, to }) => show(leftPage(t, to, await wayHome(req, runtime, hosted.checked)));
}

/** How often the views of a flow's page ask its provider, which may charge for it. */
const ASK_EVERY_MS = 5_000;
const MAX_ADDRESSES = 10;

/** Redirects to the provider's page; null means that the provider already has everything it asked for. */
function handOver({ providers, log, publicUrl }: Pick<KycRuntime, 'providers' | 'log' | 'publicUrl'>): VisitHandler {
  // An address works once, so each visit needs its own.
  const mayAsk = rateLimit(MAX_ADDRESSES, MAX_ADDRESSES * ASK_EVERY_MS);
  return async ({ hosted, req, t, to, show, go }) => {
    keepLanguage(req, { publicUrl });
    if (!mayAsk(hosted.id)) return show(tryAgainPage(t, to), 503);
    try {
      go((await providers.kyc.address(hosted.flow)) ?? to('returned'));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      log.warn({ err: error }, 'KYC provider unavailable');
      show(tryAgainPage(t, to), 503);
    }
  };
}

function welcomeBack(runtime: KycRuntime): VisitHandler {
  const shared = sharedAnswers<string | null>(ASK_EVERY_MS);
  const ask = async ({ id, flow }: HostedKyc) => {
    await pollKycNow(runtime, id);
    return runtime.providers.kyc.address(flow).catch(() => null);
  };
  return async ({ hosted, t, to, phone, show }) => {
    // A person who returns without submitting anything may continue there.
    const open = await shared(hosted.id, () => ask(hosted));
    show(open === null ? checkingPage(t, to) : handOverPage(t, to, phone));
  };
}

/** Polled by the script of a waiting page. */
function reportState(runtime: KycRuntime): RequestHandler {
  return async (req, res) => {
    res.locals['operation'] = 'kycStatus';
    const { status } = await findHostedKyc(runtime, String(req.params['token']));
    writeJson(res, 200, { state: status });
  };
}
