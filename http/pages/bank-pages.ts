import { type Request, type Response, Router } from 'express';
import { Conflict, on, ProviderUnavailable } from '../../core/errors.ts';
import type { Config } from '../../core/settings/config.ts';
import { bankOf, type Connecting, startConnection } from '../../jobs/banking/connections.ts';
import { handIn } from '../../jobs/banking/hand-in.ts';
import { chooseAccounts, findConnections, withdraw } from '../../jobs/banking/own-connections.ts';
import type { LinkHolder } from '../../jobs/invitations/consent.ts';
import { askedQuery } from '../edge/fields.ts';
import { formOf, readForm } from '../edge/form.ts';
import { refuseMethods } from '../edge/on-error.ts';
import { pathText } from '../edge/path-text.ts';
import { named } from '../edge/request-log.ts';
import { bankAgreement } from './agreement-lines.ts';
import { bankCookie } from './bank-return.ts';
import { admitting, type LinkPlace, linkTo, mayUpload, tokenOf } from './link-place.ts';
import { textsFor } from './page-language.ts';
import { asText, isOf } from './views/agreement.ts';
import { type BankFault, bankPage } from './views/bank.ts';
import { NEVER_FRAMED, sendPage } from './views/page.ts';

type BankConfig = Pick<Config, 'banking' | 'retention'>;

/** The page where the recipient of a link connects their bank, looks at what it sent, hands it in, and withdraws. */
export function bankPages(runtime: Connecting, links: LinkPlace, config: BankConfig): Router {
  const { place, simulated } = links;
  const admitted = admitting(links, mayUpload);
  const show = async (who: LinkHolder, req: Request, res: Response, fault?: BankFault) => {
    const t = textsFor(req);
    const provider = bankOf(runtime);
    const asked = formOf(req).get('country') ?? askedQuery(req).get('country');
    const country = provider.countries.find((one) => one === asked) ?? provider.countries[0] ?? '';
    const banks = await provider.banks(country).catch(on(ProviderUnavailable, () => undefined));
    const page = bankPage(t, {
      ...who,
      ...(await findConnections(runtime, who)),
      country,
      isChoosing: asked !== null,
      countries: provider.countries,
      banks: banks ?? [],
      fault: banks ? fault : 'away',
      agreement: bankAgreement(t, who, { ...config, days: runtime.bankHistoryDays }),
      here: linkTo(links, req, '/bank'),
      to: (id, action) => linkTo(links, req, `/bank/${id}/${action}`),
      documents: linkTo(links, req, '/documents'),
    });
    sendPage(res, { ...page, simulated, leadsAway: true }, NEVER_FRAMED, fault === undefined ? 200 : 400);
  };
  const start = admitted(async (who, req, res) => {
    const sent = formOf(req);
    const t = textsFor(req);
    const lines = bankAgreement(t, who, { ...config, days: runtime.bankHistoryDays });
    const country = sent.get('country') ?? '';
    const provider = bankOf(runtime);
    const known = provider.countries.includes(country) ? await banksOf(provider.banks(country)) : [];
    const bank = known?.find(({ name }) => name === sent.get('bank'));
    if (!known) return show(who, req, res, 'away');
    if (!bank) return show(who, req, res, 'no-bank');
    if (!isOf(sent, lines)) return show(who, req, res, 'changed');
    const back = `${runtime.publicUrl()}/${place}/${tokenOf(req)}/bank?lang=${t.language}`;
    const consent = { bank, agreedTo: asText(lines), back, language: t.language, name: who.name };
    const started = await startConnection(runtime, who, consent).catch(refusal);
    if (typeof started === 'string') return show(who, req, res, started);
    const { name, options } = bankCookie(runtime);
    res.cookie(name, started.browser, options);
    res.redirect(303, started.address);
  });
  const act = (work: (who: LinkHolder, id: string, sent: URLSearchParams) => Promise<BankFault | undefined>) =>
    admitted(async (who, req, res) => {
      const fault = await work(who, pathText(req, 'connection'), formOf(req));
      if (fault) await show(who, req, res, fault);
      else res.redirect(303, linkTo(links, req, '/bank#step'));
    });
  const actions = {
    accounts: act(async (who, id, sent) =>
      (await chooseAccounts(runtime, who, id, sent.getAll('account'))) ? undefined : 'no-account',
    ),
    'hand-in': act(async (who, id) => void (await handIn(runtime, who, id))),
    withdraw: act(async (who, id) => void (await withdraw(runtime, who, id))),
  };
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/:token/bank')
    .all(named(`${place}Bank`))
    .get(admitted((who, req, res) => show(who, req, res)))
    .post(readForm, start)
    .all(refuseMethods('GET, HEAD, POST'));
  for (const [action, handler] of Object.entries(actions))
    router
      .route(`/:token/bank/:connection/${action}`)
      .all(named(`${place}Bank`))
      .post(readForm, handler)
      .all(refuseMethods('POST'));
  return router;
}

function banksOf<Found>(found: Promise<Found>): Promise<Found | undefined> {
  return found.catch(on(ProviderUnavailable, () => undefined));
}

function refusal(error: unknown): BankFault {
  if (error instanceof ProviderUnavailable) return 'away';
  if (error instanceof Conflict) return 'many';
  throw error;
}
