import { on, ProviderUnavailable } from '../../core/errors.ts';
import type { EnableBankingSettings } from '../../core/settings/bank-settings.ts';
import { sharedAnswers } from '../../core/shared-answers.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { components } from '../../generated/enable-banking.d.ts';
import { accountOf, answers, bookingOf, centsOf } from './enable-banking-answers.ts';
import { type Client, type ClientOptions, createClient } from './enable-banking-client.ts';
import { PeriodRefused, UnusableCode } from './enable-banking-errors.ts';
import { type Bank, type BankProvider, ConsentEnded, type ConsentOutcome } from './port.ts';

/** Banks join and leave seldom. */
const BANKS_KEPT_MS = HOUR_MS;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** ISO 20022: the booked balances, the one of now first. */
const BOOKED = ['ITBD', 'CLBD', 'XPCD', 'OTHR'];

/**
 * Banks in Europe by Enable Banking. A session is a person's consent; its id is the grant.
 * Source: https://enablebanking.com/docs/api/reference/
 */
export function createEnableBanking(settings: EnableBankingSettings, options: ClientOptions = {}): BankProvider {
  const client = createClient(settings, options);
  return {
    name: 'enable-banking',
    countries: settings.countries,
    banks: keptBanks(client),
    async startConsent({ state, callbackUrl, bank, validUntil, language }) {
      const request: components['schemas']['AuthorizationRequest'] = {
        access: { valid_until: validUntil.toISOString(), balances: true, transactions: true },
        aspsp: { name: bank.name, country: bank.country },
        state,
        redirect_url: callbackUrl,
        psu_type: 'personal',
        language,
      };
      const { url } = await client('POST', '/auth', answers.authorization, request);
      if (!/^https?:\/\//.test(url))
        throw new ProviderUnavailable('The provider gave no address to send the person to.');
      return { address: url };
    },
    finishConsent: (params) => finish(client, params),
    async details(_grant, account) {
      const path = `/accounts/${idIn(account.id)}/details`;
      const told = accountOf({ ...(await client('GET', path, answers.account)), uid: account.id });
      return { ...account, ...(told?.iban ? { iban: told.iban } : {}), holder: told?.holder || account.holder };
    },
    async balance(_grant, account) {
      const path = `/accounts/${idIn(account.id)}/balances`;
      const { balances } = await client('GET', path, answers.balances);
      const own = balances.filter(({ balance_amount }) => balance_amount.currency === account.currency);
      const booked = BOOKED.flatMap((type) => own.filter(({ balance_type }) => balance_type === type))[0];
      return booked && centsOf(booked.balance_amount.amount);
    },
    async bookings(_grant, account, from, page) {
      const query = (since: string | undefined) =>
        new URLSearchParams({
          transaction_status: 'BOOK',
          ...(since === undefined ? {} : { date_from: since }),
          ...(page === undefined ? {} : { continuation_key: page }),
        });
      const read = (since: string | undefined) =>
        client('GET', `/accounts/${idIn(account.id)}/transactions?${query(since)}`, answers.transactions);
      // Some banks refuse long periods: their own default then applies.
      const found = await read(from).catch(on(PeriodRefused, () => read(undefined)));
      const bookings = found.transactions.map(bookingOf).filter((booking) => booking !== undefined);
      return { bookings, ...(found.continuation_key ? { next: found.continuation_key } : {}) };
    },
    async endConsent(grant) {
      await client('DELETE', `/sessions/${idIn(grant)}`, answers.nothing).catch(on(ConsentEnded, () => undefined));
    },
    async check() {
      const { active } = await client('GET', '/application', answers.application);
      if (!active) throw new ProviderUnavailable('The application is not active yet.');
    },
  };
}

async function finish(client: Client, params: URLSearchParams): Promise<ConsentOutcome> {
  const code = params.get('code');
  if (!code) {
    const error = params.get('error') ?? '';
    if (error === 'access_denied') return { state: 'refused', reason: 'The person did not consent.' };
    return { state: 'failed', reason: `The bank returned no code${/^\w{1,40}$/.test(error) ? ` (${error})` : ''}.` };
  }
  try {
    const { session_id, accounts } = await client('POST', '/sessions', answers.session, { code });
    return {
      state: 'granted',
      grant: session_id,
      accounts: accounts.map(accountOf).filter((one) => one !== undefined),
    };
  } catch (error) {
    if (error instanceof UnusableCode || error instanceof ConsentEnded)
      return { state: 'failed', reason: error.message };
    throw error;
  }
}

function keptBanks(client: Client): BankProvider['banks'] {
  const shared = sharedAnswers<Bank[]>(BANKS_KEPT_MS);
  const ask = async (country: string) => {
    const query = new URLSearchParams({ country, psu_type: 'personal', service: 'AIS' });
    const { aspsps } = await client('GET', `/aspsps?${query}`, answers.banks);
    return aspsps.map(({ name }) => ({ name, country })).sort((one, other) => one.name.localeCompare(other.name, 'en'));
  };
  return (country) => shared(country, () => ask(country));
}

/** An id from an answer becomes part of a path. @throws ProviderUnavailable */
function idIn(id: string): string {
  if (!UUID.test(id)) throw new ProviderUnavailable('The provider gave an invalid id.');
  return id;
}
