import { Router } from 'express';
import { askToBeErased, copyOwnData, findOwnData, withdrawErasure } from '../../jobs/privacy/own-data.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { sendStream } from '../edge/send-stream.ts';
import { type FairCopies, readInTurns } from './fair-copies.ts';
import { admitting, type LinkPlace, linkTo } from './link-place.ts';
import { textsFor } from './page-language.ts';
import { dataPage } from './views/data.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';

/** The page where the recipient of a link sees what the landlord holds, downloads a copy and asks for erasure. */
export function dataPages(
  runtime: Pick<Runtime, 'db' | 'providers' | 'keys' | 'now'>,
  links: LinkPlace,
  copies: FairCopies,
): Router {
  const { place, simulated } = links;
  const admitted = admitting(links, ({ isExpired }) => !isExpired);
  const show = admitted(async (who, req, res) => {
    const addresses = {
      copy: linkTo(links, req, '/data/copy'),
      erasure: linkTo(links, req, '/data/erasure'),
      withdrawal: linkTo(links, req, '/data/erasure/withdraw'),
      back: linkTo(links, req),
    };
    const page = dataPage(textsFor(req), { ...who, ...(await findOwnData(runtime, who)), ...addresses });
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
    res.redirect(303, linkTo(links, req, '/data#step'));
  });
  const withdraw = admitted(async (who, req, res) => {
    await withdrawErasure(runtime, who);
    res.redirect(303, linkTo(links, req, '/data#step'));
  });
  const router = Router({ caseSensitive: true, strict: true });
  const route = (path: string) => router.route(`/:token/data${path}`).all(named(`${place}Data`));
  route('').get(show).all(refuseMethods('GET, HEAD'));
  route('/copy').post(readForm, copy).all(refuseMethods('POST'));
  route('/erasure').post(readForm, ask).all(refuseMethods('POST'));
  route('/erasure/withdraw').post(readForm, withdraw).all(refuseMethods('POST'));
  return router;
}
