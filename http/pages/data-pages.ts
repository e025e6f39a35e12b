import { Router } from 'express';
import { askToBeErased, copyOwnData, findOwnData, withdrawErasure } from '../../jobs/privacy/own-data.ts';
import type { Runtime } from '../../jobs/runtime.ts';
import { type CopyTurns, copyTurns, readInTurns } from '../edge/copy-turns.ts';
import { readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { named } from '../edge/request-log.ts';
import { sendStream } from '../edge/send-stream.ts';
import { admitting, alsoRemoved, type LinkPlace, linkTo } from './link-place.ts';
import { textsFor } from './page-language.ts';
import { dataPage } from './views/data.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';

/** Copies that are open at once: by all people, by those of one API key, and by one. */
const OPEN = {
  ...{ atOnce: 1_000, ofOneParty: 500, ofOnePerson: 1 },
  waits: { at: 'copies', maxWaiting: 100, waitMs: 10_000 },
} as const;
export const copyTurnsOfPeople = () => copyTurns(OPEN);

/** The page where the recipient of a link, removed or not, sees what the landlord holds, downloads a copy and asks for erasure. */
export function dataPages(
  runtime: Pick<Runtime, 'db' | 'providers' | 'keys' | 'now'>,
  links: LinkPlace,
  turns: CopyTurns,
): Router {
  const { place, simulated } = links;
  const admitted = admitting(alsoRemoved(links), ({ isExpired }) => !isExpired);
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
    turns.open.run(async () => {
      const content = await turns.work(() => copyOwnData(runtime, who));
      res.set({ 'Content-Disposition': `attachment; filename="${textsFor(req).text('data.file')}"` }).type('zip');
      await sendStream(res, readInTurns(content, turns)).finally(() => content.destroy());
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
