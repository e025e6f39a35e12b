import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';
import { type Html, html } from '../html.ts';
import type english from './en.json';
import { fromTheRight, type Language, locales } from './languages.ts';

/** The name of a message in the catalogues. */
export type Message = keyof typeof english;

/** One language's messages, in ICU message syntax. */
export type Catalogue<Name extends string = Message> = Readonly<Record<Name, string>>;

type Value = string | number | Date;

/** The formats that messages name, as in `{end, date, day}`. Days are UTC, in which deadlines are counted. */
const FORMATS = {
  date: {
    day: { dateStyle: 'long', timeZone: 'UTC' },
    minute: { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' },
  },
  number: {
    kilobytes: { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 },
    megabytes: { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 },
  },
} as const;

/** The tags of messages. */
const TAGS = {
  b: (chunks: Part[]) => html`<strong>${chunks}</strong>`,
  hidden: (chunks: Part[]) => html`<span class="sr">${chunks}</span>`,
};

type Part = string | Html;

/** There are a few, and one for each currency. */
const MAX_KEPT = 100;

/** Makes a format once for the same options: making one takes fifty times as long as using it. */
function kept<Options, Format>(make: (options: Options) => Format): (options: Options) => Format {
  const made = new Map<string, Format>();
  return (options) => {
    const key = JSON.stringify(options);
    const known = made.get(key);
    if (known) return known;
    if (made.size === MAX_KEPT) made.clear();
    const format = make(options);
    made.set(key, format);
    return format;
  };
}

/** All text that people read on pages and in mails, in one language. */
export class Texts<Name extends string = Message> {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  readonly #locale: string;
  readonly #catalogue: Catalogue<Name>;
  readonly #formats = new Map<Name, IntlMessageFormat>();
  /** Messages without values. */
  readonly #plain = new Map<Name, string>();
  readonly #numbers: (options: Intl.NumberFormatOptions) => Intl.NumberFormat;
  readonly #days: (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;
  readonly #lists: (options: Intl.ListFormatOptions) => Intl.ListFormat;
  readonly #names: (options: Intl.DisplayNamesOptions) => Intl.DisplayNames;

  constructor(catalogue: Catalogue<Name>, language: string, locale: string, direction: 'ltr' | 'rtl' = 'ltr') {
    this.language = language;
    this.direction = direction;
    this.#locale = locale;
    this.#catalogue = catalogue;
    this.#numbers = kept((options) => new Intl.NumberFormat(locale, options));
    this.#days = kept((options) => new Intl.DateTimeFormat(locale, options));
    this.#lists = kept((options) => new Intl.ListFormat(locale, options));
    this.#names = kept((options) => new Intl.DisplayNames(locale, options));
  }

  /** A message as plain text. @throws when it needs a value that is not given */
  text(message: Name, values?: Record<string, Value>): string {
    const known = values === undefined ? this.#plain.get(message) : undefined;
    if (known !== undefined) return known;
    const text = String(this.#format(message).format<string>(values));
    if (values === undefined) this.#plain.set(message, text);
    return text;
  }

  /** A message with its tags as markup. Given text belongs to a third party: it is isolated for its writing direction. */
  rich(message: Name, values: Record<string, Value> = {}): Html {
    const given = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? html`<bdi>${value}</bdi>` : value,
    ]);
    const parts = this.#format(message).format<Html>({ ...TAGS, ...Object.fromEntries(given) });
    return html`${[parts].flat()}`;
  }

  /** Such as "a, b and c". */
  list(items: readonly string[]): string {
    return this.#lists({ type: 'conjunction' }).format(items);
  }

  /** The name of a country. @param code in ISO 3166 */
  region(code: string): string {
    return this.#names({ type: 'region' }).of(code.toUpperCase()) ?? code;
  }

  number(value: number): string {
    return this.#numbers({}).format(value);
  }

  /** A day in words. */
  day(moment: string): string {
    return this.#days(FORMATS.date.day).format(new Date(moment));
  }

  /** A day in figures. */
  shortDay(moment: string): string {
    return this.#days({ dateStyle: 'short', timeZone: 'UTC' }).format(new Date(moment));
  }

  /** @param currency in ISO 4217 */
  money(cents: number, currency: string): string {
    return this.#numbers({ style: 'currency', currency }).format(cents / 100);
  }

  /** An amount whose currency is that of the rent. */
  figure(cents: number): string {
    return this.#numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100);
  }

  /** @param percent 35 is written as 35 %, by language */
  percent(percent: number): string {
    return this.#numbers({ style: 'percent', maximumFractionDigits: 1 }).format(percent / 100);
  }

  /** Parsed on first use, like the catalogues. */
  #format(message: Name): IntlMessageFormat {
    const known = this.#formats.get(message);
    if (known) return known;
    const format = new IntlMessageFormat(this.#catalogue[message], this.#locale, FORMATS);
    this.#formats.set(message, format);
    return format;
  }
}

const loaded = new Map<Language, Texts>();

/** The file is read on first use. */
export function textsOf(language: Language): Texts {
  const known = loaded.get(language);
  if (known) return known;
  const direction = fromTheRight.includes(language) ? 'rtl' : 'ltr';
  const texts = new Texts(catalogueOf(language), language, locales[language], direction);
  loaded.set(language, texts);
  return texts;
}

export function catalogueOf(language: Language): Catalogue {
  return JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8'));
}
