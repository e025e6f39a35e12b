import type { Request, Response } from 'express';
import { html } from '../../core/html.ts';
import { askedPath } from '../edge/addresses.ts';
import { textsFor } from './page-language.ts';
import { pageAddress } from './views/addresses.ts';
import { icons } from './views/drawings.ts';
import { statePage } from './views/link-states.ts';
import { sendPage } from './views/page.ts';

/** For a request that was refused under load. A page reloads automatically; a form is sent again by the person. */
export function sendBusyPage(req: Request, res: Response, frameAncestors: string): void {
  const t = textsFor(req);
  const isForm = req.method === 'POST';
  const again = html`<p class="actions"><a class="button" href="${pageAddress(req, askedPath(req))}">${t.text('page.try-again')}</a></p>`;
  const text = html`<p>${t.text('kyc.away-text')}</p>${isForm ? undefined : again}`;
  const page = statePage(t, t.text('page.busy'), icons.late, text);
  const moves = isForm ? {} : { moves: { seconds: Number(res.get('Retry-After')) } };
  res.vary('Accept');
  sendPage(res, { ...page, ...moves, simulated: false }, frameAncestors, 503);
}
