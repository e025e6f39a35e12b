import type { RequestHandler } from 'express';
import type { Config } from '../core/settings/config.ts';
import { findLogo } from '../db/access/landlord-brands.ts';
import type { Runtime } from '../jobs/runtime.ts';
import type { createSchemeChecks } from './api/authenticate.ts';

/** Pages below one path. */
export interface Place {
  path: RegExp;
  /** A path of it, whose first request loads its pages. */
  example: string;
  load(served: Served): Promise<RequestHandler>;
}

interface Served {
  runtime: Runtime;
  config: Config;
  checks: ReturnType<typeof createSchemeChecks>;
}

/** The pages that integrators embed in theirs. */
export const FRAMED = /^\/verify\/kyc(?![^/])/i;

/** Every place of pages that callers reach. Each is loaded on first use, because API requests need none of it. */
export const places: readonly Place[] = [
  {
    path: /^\/providers(?![^/])/i,
    example: '/providers/kyc',
    load: async ({ runtime }) => (await import('./pages/provider-messages.ts')).providerMessages(runtime),
  },
  {
    path: /^\/verify\/assets\//i,
    example: '/verify/assets/x/y',
    load: async () => (await import('./pages/assets.ts')).hostedAssets,
  },
  {
    path: /^\/verify\/brand\//i,
    example: '/verify/brand/x/y',
    load: async ({ runtime }) =>
      (await import('./pages/brand-files.ts')).brandFiles((digest) => findLogo(runtime.db, digest)),
  },
  {
    path: FRAMED,
    example: '/verify/kyc/x',
    load: async ({ runtime, config }) => (await import('./pages/kyc/kyc-pages.ts')).kycPages(runtime, config),
  },
  {
    path: /^\/verify\/eid(?![^/])/i,
    example: '/verify/eid/x',
    load: async ({ runtime, config }) => (await import('./pages/eid-pages.ts')).eidPages(runtime, config),
  },
  {
    path: /^\/verify\/bank(?![^/])/i,
    example: '/verify/bank/x',
    load: async ({ runtime, config }) => (await import('./pages/bank-return.ts')).bankReturn(runtime, config),
  },
  {
    path: /^\/(?:invitation|onboarding)(?![^/])/i,
    example: '/invitation/x',
    load: async ({ runtime, config }) => (await import('./pages/link-pages.ts')).linkPages(runtime, config),
  },
  {
    path: /^\/report(?![^/])/i,
    example: '/report/verify',
    load: async ({ runtime, config }) => (await import('./pages/report-pages.ts')).reportPages(runtime, config),
  },
  {
    path: /^\/mailbox(?![^/])/i,
    example: '/mailbox',
    load: async ({ runtime, checks }) => (await import('./pages/mailbox-pages.ts')).mailboxPages(runtime, checks),
  },
  {
    path: /^\/desk(?![^/])/i,
    example: '/desk/sign-in',
    load: async ({ runtime, config }) => (await import('./backoffice/desk.ts')).createDesk(runtime, config),
  },
  {
    path: /^\/(?:$|favicon\.ico$|(?:docs|openapi)(?![^/.]))/i,
    example: '/docs/',
    load: async ({ config }) => (await import('./docs.ts')).docs(config),
  },
];
