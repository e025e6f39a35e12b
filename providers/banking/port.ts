import type { BankAccount, Booking } from '../../core/rules/bank-statement.ts';

/** Port of banking connectivity: a person consents at their bank, their accounts are read once, and the consent ends. */

export interface Bank {
  name: string;
  /** ISO 3166, two letters. */
  country: string;
}

/** One redirect of a person to their bank. */
export interface ConsentRequest {
  /** Unguessable and single-use; the bank's redirect returns it. */
  state: string;
  /** Our callback address, the same for everyone: providers want it registered. */
  callbackUrl: string;
  bank: Bank;
  /** The consent ends at the bank by then, even if nothing else ends it. */
  validUntil: Date;
  /** Two letters, of the person's pages. */
  language: string;
  /** Only a simulated bank uses it. */
  holder: string;
}

/** `grant` opens the accounts, and stays encrypted until the consent ends. */
export type ConsentOutcome =
  | { state: 'granted'; grant: string; accounts: BankAccount[] }
  /** The person did not consent. */
  | { state: 'refused'; reason: string }
  | { state: 'failed'; reason: string };

export interface BookingsPage {
  bookings: Booking[];
  /** Continues with the next page; absent on the last. */
  next?: string;
}

/** The consent has ended: it expired, or was ended at the bank. Nothing more can be read with it. */
export class ConsentEnded extends Error {}

/** Calls throw ProviderUnavailable while the provider or the bank cannot answer: nothing was decided, and a retry may succeed. */
export interface BankProvider {
  /** As for KYC. */
  readonly name: string;
  /** The countries in which banks can be chosen. */
  readonly countries: readonly string[];
  /** By name. Callers at the same time share one call for each country, so none waits for a turn at the provider. */
  banks(country: string): Promise<Bank[]>;
  /** Where to send the person. Harmless to repeat. */
  startConsent(request: ConsentRequest): Promise<{ address: string }>;
  /** @param params the query of the callback, whose state was checked */
  finishConsent(params: URLSearchParams, request: Pick<ConsentRequest, 'bank' | 'holder'>): Promise<ConsentOutcome>;
  /** The account with what only its details tell. @throws ConsentEnded */
  details(grant: string, account: BankAccount): Promise<BankAccount>;
  /** The booked balance now; undefined when the bank does not tell. @throws ConsentEnded */
  balance(grant: string, account: BankAccount): Promise<number | undefined>;
  /** Booked movements since a day, in any order. @param page `next` of the page before @throws ConsentEnded */
  bookings(grant: string, account: BankAccount, from: string, page?: string): Promise<BookingsPage>;
  /** Idempotent: a consent that has ended stays ended. */
  endConsent(grant: string): Promise<void>;
  /** Checks availability and credentials; absent where nothing can fail. @throws ProviderUnavailable with the reason */
  check?(): Promise<void>;
}
