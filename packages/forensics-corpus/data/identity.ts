import type { Random } from '../random.ts';
import { daysLater, type Locale } from './locale.ts';
import { type Person, personOf } from './people.ts';

export interface Identity {
  locale: Locale;
  /** TD1 is a card with three lines of 30; TD3 a passport with two lines of 44. */
  format: 'TD1' | 'TD3';
  person: Person;
  sex: 'F' | 'M';
  number: string;
  /** ICAO's three-letter code. */
  state: string;
  issued: Date;
  expires: Date;
  /** The machine-readable lines, with correct check digits. */
  mrz: string[];
}

const states: Record<string, string> = {
  DE: 'D<<',
  GB: 'GBR',
  US: 'USA',
  ES: 'ESP',
  FR: 'FRA',
  IT: 'ITA',
  NL: 'NLD',
  PL: 'POL',
  PT: 'PRT',
};

export function identityOf(locale: Locale, random: Random): Identity {
  const person = personOf(locale.tag, random);
  const issued = new Date(Date.UTC(random.integer(2018, 2024), random.integer(0, 11), random.integer(1, 28)));
  const about = {
    locale,
    format: random.pick(['TD1', 'TD3'] as const),
    person,
    sex: random.pick(['F', 'M'] as const),
    number: `${random.letters(1)}${random.digits(8)}`,
    state: states[locale.country] ?? 'UTO',
    issued,
    expires: daysLater(issued, 3652),
  };
  return { ...about, mrz: identityLines(about) };
}

type Facts = Omit<Identity, 'mrz'>;

/** The machine-readable lines of such a document. */
export function identityLines(about: Facts): string[] {
  return about.format === 'TD1' ? cardLines(about) : passportLines(about);
}

/** ICAO 9303 part 5. */
function cardLines({ person, sex, number, state, expires }: Facts): string[] {
  const first = `ID${state}${withDigit(number)}`.padEnd(30, '<');
  const second = `${withDigit(six(person.born))}${sex}${withDigit(six(expires))}${state}`.padEnd(29, '<');
  const composite = checkDigit(first.slice(5) + second.slice(0, 7) + second.slice(8, 15) + second.slice(18, 29));
  return [first, `${second}${composite}`, names(person, 30)];
}

/** ICAO 9303 part 4. */
function passportLines({ person, sex, number, state, expires }: Facts): string[] {
  const personal = withDigit('<'.repeat(14));
  const second = `${withDigit(number)}${state}${withDigit(six(person.born))}${sex}${withDigit(six(expires))}${personal}`;
  const composite = checkDigit(second.slice(0, 10) + second.slice(13, 20) + second.slice(21, 43));
  return [`P<${state}${names(person, 39)}`, `${second}${composite}`];
}

/** ICAO 9303 part 3, 4.9: weights 7, 3, 1; letters count from 10, the filler 0. */
export function checkDigit(text: string): number {
  const value = (character: string) => (character === '<' ? 0 : Number.parseInt(character, 36));
  return [...text].reduce((total, character, index) => total + value(character) * ([7, 3, 1][index % 3] ?? 0), 0) % 10;
}

function withDigit(text: string): string {
  return `${text.padEnd(9, /^[A-Z]\d/.test(text) ? '<' : '')}${checkDigit(text)}`;
}

function six(date: Date): string {
  return date.toISOString().slice(2, 10).replaceAll('-', '');
}

function names({ family, given }: Person, length: number): string {
  return `${plain(family)}<<${plain(given)}`.padEnd(length, '<').slice(0, length);
}

const spelled: Record<string, string> = { ä: 'AE', ö: 'OE', ü: 'UE', ß: 'SS', ł: 'L', ø: 'OE', å: 'AA', æ: 'AE' };

/** ICAO 9303 part 3, section 6: letters without diacritics. */
function plain(name: string): string {
  const letters = [...name.toLowerCase()].map((letter) => spelled[letter] ?? letter).join('');
  return letters
    .normalize('NFD')
    .replace(/[^a-zA-Z -]/g, '')
    .replace(/[ -]/g, '<')
    .toUpperCase();
}
