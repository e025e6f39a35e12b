import { Router } from 'express';
import { type Html, html } from '../../core/html.ts';
import { type Texts, textsOf } from '../../core/texts/texts.ts';
import { hostedAddress } from '../../http/edge/addresses.ts';
import { hostedAssets } from '../../http/pages/assets.ts';
import { failedPage, leftPage, verifiedPage } from '../../http/pages/kyc/kyc-states.ts';
import { textsFor } from '../../http/pages/page-language.ts';
import type { KycAddress } from '../../http/pages/views/kyc-step.ts';
import { sendPage, type UnmarkedPage } from '../../http/pages/views/page.ts';

/** The pages behind the links of initiate-kyc and initiate-eid; the visitor chooses the outcome. */
export const mockPages = Router();

mockPages.use(hostedAssets);

mockPages.get('/verify/kyc/:token', (req, res) => {
  const to = (ending: string) => hostedAddress(req, `verify/kyc/${encodeURIComponent(req.params.token)}/${ending}`);
  const lead = 'Choose how the verification ends. The page around this one receives the message.';
  const actions = [link(to('completed'), 'It works'), link(to('error'), 'It fails'), link(to('left'), 'Leave')];
  sendPage(res, { ...choice('Identity verification', lead, actions), simulated: true }, '*');
});

/** The outcomes, each with what the service shows and posts to an embedding page. */
const endings = new Map<string, (t: Texts, to: KycAddress) => UnmarkedPage>([
  ['completed', (t) => verifiedPage(t)],
  ['error', (t) => failedPage(t)],
  ['left', (t, to) => leftPage(t, to)],
]);

mockPages.get('/verify/kyc/:token/:ending', (req, res, next) => {
  const ending = endings.get(req.params.ending);
  if (!ending) return next();
  const again = hostedAddress(req, `verify/kyc/${encodeURIComponent(req.params.token)}`);
  const page = ending(textsFor(req), () => again);
  const main = html`${page.main}<p class="actions"><a class="button plain" href="${again}">Choose again</a></p>`;
  sendPage(res, { ...page, main, simulated: true }, '*');
});

/** The mock is stateless, so the link carries the address. */
mockPages.get('/verify/eid/:token', (req, res) => {
  const lead = 'The verification is over, whatever its outcome.';
  const back = new URL(req.originalUrl, 'http://localhost').searchParams.get('redirect_url') ?? '';
  const actions = [link(back, 'Go back')];
  sendPage(res, { ...choice('National electronic identity', lead, actions), simulated: true }, "'none'");
});

function choice(title: string, lead: string, links: Html[]): UnmarkedPage {
  return {
    t: textsOf('en'),
    isFixed: true,
    title,
    main: html`<h1 id="heading" tabindex="-1">${title}</h1>
<p class="lead">${lead}</p>
<p class="actions">${links}</p>`,
  };
}

function link(address: string, label: string): Html {
  return html`<a class="button plain" href="${address}">${label}</a>`;
}

/** The body of an answer, with its links to pages leading to these; the link of an eID flow back to `redirectUrl` too. */
export function withLinksTo(origin: string, body: unknown, redirectUrl?: string): unknown {
  const back = redirectUrl === undefined ? '' : `?${new URLSearchParams({ redirect_url: redirectUrl })}`;
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (key !== 'verification_url' && key !== 'verification_link') return value;
    return origin + new URL(value).pathname + back;
  });
}
