import { ProviderUnavailable } from '../../core/errors.ts';
import { type Clock, HOUR_MS } from '../../core/time.ts';
import { type Bank, type BankProvider, ConsentEnded } from '../banking/port.ts';
import {
  type BankScenario,
  isBankScenario,
  scenarioAccounts,
  scenarioBalance,
  scenarioBookings,
} from './bank-scenarios.ts';

const BANKS = ['Banco de Ejemplo', 'Sample Savings Bank'];
const COUNTRIES = ['ES', 'DE', 'FR', 'PT'];
/** Small, so that paging is rehearsed. */
const BOOKINGS_A_PAGE = 10;
/** How long the bank of the scenario `down` stays away after the consent. */
const DOWN_MS = HOUR_MS;

interface Grant {
  scenario: BankScenario;
  holder: string;
  since: number;
}

/** A simulated bank: the tester signs in on a page and chooses what the bank holds, or refuses there. */
export function createSandboxBank({ pageUrl, now }: { pageUrl: () => string; now: Clock }): BankProvider {
  const open = (grant: string): Grant => {
    const opened: Grant = JSON.parse(grant);
    if (opened.scenario === 'expired') throw new ConsentEnded('The simulated consent has expired.');
    if (opened.scenario === 'down' && now().getTime() - opened.since < DOWN_MS)
      throw new ProviderUnavailable('The simulated bank is down.');
    return opened;
  };
  return {
    name: 'sandbox',
    countries: COUNTRIES,
    banks: async (country) => BANKS.map((name): Bank => ({ name, country })),
    startConsent: async ({ state, bank }) => ({
      address: `${pageUrl()}?${new URLSearchParams({ state, bank: bank.name })}`,
    }),
    finishConsent: async (params, { holder }) => {
      const scenario = params.get('code');
      if (!isBankScenario(scenario)) return { state: 'refused', reason: 'The person did not consent.' };
      const grant: Grant = { scenario, holder, since: now().getTime() };
      const shown = scenario === 'down' ? 'salary' : scenario;
      return { state: 'granted', grant: JSON.stringify(grant), accounts: scenarioAccounts(shown, holder) };
    },
    details: async (grant, account) => {
      open(grant);
      return account;
    },
    balance: async (grant, { id }) => scenarioBalance(open(grant).scenario, id),
    bookings: async (grant, account, from, page = '0') => {
      const { scenario, holder } = open(grant);
      const all = scenarioBookings(scenario, account, holder, from, now());
      const end = Number(page) + BOOKINGS_A_PAGE;
      return { bookings: all.slice(Number(page), end), ...(end < all.length ? { next: String(end) } : {}) };
    },
    endConsent: async () => {},
  };
}
