import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { NotFound, Unauthenticated } from '../../../core/errors.ts';
import { type Html, html } from '../../../core/html.ts';
import type { Log } from '../../../core/log.ts';
import type { Asker } from '../../../db/applications/asker.ts';
import { refusalOf } from '../../edge/on-error.ts';
import { type AssetName, assetPath } from '../assets.ts';

/** A page for a person who follows the link of a flow. */
export interface Page {
  title: string;
  /** The content, with one `h1`. */
  main: Html;
  /** The brand to show instead of the service's. */
  brand?: Html;
  /** Who asks the person, and for what, above the content. */
  asker?: Pick<Asker, 'landlord' | 'title'> | undefined;
  /** Whether it is marked as a simulation. */
  simulated: boolean;
  /** Whether it frames another page of the service. */
  frames?: true;
  /** Whether its form ends at a provider: browsers apply `form-action` to redirects, too. */
  leadsAway?: true;
  /** A script of its own. */
  script?: AssetName;
  /** The address of the Leave link. */
  leave?: string;
  /** Posted once to the embedding page (product document 6.2). */
  tells?: 'KYC_COMPLETED' | 'KYC_ERROR' | 'KYC_USER_EXIT';
  /** The address of a small JSON `{"state": ...}`: the page loads itself again once that is not `pending` any more. */
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
    // Lets cross-origin isolated pages frame ours, redirects included.
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
}

/** Shows browsers a page for dead links and failures; programs get the JSON envelope. */
export function errorPages(
  { simulated, ...pages }: Record<'unknown' | 'trouble', UnmarkedPage> & { signIn?: UnmarkedPage; simulated: boolean },
  frameAncestors: string,
  log: Log,
): ErrorRequestHandler {
  return (error, req, res, next) => {
    res.vary('Accept');
    const wantsHtml = req.accepts(['application/json', 'text/html']) === 'text/html';
    if (!wantsHtml || res.headersSent) return next(error);
    if (error instanceof NotFound) return sendPage(res, { ...pages.unknown, simulated }, frameAncestors, 404);
    if (error instanceof Unauthenticated && pages.signIn) {
      res.set('WWW-Authenticate', error.challenge);
      return sendPage(res, { ...pages.signIn, simulated }, frameAncestors, 401);
    }
    if (refusalOf(error)) return next(error);
    log.error({ err: error }, 'request failed');
    sendPage(res, { ...pages.trouble, simulated }, frameAncestors, 500);
  };
}

/**
 * A path of the service relative to the request's, so that it works behind a proxy with a path prefix.
 * @param path without a leading slash
 */
export function hostedAddress(req: Request, path: string): string {
  const depth = askedPath(req).split('/').length - 1;
  return `${'../'.repeat(depth) || './'}${path}`;
}

function askedPath({ originalUrl }: Request): string {
  const [path = ''] = originalUrl.split('?', 1);
  return path.slice('/'.length);
}

function document(page: Page, req: Request): Html {
  const { title, main, script, brand, asker, simulated, leave, tells, watches, moves } = page;
  const asset = (name: AssetName) => hostedAddress(req, assetPath(name));
  const behaviour = { tells, watches, 'moves-after': moves?.seconds, 'moves-to': moves?.to };
  const refresh = moves?.seconds ?? (watches && WATCH_SECONDS);
  // A refresh without an address does nothing when the current address has a fragment.
  const target = moves?.to ?? hostedAddress(req, askedPath(req));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${title}</title>
<link rel="icon" href="${asset('favicon.svg')}">
<link rel="stylesheet" href="${asset('pages.css')}">
<script src="${asset('pages.js')}" defer></script>${script && html`\n<script src="${asset(script)}" defer></script>`}
${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh}; url=${target}"></noscript>`}
</head>
<body${Object.entries(behaviour).map(([name, value]) => attribute(name, value))}>
<header>
${simulated ? html`<p class="mark"><strong>Sandbox</strong>: nothing here is real.</p>` : undefined}
<div class="top">${brand ?? html`<p class="brand"><img src="${asset('favicon.svg')}" alt="" width="24" height="24">Tenant Screening</p>`}
${leave && html`<a class="leave" href="${leave}#step">Leave</a>`}</div>
</header>
<main>
${asker && html`<p class="asker">Asked by <strong>${quoted(asker.landlord)}</strong> for <strong>${quoted(asker.title)}</strong></p>`}
${main}
</main>
</body>
</html>
`;
}

/** Third-party text, isolated for its writing direction. */
export function quoted(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

function attribute(name: string, value: string | number | undefined): Html | undefined {
  return value === undefined ? undefined : html` data-${name}="${value}"`;
}
