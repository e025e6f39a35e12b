import { type Request, type Response, Router } from 'express';
import { NotFound, on, ProviderUnavailable, ValidationError } from '../../core/errors.ts';
import { type DocumentType, documentTypes } from '../../core/rules/document-types.ts';
import { answersOn } from '../../core/rules/upload-answers.ts';
import { isoDay } from '../../core/time.ts';
import { readThumbnail } from '../../jobs/documents/glances.ts';
import { bringBackUpload, changeKind, listRemovedUploads, removeUpload } from '../../jobs/documents/removed-uploads.ts';
import { addPiece, finishUpload, type Holding } from '../../jobs/documents/upload-pieces.ts';
import { addUpload, RefusedUpload, type Uploading } from '../../jobs/documents/uploads.ts';
import type { LinkHolder } from '../../jobs/invitations/consent.ts';
import { findProgress } from '../../jobs/invitations/progress.ts';
import { UnacceptableDocument } from '../../providers/documents/port.ts';
import { bodyStream } from '../edge/body-stream.ts';
import { discardUpTo } from '../edge/bounded-body.ts';
import { formOf, readForm } from '../edge/form.ts';
import { readMultipart } from '../edge/multipart.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { pathText } from '../edge/path-text.ts';
import { named } from '../edge/request-log.ts';
import { writeJson } from '../edge/write-json.ts';
import { admitting, type LinkPlace, linkTo, mayUpload, tokenOf } from './link-place.ts';
import { textsFor } from './page-language.ts';
import { answersIn } from './views/answers.ts';
import { type DocumentsView, documentsPage } from './views/documents.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';

interface Documents {
  limitMib: number;
  /** Whether people may connect their bank. */
  hasBanks: boolean;
  /** The address at which a phone continues with the link of this token. */
  phoneAddress(token: string): string;
}

const MIB = 1024 * 1024;
/** Tickets of resumable uploads are the longest. */
const MAX_FIELD_BYTES = 16 * 1024;
/** When to try again after the document store or the virus scanner did not answer. */
const AWAY_SECONDS = '60';

type Fault = NonNullable<DocumentsView['faults']>[number];

/** The page where the recipient of a link uploads documents. Works without JavaScript. */
export function documentPages(
  runtime: Uploading & Holding,
  links: LinkPlace,
  { limitMib, hasBanks, phoneAddress }: Documents,
): Router {
  const { place, simulated } = links;
  const router = Router({ caseSensitive: true, strict: true });
  const admitted = admitting(links, mayUpload);
  const show = async (
    who: LinkHolder,
    req: Request,
    res: Response,
    faults: readonly Fault[] = [],
    type?: string,
    status = 400,
  ) => {
    const addresses = {
      here: linkTo(links, req, '/documents'),
      pieces: linkTo(links, req, '/documents/pieces'),
      below: (id: string, what: string) => linkTo(links, req, `/documents/${id}/${what}`),
      back: linkTo(links, req),
      ...(hasBanks ? { bank: linkTo(links, req, '/bank') } : {}),
    };
    const { landlord, title, brand, contact } = who;
    const [progress, removed] = await Promise.all([
      findProgress(runtime, who, place),
      listRemovedUploads(runtime, who),
    ]);
    const phone = phoneAddress(tokenOf(req));
    const shown = { removed, most: runtime.limits.uploads, today: isoDay(runtime.now()) };
    const view = { landlord, title, brand, contact, limitMib, progress, phone, ...shown, ...addresses, faults, type };
    const page = documentsPage(textsFor(req), view);
    sendPage(res, { ...page, simulated }, NEVER_FRAMED, faults.length > 0 ? status : 200);
  };
  const add = admitted(async (who, req, res) => {
    const { faults, type, added, isAway } = await takeFiles(runtime, who, req);
    if (isAway) res.set('Retry-After', AWAY_SECONDS);
    // The page's script sends it again: the pieces have been kept.
    if (wantsJson(req)) writeJson(res, isAway ? 503 : 200, { faults, answers: await answersFor(added, who, req) });
    else if (faults.length > 0) await show(who, req, res, faults, type, isAway ? 503 : 400);
    else res.redirect(303, linkTo(links, req, '/documents#step'));
  });
  /** What was added stays added: a failure here must not look like one of the upload, which the person would repeat. */
  const answersFor = (added: readonly string[], who: LinkHolder, req: Request) =>
    findAnswers(added, who, req).catch((err: unknown) => {
      runtime.log.warn({ err }, 'answers about new documents not found');
      return [];
    });
  const findAnswers = async (added: readonly string[], who: LinkHolder, req: Request) => {
    if (added.length === 0) return [];
    const { documents, wanted } = await findProgress(runtime, who, place);
    const asked = { wanted, today: isoDay(runtime.now()) };
    const own = documents.filter(({ id }) => added.includes(id));
    return own.flatMap((document) => answersIn(textsFor(req), answersOn(document, documents, asked)));
  };
  /** An action on one document, after which the page shows its outcome. */
  const acting = (act: (who: LinkHolder, id: string, req: Request) => Promise<void>) =>
    admitted(async (who, req, res) => {
      const refused = await act(who, pathText(req, 'document'), req).then(
        () => undefined,
        on(RefusedUpload, ({ reason }) => reason),
      );
      if (!refused) return res.redirect(303, linkTo(links, req, '/documents#step'));
      await show(who, req, res, [{ name: '', message: textsFor(req).text(`documents.refused.${refused}`) }]);
    });
  const change = acting(async (who, id, req) => {
    const type = typeIn(formOf(req));
    if (type) await changeKind(runtime, who, id, type);
  });
  const picture = admitted(async (who, req, res) => {
    const png = await readThumbnail(runtime, who, pathText(req, 'document'));
    if (!png) throw new NotFound('Document');
    res.type('png').send(png);
  });
  const addNext = admitted(async (who, req, res) => {
    if (/\b100-continue\b/i.test(req.headers.expect ?? '')) res.writeContinue();
    const ticket = req.get('Upload-Ticket');
    const declared = req.get('Content-Length');
    const piece = { sizeBytes: declared === undefined ? undefined : Number(declared), content: bodyOf(req) };
    const next = await addPiece(runtime, who, ticket, piece, limitMib).catch(
      on(UnacceptableDocument, ({ message }) => {
        throw new ValidationError([], message);
      }),
    );
    writeJson(res, 200, { ticket: next });
  });
  // Before the link is looked up: an upload behind a link that has expired is answered, too.
  router.use('/:token/documents', (req, _res, next) => {
    discardUpTo(req, runtime.limits.uploads * limitMib * MIB);
    next();
  });
  router
    .route('/:token/documents/pieces')
    .all(named(`${place}Documents`))
    .post(addNext)
    .all(refuseMethods('POST'));
  router
    .route('/:token/documents')
    .all(named(`${place}Documents`))
    .get(admitted((who, req, res) => show(who, req, res)))
    .post(add)
    .all(refuseMethods('GET, HEAD, POST'));
  const onDocument = (what: string) =>
    router.route(`/:token/documents/:document/${what}`).all(named(`${place}Documents`));
  onDocument('remove')
    .post(acting((who, id) => removeUpload(runtime, who, id)))
    .all(refuseMethods('POST'));
  onDocument('restore')
    .post(acting((who, id) => bringBackUpload(runtime, who, id)))
    .all(refuseMethods('POST'));
  onDocument('kind').post(readForm, change).all(refuseMethods('POST'));
  onDocument('picture').get(picture).all(refuseMethods('GET, HEAD'));
  return router;
}

