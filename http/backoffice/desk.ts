import type { RequestHandler } from 'express';
import { partyOfMember } from '../../core/party.ts';
import { hashSecret } from '../../core/secrets/secrets.ts';
import type { Config } from '../../core/settings/config.ts';
import { type DeskTexts, deskTextsOf } from '../../core/texts/desk-texts.ts';
import { deskLanguages, type Language as LanguageName } from '../../core/texts/languages.ts';
import { type ReportTexts, reportTextsOf } from '../../core/texts/report-texts.ts';
import { findMemberSession } from '../../db/access/member-sessions.ts';
import { passkeyPlace } from '../../jobs/access/passkeys.ts';
import { deskPasskeys } from '../../jobs/members/desk-passkeys.ts';
import { mailMemberLinks } from '../../jobs/members/member-mails.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { acceptedLanguage } from '../edge/accepted-language.ts';
import { hostCookie } from '../edge/cookies.ts';
import { type Office, sessionOf } from './office.ts';
import { type Parts, readResults } from './route.ts';
import { deskRoutes } from './routes.ts';
import { serveOffice } from './serve-office.ts';
import { signInPages } from './sign-in.ts';

/**
 * The landlords' desk: the back office of one landlord, below `/desk/`, for the public listener. Its members see what their API keys see.
 * @param textsOf @param reportsIn for tests of the wording
 */
export function createDesk(
  runtime: Runtime,
  config: Pick<Config, 'trustedProxies'>,
  textsOf: (language: LanguageName) => DeskTexts = deskTextsOf,
  reportsIn: (language: LanguageName) => ReportTexts = reportTextsOf,
): RequestHandler {
  const url = runtime.publicUrl();
  const languageOf: Language = (req) => acceptedLanguage(req, deskLanguages) ?? deskLanguages[0];
  const office: Office<Parts> = {
    name: 'desk',
    hasPasskeys: passkeyPlace(url) !== undefined,
    hasMailbox: runtime.providers.mailbox !== undefined,
    cookie: hostCookie('desk', url, 'desk'),
    routes: deskRoutes,
    parts: runtime,
    sections: (t) => SECTIONS.map(([path, message]) => [path, t.text(message)]),
    title: (signedIn, t) => signedIn?.visitor.landlord ?? t.text('desk.title'),
    textsFor: (req) => textsOf(languageOf(req)),
    async findVisitor(token, req, isUse) {
      const found = await findMemberSession(runtime.db, hashSecret(token), runtime.now(), isUse);
      if (!found) return undefined;
      const { id, name, role, landlord_id: landlordId, scope } = found;
      const language = found.language ?? languageOf(req);
      const t = textsOf(language);
      return {
        visitor: {
          id,
          name,
          role: t.text(`role.${role}`),
          looker: readResults.members.includes(role) ? role : undefined,
          actor: { kind: 'member', id },
          landlord: found.landlord_name,
          ...sessionOf(found),
        },
        keepsForm: Boolean(found.keeps_form),
        scope,
        party: partyOfMember(landlordId, id),
        t,
        reportTexts: reportsIn(language),
        admits: (route) => route.members.includes(role),
      };
    },
  };
  const signIn = signInPages(office, {
    ...runtime,
    trustedProxies: config.trustedProxies,
    url,
    field: { name: 'email', type: 'email', maxLength: 320 },
    mailLinks: (address, req) => mailMemberLinks(runtime, address, languageOf(req)),
    passkeys: deskPasskeys(runtime),
  });
  return serveOffice(office, { ...runtime, url, signIn });
}

type Language = (req: Parameters<RequestHandler>[0]) => LanguageName;

const SECTIONS = [
  ['', 'section.overview'],
  ['applications', 'section.applications'],
  ['properties', 'section.properties'],
  ['deliveries', 'section.deliveries'],
  ['webhooks', 'section.webhooks'],
  ['keys', 'section.keys'],
  ['members', 'section.members'],
  ['settings', 'section.settings'],
] as const;
