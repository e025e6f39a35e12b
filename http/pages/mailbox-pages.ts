import { type Request, type RequestHandler, Router } from 'express';
import { NotFound } from '../../core/errors.ts';
import { findLandlordOfKey } from '../../db/access/api-keys.ts';
import { inviteIdsOfKey, isInviteOfKey } from '../../db/applications/invites.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import type { KeptMail, Mailbox, MailOffice } from '../../providers/mail/port.ts';
import { authenticate, callerOf, type SchemeChecks } from '../api/authenticate.ts';
import { hostedAddress } from '../edge/addresses.ts';
import { nowhere, refuseMethods } from '../edge/on-error.ts';
import { pathText } from '../edge/path-text.ts';
import { named } from '../edge/request-log.ts';
import {
  mailboxPage,
  mailboxSignInPage,
  mailboxTroublePage,
  mailPage,
  noMailPage,
  type ShownMail,
  type ShownMails,
} from './views/mailbox.ts';
import { errorPages, guarded, NEVER_FRAMED, sendPage } from './views/page.ts';

/** In each list. */
const MAX_MAILS = 100;
/** The mail may open its link in a new window and nothing else. */
const MAIL_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'self'",
].join('; ');

/** Only while mails stay on this machine: each key sees the mails of its own applications, and the mails to the members of its landlord's desk. */
export function mailboxPages(
  runtime: Pick<Runtime, 'db' | 'providers' | 'publicUrl' | 'log'>,
  checks: SchemeChecks,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { mailbox } = runtime.providers;
  if (!mailbox) return router;
  const operation = { id: 'mailbox', schemes: ['clientCredentials'] };
  router.use('/mailbox', named(operation.id), guarded(NEVER_FRAMED));
  const get = (path: string, handler: RequestHandler) =>
    router.route(path).get(authenticate(operation, checks), handler).all(refuseMethods('GET, HEAD'));
  get('/mailbox', showAll(runtime, mailbox));
  get('/mailbox/:id', showOne(runtime, mailbox));
  get('/mailbox/:id/html', showHtml(runtime, mailbox));
  const pages = { unknown: noMailPage, trouble: mailboxTroublePage, signIn: mailboxSignInPage, simulated: true };
  router.use('/mailbox', nowhere('Mail'), errorPages(pages, NEVER_FRAMED, runtime.log));
  return router;
}

function showAll({ db }: Pick<Runtime, 'db'>, mailbox: Mailbox): RequestHandler {
  return async (req, res) => {
    const { apiKeyId } = callerOf(req);
    const shown = async (ids: readonly string[], office?: MailOffice): Promise<ShownMails> => {
      const mails: ShownMail[] = [];
      for (const id of ids.slice(0, MAX_MAILS)) {
        const mail = await mailbox.read(id, office);
        if (mail) mails.push({ ...mail, address: hostedAddress(req, `mailbox/${id}`) });
      }
      const newestFirst = mails.sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
      return { mails: newestFirst, isTruncated: ids.length > MAX_MAILS };
    };
    const office = await deskOf(db, apiKeyId);
    const toMembers = await shown(await mailbox.list(office, MAX_MAILS + 1), office);
    const toApplicants = await shown(await inviteIdsOfKey(db, apiKeyId, MAX_MAILS + 1));
    sendPage(res, mailboxPage({ toMembers, toApplicants }), NEVER_FRAMED);
  };
}

function showOne(runtime: Pick<Runtime, 'db' | 'publicUrl'>, mailbox: Mailbox): RequestHandler {
  return async (req, res) => {
    const { id, mail, of } = await readMail(runtime, mailbox, req);
    const links = {
      mailbox: hostedAddress(req, 'mailbox'),
      html: hostedAddress(req, `mailbox/${id}/html`),
      ours: `${runtime.publicUrl()}/${of}/`,
    };
    sendPage(res, mailPage(mail, links), NEVER_FRAMED);
  };
}

function showHtml(runtime: Pick<Runtime, 'db'>, mailbox: Mailbox): RequestHandler {
  return async (req, res) => {
    const { mail } = await readMail(runtime, mailbox, req);
    res.set('Content-Security-Policy', MAIL_POLICY).type('html').send(mail.html);
  };
}

/** The desk of the landlord of a key. @throws NotFound */
async function deskOf(db: Runtime['db'], apiKeyId: string): Promise<{ landlordId: string }> {
  const landlordId = await findLandlordOfKey(db, apiKeyId);
  if (landlordId === undefined) throw new NotFound('Mail');
  return { landlordId };
}

/** Mails of other keys and landlords are reported as absent. @throws NotFound */
async function readMail(
  { db }: Pick<Runtime, 'db'>,
  mailbox: Mailbox,
  req: Request,
): Promise<{ id: string; mail: KeptMail; of: 'invitation' | 'desk' }> {
  const id = pathText(req, 'id');
  const { apiKeyId } = callerOf(req);
  const of = (await isInviteOfKey(db, apiKeyId, id)) ? 'invitation' : 'desk';
  const mail = await mailbox.read(id, of === 'desk' ? await deskOf(db, apiKeyId) : undefined);
  if (!mail) throw new NotFound('Mail');
  return { id, mail, of };
}
