import { Readable } from 'node:stream';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { pictureName } from '../../core/reports/in-markup.ts';
import type { Config } from '../../core/settings/config.ts';
import { readLanguage } from '../../core/texts/languages.ts';
import { reportTextsOf } from '../../core/texts/report-texts.ts';
import { textsOf } from '../../core/texts/texts.ts';
import { findVerified } from '../../db/reports/reports.ts';
import { findShared, findSharedPicture, readShared, readSharedFile } from '../../jobs/reports/reports.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { hostedAddress } from '../edge/addresses.ts';
import { askedQuery } from '../edge/fields.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { sendStream } from '../edge/send-stream.ts';
import { textsFor } from './page-language.ts';
import { pageAddress } from './views/addresses.ts';
import { troublePage } from './views/link-states.ts';
import { errorPages, guarded, NEVER_FRAMED, sendPage } from './views/page.ts';
import { reportGonePage, reportPage, reportPreparingPage, verifyPage } from './views/report.ts';

/** Reports for those with whom one is shared, and the page on which anyone verifies one. */
export function reportPages(
  runtime: Pick<Runtime, 'db' | 'keys' | 'now' | 'log'>,
  { mode }: Pick<Config, 'mode'>,
): Router {
  const { db, log } = runtime;
  const simulated = mode === 'sandbox';
  const router = Router({ caseSensitive: true, strict: true });
  // HEAD too: what a reader gets is recorded as a look.
  const get = (path: string, operation: string, handler: RequestHandler) =>
    router.route(path).all(named(operation)).head(refuseMethods('GET')).get(handler).all(refuseMethods('GET'));
  router.use('/report', guarded(NEVER_FRAMED));
  get('/report/verify', 'verifyReport', async (req, res) => {
    const asked = (askedQuery(req).get('report') ?? '').trim().toLowerCase().slice(0, MAX_ASKED);
    const by = DIGEST.test(asked) ? { sha256: asked } : { id: asked };
    const row = asked === '' ? undefined : await findVerified(db, by);
    const found = row && {
      ...{ id: row.id, sha256: row.sha256 ?? '', certificate: row.certificate_sha256 ?? '', at: row.finished_at ?? '' },
    };
    const t = textsFor(req);
    const page = verifyPage(t, reportTextsOf(readLanguage(t.language) ?? 'en'), {
      action: pageAddress(req, 'report/verify'),
      asked,
      found,
    });
    sendPage(res, { ...page, simulated }, NEVER_FRAMED, asked === '' || found ? 200 : 404);
  });
  get('/report/shared/:token', 'sharedReport', async (req, res) => {
    const token = tokenOf(req);
    const { row, viewer, content } = await readShared(runtime, token);
    const t = textsOf(readLanguage(row.language) ?? 'en');
    const words = reportTextsOf(readLanguage(row.language) ?? 'en');
    const below = (path: string) => pageAddress(req, `report/shared/${token}/${path}`);
    const { id, pages, token_expires_at } = row;
    if (!content || pages === null)
      return sendPage(res, { ...reportPreparingPage(t, words, below('state')), simulated }, NEVER_FRAMED);
    const page = reportPage(t, words, {
      ...{ content, viewer, end: token_expires_at ?? '', id, file: below('report.pdf') },
      verify: hostedAddress(req, `report/verify?report=${id}`),
      picture: (...place) => below(`picture/${pictureName(...place)}`),
    });
    sendPage(res, { ...page, simulated }, NEVER_FRAMED);
  });
  get('/report/shared/:token/state', 'sharedReport', async (req, res) => {
    const { status } = await findShared(runtime, tokenOf(req));
    res.json({ state: status });
  });
  get('/report/shared/:token/report.pdf', 'sharedReport', async (req, res) => {
    const { id, file } = await readSharedFile(runtime, tokenOf(req));
    res.set('Content-Disposition', `attachment; filename="report-${id}.pdf"`);
    await sendBytes(res, 'application/pdf', file);
  });
  get('/report/shared/:token/picture/:place', 'sharedReport', async (req, res) => {
    const picture = await findSharedPicture(runtime, tokenOf(req), String(req.params['place']));
    await sendBytes(res, 'image/jpeg', picture);
  });
  const pages = { unknown: reportGonePage, trouble: troublePage, simulated };
  router.use('/report', errorPages(pages, NEVER_FRAMED, log));
  return router;
}

const MAX_ASKED = 64;
const DIGEST = /^[0-9a-f]{64}$/;

function tokenOf(req: Request): string {
  const { token } = req.params;
  return typeof token === 'string' ? token : '';
}

function sendBytes(res: Response, type: string, content: Buffer): Promise<void> {
  res.set({ 'X-Content-Type-Options': 'nosniff', 'Content-Length': String(content.length) }).type(type);
  return sendStream(res, Readable.from([content]));
}
