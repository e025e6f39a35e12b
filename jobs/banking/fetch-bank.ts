import { ProviderUnavailable } from '../../core/errors.ts';
import type { AccountStatement, BankAccount, BankStatement, Booking } from '../../core/rules/bank-statement.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import {
  type BankConnectionRow,
  changeBankConnection,
  consented,
  endBankConnection,
  findBankConnection,
} from '../../db/banking/bank-connections.ts';
import { dueAt } from '../../db/work/work.ts';
import { type BankProvider, ConsentEnded } from '../../providers/banking/port.ts';
import type { Ending } from '../../queue/lane-policy.ts';
import type { Runtime } from '../runtime.ts';
import { type Memory, openMemory, sealStatement } from './memory.ts';

type Fetching = Pick<Runtime, 'db' | 'providers' | 'keys' | 'bankHistoryDays' | 'now'>;

/** A bank account has some hundred bookings in half a year. */
const MAX_BOOKINGS = 3_000;
const MAX_PAGES = 200;

/**
 * Brings a due connection forward:
 * 1. `fetching`: reads the chosen accounts, ends the consent at the provider, and stores what was read for the person to look at;
 * 2. `ending`: ends the consent at the provider, and then the connection;
 * 3. `returning`: the return was not finished, and the connection has failed: the same as 2;
 * 4. anything else is due because it has expired: the same as 2.
 * While the provider or the bank cannot answer, it is retried until the connection expires; the consent then ends there on its own.
 */
export async function fetchBank(runtime: Fetching, id: string): Promise<Ending> {
  const { db, providers, now } = runtime;
  const row = await findBankConnection(db, id);
  if (!row || row.finished_at !== null) return 'nothing';
  const { bank } = providers;
  const isOver = row.expires_at <= now().toISOString();
  if (bank?.name !== row.provider) {
    await end(runtime, row, 'failed', 'It was begun with another provider.');
    return 'nothing';
  }
  const memory = openMemory(row, runtime);
  try {
    if (row.status !== 'fetching' || isOver || !memory?.grant)
      return await endAtProvider(runtime, bank, row, memory, isOver);
    await readAndEnd(runtime, bank, row, memory);
    return 'success';
  } catch (error) {
    if (error instanceof ConsentEnded) {
      await end(runtime, row, 'failed', error.message);
      return 'success';
    }
    if (!(error instanceof ProviderUnavailable) || !isOver) throw error;
    await end(runtime, row, row.ends_as ?? 'failed', error.message);
    return 'failure';
  }
}

async function end(
  { db, now }: Fetching,
  row: BankConnectionRow,
  status: NonNullable<BankConnectionRow['ends_as']>,
  failure?: string,
): Promise<void> {
  await endBankConnection(db, row, { status, ...(failure === undefined ? {} : { failure }) }, now());
}

async function endAtProvider(
  runtime: Fetching,
  bank: BankProvider,
  row: BankConnectionRow,
  memory: Memory | undefined,
  isOver: boolean,
): Promise<Ending> {
  const mayBeOpen = row.status === 'ending' || consented.includes(row.status);
  const grant = mayBeOpen ? memory?.grant : undefined;
  if (grant) await bank.endConsent(grant);
  if (row.ends_as !== null || isOver) await end(runtime, row, row.ends_as ?? 'expired');
  else await end(runtime, row, 'failed', 'The return from the bank was not finished.');
  return grant ? 'success' : 'nothing';
}

/** The consent ends as soon as everything is read. When ending it fails, all of it is repeated: nothing is kept of an open consent. */
async function readAndEnd(runtime: Fetching, bank: BankProvider, row: BankConnectionRow, memory: Memory) {
  const { db, now, bankHistoryDays } = runtime;
  const { grant = '', accounts = [], chosen = [] } = memory;
  const fetchedAt = now().toISOString();
  const from = isoAfter(now(), -bankHistoryDays * DAY_MS).slice(0, 10);
  const read: AccountStatement[] = [];
  for (const account of accounts.filter(({ id }) => chosen.includes(id)))
    read.push(await readAccount(bank, grant, account, from));
  await bank.endConsent(grant);
  const statement: BankStatement = {
    bank: row.bank,
    country: row.country,
    from: read.flatMap(({ bookings }) => bookings[0]?.day ?? []).sort()[0] ?? from,
    to: fetchedAt.slice(0, 10),
    fetchedAt,
    accounts: read,
  };
  await changeBankConnection(db, row, {
    status: 'fetched',
    sealed_memory: null,
    sealed_statement: sealStatement(statement, runtime),
    ...dueAt(row.expires_at),
  });
}

async function readAccount(
  bank: BankProvider,
  grant: string,
  listed: BankAccount,
  from: string,
): Promise<AccountStatement> {
  const account = await bank.details(grant, listed);
  // Some banks tell no balance of some accounts.
  const closingCents = await bank.balance(grant, account);
  const bookings: Booking[] = [];
  let page: string | undefined;
  let pages = 0;
  do {
    const found = await bank.bookings(grant, account, from, page);
    bookings.push(...found.bookings);
    page = found.next;
    pages += 1;
  } while (page !== undefined && bookings.length < MAX_BOOKINGS && pages < MAX_PAGES);
  const isCut = page !== undefined || bookings.length > MAX_BOOKINGS;
  return {
    account,
    ...(closingCents === undefined ? {} : { closingCents }),
    bookings: bookings.slice(0, MAX_BOOKINGS).sort((one, other) => one.day.localeCompare(other.day)),
    ...(isCut ? { isCut: true } : {}),
  };
}