/** @throws ValidationError when it ends early */
async function* bodyOf(req: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* bodyStream(req);
  } catch {
    throw new ValidationError([], 'The piece ends early.');
  }
}

/** Each file is accepted or refused on its own. @throws ValidationError when the form cannot be read */
async function takeFiles(
  runtime: Uploading & Holding,
  who: LinkHolder,
  req: Request,
): Promise<{ faults: Fault[]; type?: string; added: string[]; isAway: boolean }> {
  const t = textsFor(req);
  const faults: Fault[] = [];
  const added: string[] = [];
  let [isChosen, isAway] = [false, false];
  let turn: Promise<unknown> = Promise.resolve();
  const taking = (name: string, work: Promise<string>): Promise<void> => {
    const refused = on(RefusedUpload, ({ reason }) => {
      faults.push({ name, message: t.text(`documents.refused.${reason}`) });
    });
    const away = on(ProviderUnavailable, (err) => {
      runtime.log.error({ err }, 'request failed');
      isAway = true;
      faults.push({ name, message: t.text('documents.refused.away') });
    });
    const taken = work
      .then((id) => void added.push(id))
      .catch(refused)
      .catch(away);
    turn = taken.catch(() => {});
    return taken;
  };
  const replacedIn = (sent: URLSearchParams) => sent.get('replaces') ?? undefined;
  if (/\b100-continue\b/i.test(req.headers.expect ?? '')) req.res?.writeContinue();
  const { headers } = req;
  const form = { headers, content: req, files: runtime.limits.uploads, fieldBytes: MAX_FIELD_BYTES };
  const fields = await readMultipart(form, async ({ name, content }, sent) => {
    const type = typeIn(sent);
    if (name === '') return;
    isChosen = true;
    if (type) await taking(name, addUpload(runtime, who, { name, type, content, turn, replaces: replacedIn(sent) }));
  });
  const type = typeIn(fields);
  const ticket = fields.get('ticket');
  if (type && ticket) {
    isChosen = true;
    const name = fields.get('name') ?? '';
    await taking(name, finishUpload(runtime, who, ticket, { name, type, replaces: replacedIn(fields) }));
  }
  if (!type) faults.push({ name: '', message: t.text('documents.no-type') });
  else if (!isChosen) faults.push({ name: '', message: t.text('documents.no-file') });
  return { faults, added, isAway, ...(type ? { type } : {}) };
}

/** Only the page's script requests it. */
function wantsJson(req: Request): boolean {
  return req.get('Accept') === 'application/json';
}

function typeIn(fields: URLSearchParams): DocumentType | undefined {
  return documentTypes.find((known) => known === fields.get('type'));
}
