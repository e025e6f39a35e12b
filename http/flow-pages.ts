import { type RequestHandler, Router } from 'express';
import { MethodNotAllowed, NotFound } from '../core/errors.ts';
import { type FlowKind, flowIdFromToken } from '../core/secrets.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { type Page, sendPage } from './hosted-page.ts';

/** The pages behind the links of initiate-kyc and initiate-eid in the sandbox. They live outside the API. */
export function flowPages(runtime: Runtime): Router {
  const router = Router();
  router.use('/verify', keepNoCopy);
  router.route('/verify/kyc/:token').get(kycPage(runtime)).all(refuseOtherMethods);
  router.route('/verify/eid/:token').get(eidPage(runtime)).all(refuseOtherMethods);
  return router;
}

/** The address alone lets a person in, and what it shows changes. */
const keepNoCopy: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

const refuseOtherMethods: RequestHandler = () => {
  throw new MethodNotAllowed('GET, HEAD');
};

/** Shows how the simulated verification stands, in a window of its own or in an iframe. */
function kycPage({ db, keys }: Runtime): RequestHandler {
  return async (req, res) => {
    const id = flowId('kyc', req.params['token'], keys.encryption);
    const verification = await db('kyc_verifications').where({ id }).first('status');
    if (!verification) throw new NotFound('Verification');
    const pages: Record<typeof verification.status, Page> = {
      pending: {
        title: 'Verifying your identity',
        text: 'This simulated check ends by itself in a moment.',
        actions: '<button id="leave" type="button" hidden>Leave</button>',
        waiting: true,
        script: offerToLeave,
      },
      verified: {
        title: 'You are verified',
        text: 'Thank you. You can close this window.',
        waiting: false,
        script: tellParent('KYC_COMPLETED'),
      },
      failed: {
        title: 'We could not verify you',
        text: 'You can close this window and start again.',
        waiting: false,
        script: tellParent('KYC_ERROR'),
      },
    };
    sendPage(res, pages[verification.status], '*');
  };
}

/** Waits for the simulated provider and then sends the person on to the caller's `redirect_url`, whatever the outcome. */
function eidPage({ db, keys }: Runtime): RequestHandler {
  return async (req, res) => {
    const id = flowId('eid', req.params['token'], keys.encryption);
    const flow = await db('eid_flows').where({ id }).first('status', 'redirect_url');
    if (!flow) throw new NotFound('Verification');
    if (flow.status !== 'pending') return res.redirect(303, flow.redirect_url);
    const text = 'This simulated check ends by itself in a moment, then we take you back.';
    sendPage(res, { title: 'National electronic identity', text, waiting: true }, "'none'");
  };
}

function tellParent(event: 'KYC_COMPLETED' | 'KYC_ERROR' | 'KYC_USER_EXIT'): string {
  return `if (window.parent !== window) window.parent.postMessage('${event}', '*');`;
}

/** Offers a way out where a surrounding page can close the frame. */
const offerToLeave = `
  const leave = document.getElementById('leave');
  leave.hidden = window.parent === window;
  leave.onclick = () => { ${tellParent('KYC_USER_EXIT')} };`;

function flowId(kind: FlowKind, token: unknown, key: Uint8Array): string {
  const id = flowIdFromToken(kind, String(token), key);
  if (id === undefined) throw new NotFound('Verification');
  return id;
}
