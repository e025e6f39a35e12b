import { randomBytes } from 'node:crypto';
import { type RequestHandler, type Response, Router } from 'express';
import { MethodNotAllowed, NotFound } from '../core/errors.ts';
import { type FlowKind, flowIdFromToken } from '../core/secrets.ts';
import type { Runtime } from '../jobs/runtime.ts';

interface Page {
  title: string;
  text: string;
  /** HTML below the text. */
  actions?: string;
  /** Whether the page looks again by itself. */
  waiting: boolean;
  /** What the page runs; it tells a surrounding page how things went, as a bare string (product document 6.2). */
  script?: string;
}

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

/** @param frameAncestors who may show the page in a frame, as the Content Security Policy words it */
export function sendPage(res: Response, page: Page, frameAncestors: string): void {
  const nonce = randomBytes(16).toString('base64');
  res.setHeader('Content-Security-Policy', contentPolicy(nonce, frameAncestors));
  res.type('html').send(html(page, nonce));
}

function contentPolicy(nonce: string, frameAncestors: string): string {
  const nonced = `'nonce-${nonce}'`;
  return `default-src 'none'; script-src ${nonced}; style-src ${nonced}; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}`;
}

/** Every text here is ours, so nothing needs escaping. */
function html({ title, text, actions = '', waiting, script }: Page, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
${waiting ? '<meta http-equiv="refresh" content="1">' : ''}
<title>${title}</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: Canvas; color: CanvasText;
    font: 1.0625rem/1.5 system-ui, sans-serif; }
  main { max-width: 26rem; padding: 2rem; text-align: center; }
  h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
  p { margin: 0; text-wrap: balance; }
  button { margin-top: 1.5rem; padding: .5rem 1.25rem; font: inherit; }
  small { display: block; margin-top: 2rem; opacity: .75; }
</style>
</head>
<body>
<main aria-live="polite"><h1>${title}</h1><p>${text}</p>${actions}<small>Sandbox: nothing here is real.</small></main>
${script ? `<script nonce="${nonce}">${script}</script>` : ''}
</body>
</html>
`;
}
