import type { RequestListener } from 'node:http';
import { partyOfOperator } from '../../core/party.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import { deskTextsOf } from '../../core/texts/desk-texts.ts';
import { reportTextsOf } from '../../core/texts/report-texts.ts';
import { findConsoleSession } from '../../db/access/console-accounts.ts';
import { ALL_LANDLORDS } from '../../db/connection/queries/scope.ts';
import { passkeyPlace } from '../../jobs/access/passkeys.ts';
import { CONSOLE_TITLE, consolePasskeys } from '../../jobs/console/console-passkeys.ts';
import { mailSignInLink } from '../../jobs/console/mail-link.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { AuditVerifier } from '../../jobs/upkeep/audit-verification.ts';
import { admission } from '../edge/admission.ts';
import { hostCookie } from '../edge/cookies.ts';
import { createEdgeApp } from '../edge/edge-app.ts';
import { onError } from '../edge/on-error.ts';
import { errorPages } from './errors.ts';
import { LivePages } from './live.ts';
import { type Office, sessionOf } from './office.ts';
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
  const parts: Console = { ...runtime, consoleUrl: url, verifier: new AuditVerifier(), live: new LivePages(runtime) };
  const office: Office<Console> = {
    name: 'console',
    hasPasskeys: passkeyPlace(url) !== undefined,
    hasMailbox: runtime.providers.mailbox !== undefined,
    cookie: hostCookie('console', url, 'console'),
    routes: consoleRoutes,
    parts,
    sections: () => SECTIONS,
    title: () => CONSOLE_TITLE,
    textsFor: () => t,
    async findVisitor(token, _req, isUse) {
      const found = await findConsoleSession(runtime.db, hashSecret(token), runtime.now(), isUse);
      if (!found) return undefined;
      const { id, name, role } = found;
      return {
        visitor: {
          id,
          name,
          role,
          looker: 'operator',
          actor: { kind: 'operator', id: name },
          ...sessionOf(found),
        },
        keepsForm: Boolean(found.keeps_form),
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
    mailLinks: (name) => mailSignInLink(runtime, name, url),
    passkeys: consolePasskeys(url),
  });
  const app = createEdgeApp(admission({ ...runtime, ...config }));
  app.use(serveOffice(office, { ...runtime, url, signIn, live: parts.live }));
  // For requests that were refused before they reached the office, and for those whose address no page can show.
  app.use(errorPages(office, runtime.log), onError(runtime.log));
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
