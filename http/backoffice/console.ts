import type { RequestListener } from 'node:http';
import { partyOfOperator } from '../../core/party.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import { deskTextsOf } from '../../core/texts/desk-texts.ts';
import { reportTextsOf } from '../../core/texts/report-texts.ts';
import { isLinkOpen } from '../../db/access/console-accounts.ts';
import { findSession } from '../../db/access/console-sessions.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { signInByLink, signOut } from '../../jobs/console/accounts.ts';
import { mailSignInLink } from '../../jobs/console/mail-link.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { AuditVerifier } from '../../jobs/upkeep/audit-verification.ts';
import { admission } from '../edge/admission.ts';
import { hostCookie } from '../edge/cookies.ts';
import { createEdgeApp } from '../edge/edge-app.ts';
import { errorPages } from './errors.ts';
import { LivePages } from './live.ts';
import type { Office } from './office.ts';
import type { Console } from './route.ts';
import { consoleRoutes } from './routes.ts';
import { serveOffice } from './serve-office.ts';
import { signInPages } from './sign-in.ts';

/** Operators read English. */
const t = deskTextsOf('en');
const reportTexts = reportTextsOf('en');

/** The operators' console: the back office of all landlords, below `/console/`, for the operators' listener. */
export function createConsole(
  runtime: Runtime & Pick<Console, 'conditions'>,
  config: Pick<Config, 'trustedProxies'>,
  url: string,
): ServedConsole {
  const parts: Console = { ...runtime, verifier: new AuditVerifier(), live: new LivePages(runtime) };
  const office: Office<Console> = {
    name: 'console',
    hasPasskeys: false,
    cookie: hostCookie('console', url, 'console'),
    routes: consoleRoutes,
    parts,
    sections: () => SECTIONS,
    title: () => 'Screening console',
    textsFor: () => t,
    async findVisitor(token, _req, isUse) {
      const account = await findSession(runtime.db, hashSecret(token), runtime.now(), isUse);
      if (!account) return undefined;
      const { id, name, role } = account;
      return {
        visitor: { id, name, role, looker: 'operator', actor: { kind: 'operator', id: name } },
        scope: ALL_LANDLORDS,
        party: partyOfOperator(name),
        t,
        reportTexts,
        admits: (route) => route.role === 'viewer' || role === 'operator',
      };
    },
  };
  const signIn = signInPages(office, {
    ...runtime,
    trustedProxies: config.trustedProxies,
    url,
    field: { name: 'name', type: 'text', maxLength: 32 },
    isLinkOpen: (tokenHash) => isLinkOpen(runtime.db, tokenHash, runtime.now()),
    mailLinks: (name) => mailSignInLink(runtime, name, url),
    async enter(token) {
      const session = await signInByLink(runtime, token);
      return session === undefined ? undefined : { token: session, opens: null };
    },
    leave: (token) => signOut(runtime, token),
  });
  const app = createEdgeApp(admission({ ...runtime, ...config }));
  app.use(serveOffice(office, { ...runtime, url, signIn, live: parts.live }));
  // For requests that were refused before they reached the office.
  app.use(errorPages(office, runtime.log));
  const close = async () => void (await Promise.all([parts.live.close(), parts.verifier.stop()]));
  return { serve: app, close };
}

export interface ServedConsole {
  serve: RequestListener;
  /** Stops the pages' background work while the database is still open. */
  close(): Promise<void>;
}

const SECTIONS = [
  ['', 'Overview'],
  ['applications', 'Applications'],
  ['people', 'People'],
  ['deliveries', 'Deliveries'],
  ['webhooks', 'Webhooks'],
  ['landlords', 'Landlords'],
  ['privacy', 'Privacy'],
  ['audit', 'Audit log'],
] as const;
