import type { AccountStatement } from '../../core/rules/bank-statement.ts';
import { NO_SETTINGS } from '../../core/rules/landlord-settings.ts';
import type { Texts } from '../../core/texts/texts.ts';
import type { BankConnectionRow, BankStatus } from '../../db/banking/bank-connections.ts';
import { bankAgreement } from '../../http/pages/agreement-lines.ts';
import { bankPage } from '../../http/pages/views/bank.ts';
import { bankRefusedPage, bankUnknownPage, simulatedBankPage } from '../../http/pages/views/bank-return.ts';
import type { UnmarkedPage } from '../../http/pages/views/page.ts';
import type { OwnConnection } from '../../jobs/banking/own-connections.ts';
import { scenarioAccounts, scenarioBookings } from '../../providers/sandbox/bank-scenarios.ts';
import { CONTACT, NO_BRAND } from './gallery-links.ts';

const NOW = new Date('2026-11-28T10:00:00Z');

function row(status: BankStatus, bank: string): BankConnectionRow {
  const moment = NOW.toISOString();
  const work = {
    due_at: null,
    leased_by: null,
    correlation_id: null,
    failures: 0,
    expiries: 0,
    failure: null,
    finished_at: null,
  };
  const agreed = { agreed_at: moment, agreed_to: '', created_at: moment, expires_at: moment };
  const nothing = { ends_as: null, state_hash: null, browser_hash: null, sealed_memory: null, sealed_statement: null };
  const of = { id: 'one', tenant_id: '', api_key_id: '', participant_id: '', provider: 'sandbox', document_id: null };
  return { ...work, ...agreed, ...nothing, ...of, status, bank, country: 'ES' };
}

/** The pages of a bank connection, in every state. @param name a name too long for a phone */
export function bankPagesFor(t: Texts, name: string): Record<string, UnmarkedPage> {
  const requester = {
    landlord: 'Casa Clara',
    brand: NO_BRAND,
    contact: CONTACT,
    periods: NO_SETTINGS,
    isGuarantor: false,
    title: 'Flat on Calle de Alcalá 42, third floor',
  };
  const accounts = scenarioAccounts('two-accounts', name);
  const told: AccountStatement[] = accounts.map((account) => ({
    account,
    closingCents: 184_210,
    bookings: scenarioBookings('two-accounts', account, 'Marta Ruiz', '2026-06-01', NOW),
  }));
  const statement = { bank: name, country: 'ES', from: '2026-06-01', to: '2026-11-28', fetchedAt: '', accounts: told };
  const connection = (status: BankStatus, bank = 'Banco de Ejemplo'): OwnConnection => ({
    row: row(status, bank),
    accounts,
    statement,
  });
  const view = {
    ...requester,
    country: 'ES',
    countries: ['ES', 'DE'],
    banks: [{ name, country: 'ES' }],
    fault: undefined,
    isChoosing: false,
    agreement: bankAgreement(t, requester, {
      banking: { provider: 'sandbox', historyDays: 180 },
      retention: {},
      days: 180,
    }),
    here: '#',
    to: () => '#',
    documents: '#',
    handedIn: [],
  };
  const page = (status: BankStatus, bank?: string) => {
    const shown = bankPage(t, { ...view, latest: connection(status, bank) });
    return shown.moves ? { ...shown, moves: { seconds: 9999 } } : shown;
  };
  return {
    bank: bankPage(t, { ...view, latest: undefined }),
    'bank-wrong': bankPage(t, { ...view, latest: undefined, banks: [], fault: 'away' }),
    'bank-accounts': page('choosing', name),
    'bank-reading': page('fetching'),
    'bank-ending': page('ending'),
    'bank-fetched': page('fetched'),
    'bank-failed': page('failed'),
    'bank-open': page('pending', name),
    'bank-handed': bankPage(t, { ...view, latest: undefined, handedIn: [connection('handed', name)] }),
    'bank-simulated': simulatedBankPage(t, name, 'state'),
    'bank-refused': bankRefusedPage(t),
    'bank-unknown': bankUnknownPage(t),
  };
}
