import { type Request, type RequestHandler, type Response, Router } from 'express';
import { on } from '../../core/errors.ts';
import { type DocumentType, documentTypes } from '../../core/rules/document-types.ts';
import type { Invited } from '../../db/applications/invited.ts';
import { addPiece, arrivedFile, type Holding } from '../../jobs/documents/upload-pieces.ts';
import {
  addUpload,
  listUploads,
  RefusedUpload,
  removeUpload,
  type Uploader,
  type Uploading,
} from '../../jobs/documents/uploads.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { writeJson } from '../edge/write-json.ts';
import { readMultipart } from './read-multipart.ts';
import { texts } from './texts/documents.ts';
import { type DocumentsView, documentsPage } from './views/documents.ts';
import { hostedAddress, NEVER_FRAMED, sendPage } from './views/page.ts';

/** Who may upload behind a link, as long as it is valid. */
export type Guest = Uploader & Pick<Invited, 'landlord' | 'title'>;

interface Place {
  /** The first part of the path of the link. */
  place: 'invitation' | 'onboarding';
  /** @returns undefined while the person may not upload: they have not accepted, or the link has expired @throws NotFound */
  guest(token: string): Promise<Guest | undefined>;
  limitMib: number;
  simulated: boolean;
}

type Fault = NonNullable<DocumentsView['faults']>[number];

/** The page behind a link where its person uploads documents, and works without JavaScript. */
export function documentPages(runtime: Uploading & Holding, { place, guest, limitMib, simulated }: Place): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const linkOf = (req: Request) => hostedAddress(req, `${place}/${req.params['token']}`);
  const admitted =
    (serve: (guest: Guest, req: Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res) => {
      const found = await guest(String(req.params['token']));
      if (found) await serve(found, req, res);
      else res.redirect(303, `${linkOf(req)}#step`);
    };
  const show = async (who: Guest, req: Request, res: Response, faults: readonly Fault[] = [], type?: string) => {
    const [here, back] = [`${linkOf(req)}/documents`, linkOf(req)];
    const view = { landlord: who.landlord, title: who.title, documents: await listUploads(runtime, who), limitMib };
    const first = place === 'invitation' ? ('answer' as const) : ('profile' as const);
    const page = documentsPage({ ...view, first, here, back, faults, type });
    sendPage(res, { ...page, simulated }, NEVER_FRAMED, faults.length > 0 ? 400 : 200);
  };
  const add = admitted(async (who, req, res) => {
    const { faults, type } = await takeFiles(runtime, who, req);
    if (wantsJson(req)) writeJson(res, 200, { faults });
    else if (faults.length > 0) await show(who, req, res, faults, type);
    else res.redirect(303, `${linkOf(req)}/documents#step`);
  });
  const remove = admitted(async (who, req, res) => {
    await removeUpload(runtime, who, String(req.params['document']));
    res.redirect(303, `${linkOf(req)}/documents#step`);
  });
  const addNext = admitted(async (who, req, res) => {
    if (/\b100-continue\b/i.test(req.headers.expect ?? '')) res.writeContinue();
    const ticket = req.get('Upload-Ticket');
    writeJson(res, 200, { ticket: await addPiece(runtime, who, ticket, req, limitMib) });
  });
  router
    .route('/:token/documents/pieces')
    .all(named(`${place}Documents`))
    .post(addNext)
    .all(refuseMethods('POST'));
  router
    .route('/:token/documents')
    .all(named(`${place}Documents`))
    .get(admitted(show))
    .post(add)
    .all(refuseMethods('GET, HEAD, POST'));
  router
    .route('/:token/documents/:document/remove')
    .all(named(`${place}Documents`))
    .post(remove)
    .all(refuseMethods('POST'));
  return router;
}

/** Each file is accepted or refused by itself. @throws ValidationError when the form cannot be read */
async function takeFiles(
  runtime: Uploading & Holding,
  who: Guest,
  req: Request,
): Promise<{ faults: Fault[]; type?: string }> {
  const faults: Fault[] = [];
  let isChosen = false;
  const take = async (name: string, type: DocumentType, content: AsyncIterable<Uint8Array>, replaces?: string) =>
    addUpload(runtime, who, { name, type, content, replaces }).catch(
      on(RefusedUpload, ({ reason }) => void faults.push({ name, message: texts.refused[reason] })),
    );
  const fields = await readMultipart(req, runtime.limits.uploads, async ({ name, content }, sent) => {
    const type = typeIn(sent);
    if (name === '') return;
    isChosen = true;
    if (type) await take(name, type, content, sent.get('replaces'));
  });
  const type = typeIn(fields);
  const ticket = fields.get('ticket');
  if (type && ticket) {
    isChosen = true;
    const { content, remove } = arrivedFile(runtime, who, ticket);
    await take(fields.get('name') ?? '', type, content, fields.get('replaces'));
    await remove();
  }
  if (!type) faults.push({ name: '', message: texts.noType });
  else if (!isChosen) faults.push({ name: '', message: texts.noFile });
  return { faults, ...(type ? { type } : {}) };
}

/** Only the script of the page asks for it. */
function wantsJson(req: Request): boolean {
  return req.get('Accept') === 'application/json';
}

function typeIn(fields: ReadonlyMap<string, string>): DocumentType | undefined {
  return documentTypes.find((known) => known === fields.get('type'));
}
