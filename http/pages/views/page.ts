import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { NotFound, Unauthenticated } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import type { Log } from '../../../core/log.ts';
import type { Texts } from '../../../core/texts/texts.ts';
import type { Requester } from '../../../db/applications/requester.ts';
import { askedPath, hostedAddress, wantsHtml } from '../../edge/addresses.ts';
import { refusalOf } from '../../edge/on-error.ts';
import { type AssetName, assetPath } from '../assets.ts';
import { textsFor } from '../page-language.ts';
import { emitsHeight, pageAddress } from './addresses.ts';
import { brandMark, brandStylesheet, type Host, serviceFoot } from './brand.ts';
import { contactFoot } from './contact.ts';
import { languageSwitch } from './language-switch.ts';

/** A page for a person who follows the link of a flow. */
export interface Page {
  /** The page's texts, in its language. */
  t: Texts;
  title: string;
  /** The content, with one `h1`. */
  main: Html;
  /** The mark of another authority, shown instead of the landlord's brand. */
  brand?: Html;
  /** Who asks the person, and for what; shown above the content. */
  requester?: Pick<Requester, 'landlord' | 'title' | 'brand' | 'contact'> | undefined;
  /** The landlord whose brand the page has, where the content says who asks. */
  host?: Host;
  /** Whether it is marked as a simulation. */
  simulated: boolean;
  /** Whether it frames another page of the service. */
  frames?: true;
  /** Whether its form ends at a provider: browsers apply `form-action` to redirects, too. */
  leadsAway?: true;
  /** Whether the language switch is hidden: the page has only this language, or its address cannot be opened twice. */
  isFixed?: true;
  /** The page's own script. */
  script?: AssetName;
  /** The address of the Leave link. */
  leave?: string;
  /** Posted once to the embedding page (product document 6.2). */
  emits?: 'KYC_COMPLETED' | 'KYC_ERROR' | 'KYC_USER_EXIT';
  /** The address of a small JSON `{"state": ...}`: the page reloads once the state is no longer `pending`. */
  watches?: string;
  /** Goes to this address, or reloads, after a delay. */
  moves?: { seconds: number; to?: string };
}

/** The visit decides whether the page is marked as a simulation. */
export type UnmarkedPage = Omit<Page, 'simulated'>;

/** Pages that ask for an identity or a decision are never framed, against clickjacking. */
export const NEVER_FRAMED = "'none'";

/** Refresh interval of a waiting page without JavaScript, in seconds. */
const WATCH_SECONDS = 3;

/** A page loads only the service's own files. @param frameAncestors as in the Content Security Policy */
export function sendPage(res: Response, page: Page, frameAncestors: string, status = 200): void {
  const sources = ['script-src', 'style-src', 'img-src', 'connect-src'];
  const more = [...(page.leadsAway ? [] : ['form-action']), ...(page.frames ? ['frame-src'] : [])];
  const own = [...sources, ...more].map((name) => `${name} 'self'`);
  const policy = ["default-src 'none'", ...own, "base-uri 'none'", `frame-ancestors ${frameAncestors}`];
  guard(res, frameAncestors);
  res.set({
    'Content-Security-Policy': policy.join('; '),
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'Content-Language': page.t.language,
  });
  res.status(status).type('html').send(document(page, res.req).markup);
}

/** Headers of every response whose address grants access, whichever handler writes it. */
export function guarded(frameAncestors: string): RequestHandler {
  return (_req, res, next) => {
    guard(res, frameAncestors);
    next();
  };
}

function guard(res: Response, frameAncestors: string): void {
  res.set({
    'Content-Security-Policy': `default-src 'none'; frame-ancestors ${frameAncestors}`,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    // Lets cross-origin isolated pages frame this page, redirects included.
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

type ErrorPage = (t: Texts) => UnmarkedPage;

/** Shows browsers a page for dead links and failures; programs get the JSON envelope. */
export function errorPages(
  { simulated, ...pages }: Record<'unknown' | 'trouble', ErrorPage> & { signIn?: ErrorPage; simulated: boolean },
  frameAncestors: string,
  log: Log,
): ErrorRequestHandler {
  return (error, req, res, next) => {
    res.vary('Accept');
    if (!wantsHtml(req) || res.headersSent) return next(error);
    const show = (page: ErrorPage, status: number) =>
      sendPage(res, { ...page(textsFor(req)), simulated }, frameAncestors, status);
    if (error instanceof NotFound) return show(pages.unknown, 404);
    if (error instanceof Unauthenticated && pages.signIn) {
      res.set('WWW-Authenticate', error.challenge);
      return show(pages.signIn, 401);
    }
    if (refusalOf(error)) return next(error);
    log.error({ err: error }, 'request failed');
    show(pages.trouble, 500);
  };
}

function document(page: Page, req: Request): Html {
  const { t, title, main, script, brand, requester, simulated, leave, emits, watches, moves } = page;
  const host = brand ? undefined : (page.host ?? requester);
  const asset = (name: AssetName) => hostedAddress(req, assetPath(name));
  const height = emitsHeight(req) ? 1 : undefined;
  const behaviour = { emits, height, watches, 'moves-after': moves?.seconds, 'moves-to': moves?.to };
  const refresh = moves?.seconds ?? (watches && WATCH_SECONDS);
  // A refresh without an address does nothing when the current address has a fragment.
  const target = moves?.to ?? pageAddress(req, askedPath(req));
  return html`<!doctype html>
<html lang="${t.language}" dir="${t.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${title}</title>
<link rel="icon" href="${asset('favicon.svg')}">
<link rel="stylesheet" href="${asset('pages.css')}">${brandStylesheet(host, req)}
<script src="${asset('pages.js')}" defer></script>${script && html`\n<script src="${asset(script)}" defer></script>`}
${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh}; url=${target}"></noscript>`}
</head>
<body${Object.entries(behaviour).map(([name, value]) => attribute(name, value))}>
<header>
${simulated ? html`<p class="mark">${t.rich('page.sandbox')}</p>` : undefined}
<div class="top">${brand ?? brandMark(host, req)}
${leave && html`<a class="leave" href="${leave}#step">${t.text('page.leave')}</a>`}</div>
</header>
<main>
${requester && html`<p class="asker">${askerIn(t, requester)}</p>`}
${main}
</main>
<footer>${contactFoot(t, page.host ?? requester)}
${page.isFixed ? undefined : languageSwitch(t, req)}
${serviceFoot(host, req)}</footer>
</body>
</html>
`;
}

/** An application may have an empty title. */
function askerIn(t: Texts, { landlord, title }: Pick<Requester, 'landlord' | 'title'>): Html {
  return title.trim() === '' ? t.rich('page.asker-untitled', { landlord }) : t.rich('page.asker', { landlord, title });
}

/** The window title: the page's topic, preceded by a notice when a form was refused. */
export function windowTitle(t: Texts, parts: readonly string[], isRefused = false): string {
  const title = parts.join(' – ');
  return isRefused ? t.text('page.error', { title }) : title;
}

function attribute(name: string, value: string | number | undefined): Html | undefined {
  return value === undefined ? undefined : html` data-${name}="${value}"`;
}
