import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Invited } from '../../db/applications/invited.ts';
import {
  askToBeErased,
  copyOwnData,
  type DataSubject,
  findOwnData,
  withdrawErasure,
} from '../../jobs/privacy/own-data.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { sendStream } from '../edge/send-stream.ts';
import { type FairCopies, readInTurns } from './fair-copies.ts';
import { textsFor } from './page-language.ts';
import { pageAddress } from './views/addresses.ts';
import { dataPage } from './views/data.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';

/** The person whose data is behind a link, until it expires. */
export type Subject = DataSubject & Pick<Invited, 'landlord' | 'title' | 'brand' | 'contact'>;

interface Place {
  /** The first part of the path of the link. */
  place: 'invitation' | 'onboarding';
  /** @returns undefined once the link has expired @throws NotFound */
  subject(token: string): Promise<Subject | undefined>;
  copies: FairCopies;
  simulated: boolean;
}

/** The page where the recipient of a link sees what the landlord holds, downloads a copy and asks for erasure. */
export function dataPages(
  runtime: Pick<Runtime, 'db' | 'providers' | 'keys' | 'now'>,
  { place, subject, copies, simulated }: Place,
): Router {
  const linkTo = (req: Request, below = '') => pageAddress(req, `${place}/${req.params['token']}${below}`);
  const admitted =
    (serve: (who: Subject, req: Request, res: Response) => Promise<void>): RequestHandler =>
    async (req, res) => {
      const found = await subject(String(req.params['token']));
      if (found) await serve(found, req, res);
      else res.redirect(303, linkTo(req, '#step'));
    };
  const show = admitted(async (who, req, res) => {
    const links = {
      copy: linkTo(req, '/data/copy'),
      erasure: linkTo(req, '/data/erasure'),
      withdrawal: linkTo(req, '/data/erasure/withdraw'),
      back: linkTo(req),
    };
    const page = dataPage(textsFor(req), { ...who, ...(await findOwnData(runtime, who)), ...links });
    sendPage(res, { ...page, simulated }, NEVER_FRAMED);
  });
  const copy = admitted((who, req, res) =>
    copies.run(async (inTurn) => {
      const content = await inTurn(() => copyOwnData(runtime, who));
      res.set({ 'Content-Disposition': `attachment; filename="${textsFor(req).text('data.file')}"` }).type('zip');
      await sendStream(res, readInTurns(content, inTurn)).finally(() => content.destroy());
    }),
  );
  const ask = admitted(async (who, req, res) => {
    await askToBeErased(runtime, who);
    res.redirect(303, linkTo(req, '/data#step'));
  });
  const withdraw = admitted(async (who, req, res) => {
    await withdrawErasure(runtime, who);
    res.redirect(303, linkTo(req, '/data#step'));
  });
  const router = Router({ caseSensitive: true, strict: true });
  const route = (path: string) => router.route(`/:token/data${path}`).all(named(`${place}Data`));
  route('').get(show).all(refuseMethods('GET, HEAD'));
  route('/copy').post(readForm, copy).all(refuseMethods('POST'));
  route('/erasure').post(readForm, ask).all(refuseMethods('POST'));
  route('/erasure/withdraw').post(readForm, withdraw).all(refuseMethods('POST'));
  return router;
}
