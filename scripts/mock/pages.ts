import { Router } from 'express';
import { sendPage } from '../../http/hosted-page.ts';

const button = (id: string, label: string) => `<button id="${id}" type="button">${label}</button>`;

/** Stand where the links of initiate-kyc and initiate-eid lead, and let whoever looks choose how it ends. */
export const mockPages = Router();

mockPages.get('/verify/kyc/:token', (_req, res) => {
  const actions = [
    button('KYC_COMPLETED', 'It works'),
    button('KYC_ERROR', 'It fails'),
    button('KYC_USER_EXIT', 'Leave'),
  ].join(' ');
  const text = 'Choose how the verification ends. The page around this one is told.';
  sendPage(res, { title: 'Identity verification', text, actions, waiting: false, script: TELL_PARENT }, '*');
});

mockPages.get('/verify/eid/:token', (_req, res) => {
  const text = 'The verification is over, whatever its outcome.';
  const actions = button('back', 'Go back');
  sendPage(res, { title: 'National electronic identity', text, actions, waiting: false, script: GO_BACK }, "'none'");
});

/** As the service tells it: the bare name of the event (product document 6.2). */
const TELL_PARENT = `
  for (const button of document.querySelectorAll('button'))
    button.onclick = () => window.parent.postMessage(button.id, '*');`;

/** The mock remembers nothing, so the link carries the address. */
const GO_BACK = `
  document.getElementById('back').onclick = () => {
    location.assign(new URLSearchParams(location.search).get('redirect_url'));
  };`;

/** The body of an answer, with its links to pages leading to these; the link of an eID flow back to `redirectUrl` too. */
export function withLinksTo(origin: string, body: unknown, redirectUrl?: string): unknown {
  const back = redirectUrl === undefined ? '' : `?${new URLSearchParams({ redirect_url: redirectUrl })}`;
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key !== 'verification_url' && key !== 'verification_link') return value;
    return origin + new URL(value).pathname + back;
  });
}
