/** What a bank says about a person's accounts, as it is stored and drawn. Amounts are in cents, days are `2026-03-28`. */

export interface BankAccount {
  /** The provider's id of the account, valid for one consent. */
  id: string;
  /** Absent for an account without one, such as some savings accounts. */
  iban?: string;
  /** The holder's name, or the holders' names, as the bank has it; empty when the bank does not tell. */
  holder: string;
  /** The product, such as "Current account"; possibly empty. */
  product: string;
  currency: string;
}

/** A booked movement. Negative amounts leave the account. */
export interface Booking {
  day: string;
  cents: number;
  /** Who paid, or who was paid; possibly empty. */
  counterparty: string;
  counterpartyIban?: string;
  /** The purpose; possibly empty. */
  text: string;
}

export interface AccountStatement {
  account: BankAccount;
  /** Absent when the bank does not tell a booked balance. */
  closingCents?: number;
  /** Oldest first. */
  bookings: Booking[];
  /** There were more bookings than are read. */
  isCut?: true;
}

export interface BankStatement {
  /** The bank's name. */
  bank: string;
  country: string;
  from: string;
  to: string;
  fetchedAt: string;
  accounts: AccountStatement[];
}

/** The balance before the first booking. */
export function openingCents({ closingCents, bookings, isCut }: AccountStatement): number | undefined {
  if (closingCents === undefined || isCut) return undefined;
  return bookings.reduce((cents, booking) => cents - booking.cents, closingCents);
}

/** An IBAN of which only the country and the last four characters are shown. */
export function shortIban(iban: string | undefined): string {
  return iban === undefined ? '' : `${iban.slice(0, 2)}•• ${iban.slice(-4)}`;
}

/** An IBAN in groups of four. */
export function groupedIban(iban: string): string {
  return iban.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');
}
