import { type RequestHandler, Router } from 'express';
import { ProviderUnavailable } from '../../core/errors.ts';
import type { Config } from '../../core/settings/config.ts';
import { findHostedKyc, lookAtKyc } from '../../jobs/identity/kyc-verifications.ts';
import { readForm } from '../api/read-request.ts';
import { nowhere, refuseMethods } from '../edge/on-error.ts';
import { writeJson } from '../edge/write-json.ts';
import { type KycRuntime, type VisitHandler, visitsTo } from './kyc-visit.ts';
import { showProgress, showStep, takeAnswer } from './simulated-kyc.ts';
import { checkingPage, handOverPage, leftPage, troublePage, tryAgainPage, unknownPage } from './views/kyc-states.ts';
import { kycSteps } from './views/kyc-step.ts';
import { errorPages, guarded } from './views/page.ts';

/**
 * The pages behind the addresses of initiate-kyc: the simulated verification, or redirects to a real provider. The address alone
 * grants access. They live outside the API.
 */
export function kycPages(runtime: KycRuntime, config: Pick<Config, 'kyc' | 'frameAncestors'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/verify/kyc', guarded(config.frameAncestors));
  const visit = visitsTo(runtime, config);
  const get = (place: string, handler: RequestHandler) =>
    router.route(`/verify/kyc/:token${place}`).get(handler).all(refuseMethods('GET, HEAD'));
  if (config.kyc.provider === 'sandbox') {
    get('', visit(showProgress));
    for (const step of kycSteps)
      router
        .route(`/verify/kyc/:token/${step}`)
        .get(visit(showStep(step)))
        .post(readForm, visit(takeAnswer(runtime, step)))
        .all(refuseMethods('GET, HEAD, POST'));
  } else {
    get('', visit(waitForProvider));
    get('/continue', visit(handOver(runtime)));
    get('/returned', visit(welcomeBack(runtime)));
  }
  get('/left', visit(leave));
  get('/status', tellState(runtime));
  const pages = { unknown: unknownPage(), trouble: troublePage(), simulated: false };
  router.use('/verify/kyc', nowhere('Verification'), errorPages(pages, config.frameAncestors, runtime.log));
  return router;
}

const waitForProvider: VisitHandler = ({ show, to }) => show(handOverPage(to));

/** The verification stays open. */
const leave: VisitHandler = ({ show, to }) => show(leftPage(to));

/** Redirects to the provider's page; null means that the provider already has everything it asked for. */
function handOver({ providers, log }: Pick<KycRuntime, 'providers' | 'log'>): VisitHandler {
  return async ({ hosted, to, show, go }) => {
    try {
      go((await providers.kyc.address(hosted.flow)) ?? to('returned'));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      log.warn({ err: error }, 'the KYC provider is unavailable');
      show(tryAgainPage(to), 503);
    }
  };
}

function welcomeBack(runtime: KycRuntime): VisitHandler {
  return async ({ hosted, to, show }) => {
    await lookAtKyc(runtime, hosted.id);
    // A person who returns without submitting anything may continue there.
    const open = await runtime.providers.kyc.address(hosted.flow).catch(() => null);
    show(open === null ? checkingPage(to) : handOverPage(to));
  };
}

/** Polled by the script of a waiting page. */
function tellState(runtime: KycRuntime): RequestHandler {
  return async (req, res) => {
    res.locals['operation'] = 'kycStatus';
    const { status } = await findHostedKyc(runtime, String(req.params['token']));
    writeJson(res, 200, { state: status });
  };
}
