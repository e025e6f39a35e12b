/** A country's formats for figures and dates. */
export interface Locale {
  tag: Tag;
  country: string;
  currency: string;
  /** As written beside an amount. */
  sign: string;
  decimal: string;
  group: string;
  /** A format of the letters `d`, `m` and `y`, as in `dd.mm.yyyy`. */
  date: string;
  months: string;
  /** Whether Windows code page 1252 covers its letters, as required by the standard 14 fonts of PDF readers. */
  western: boolean;
}

export const tags = ['de', 'en-GB', 'en-US', 'es', 'fr', 'it', 'nl', 'pl', 'pt'] as const;
export type Tag = (typeof tags)[number];

const NO_BREAK = '\u00a0';
const euro = { currency: 'EUR', sign: '€', western: true };
const continental = { ...euro, decimal: ',', group: '.' };

export const locales: Record<Tag, Locale> = {
  de: {
    ...continental,
    tag: 'de',
    country: 'DE',
    date: 'dd.mm.yyyy',
    months: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  },
  'en-GB': {
    tag: 'en-GB',
    country: 'GB',
    currency: 'GBP',
    sign: '£',
    decimal: '.',
    group: ',',
    date: 'dd/mm/yyyy',
    months: 'January February March April May June July August September October November December',
    western: true,
  },
  'en-US': {
    tag: 'en-US',
    country: 'US',
    currency: 'USD',
    sign: '$',
    decimal: '.',
    group: ',',
    date: 'mm/dd/yyyy',
    months: 'January February March April May June July August September October November December',
    western: true,
  },
  es: {
    ...continental,
    tag: 'es',
    country: 'ES',
    date: 'dd/mm/yyyy',
    months: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  },
  fr: {
    ...continental,
    tag: 'fr',
    country: 'FR',
    group: NO_BREAK,
    date: 'dd/mm/yyyy',
    months: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  },
  it: {
    ...continental,
    tag: 'it',
    country: 'IT',
    date: 'dd/mm/yyyy',
    months: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  },
  nl: {
    ...continental,
    tag: 'nl',
    country: 'NL',
    date: 'dd-mm-yyyy',
    months: 'januari februari maart april mei juni juli augustus september oktober november december',
  },
  pl: {
    tag: 'pl',
    country: 'PL',
    currency: 'PLN',
    sign: 'zł',
    decimal: ',',
    group: NO_BREAK,
    date: 'dd.mm.yyyy',
    months: 'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień',
    western: false,
  },
  pt: {
    ...continental,
    tag: 'pt',
    country: 'PT',
    date: 'dd/mm/yyyy',
    months: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  },
};

/** Cents without a sign, as in `1.250,00`. */
export function figure(cents: number, { decimal, group }: Pick<Locale, 'decimal' | 'group'>): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(?:\d{3})+$)/g, group);
  return `${whole}${decimal}${digits.slice(-2)}`;
}

/** @param pattern the locale's date format, or a variant of it */
export function dateText(date: Date, pattern: string): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const year = String(date.getUTCFullYear());
  return pattern
    .replace('yyyy', year)
    .replace('yy', year.slice(2))
    .replace('dd', two(date.getUTCDate()))
    .replace('mm', two(date.getUTCMonth() + 1));
}

export function monthName(date: Date, { months }: Pick<Locale, 'months'>): string {
  return months.split(' ')[date.getUTCMonth()] ?? '';
}

export function daysLater(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000);
}
