import { type Request, type RequestHandler, Router } from 'express';
import { NotFound } from '../../core/errors.ts';
import { inviteIdsOfKey, isInviteOfKey } from '../../db/applications/invites.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import type { KeptMail, Mailbox } from '../../providers/mail/port.ts';
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
} from './views/mailbox.ts';
import { errorPages, guarded, NEVER_FRAMED, sendPage } from './views/page.ts';

const MAX_MAILS = 100;
/** The mail may open its link in a new window and nothing else. */
const MAIL_POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "frame-ancestors 'self'",
].join('; ');

/** Only while mails stay on this machine: each key sees the mails of its own applications. */
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
    const ids = await inviteIdsOfKey(db, callerOf(req).apiKeyId, MAX_MAILS + 1);
    const mails: ShownMail[] = [];
    for (const id of ids.slice(0, MAX_MAILS)) {
      const mail = await mailbox.read(id);
      if (mail) mails.push({ ...mail, address: hostedAddress(req, `mailbox/${id}`) });
    }
    const newestFirst = mails.sort((a, b) => b.sentAt.getTime() - a.sentAt.getTime());
    sendPage(res, mailboxPage(newestFirst, ids.length > MAX_MAILS), NEVER_FRAMED);
  };
}

function showOne(runtime: Pick<Runtime, 'db' | 'publicUrl'>, mailbox: Mailbox): RequestHandler {
  return async (req, res) => {
    const { id, mail } = await readMail(runtime, mailbox, req);
    const links = {
      mailbox: hostedAddress(req, 'mailbox'),
      html: hostedAddress(req, `mailbox/${id}/html`),
      invitations: `${runtime.publicUrl()}/invitation/`,
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

/** Other keys' mails are reported as absent. @throws NotFound */
async function readMail(
  { db }: Pick<Runtime, 'db'>,
  mailbox: Mailbox,
  req: Request,
): Promise<{ id: string; mail: KeptMail }> {
  const id = pathText(req, 'id');
  const mail = (await isInviteOfKey(db, callerOf(req).apiKeyId, id)) ? await mailbox.read(id) : undefined;
  if (!mail) throw new NotFound('Mail');
  return { id, mail };
}
