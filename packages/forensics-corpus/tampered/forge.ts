import { grouped, ibanCheckDigits } from '../data/iban.ts';
import type { Tag } from '../data/locale.ts';
import { personOf } from '../data/people.ts';
import type { Target } from '../drawing.ts';
import type { Random } from '../random.ts';

interface Forgery {
  text: string;
  /** Whether other figures of the document contradict the new value. */
  bound: boolean;
}

/** A forger's replacement, as plausible as the value itself. */
export function forged(target: Target, language: Tag, random: Random): Forgery {
  const { name, text, bound } = target;
  if (name === 'name') return { text: otherName(text, language, random), bound };
  if (name === 'iban') return otherAccount(text, bound, random);
  if (name === 'date') return { text: otherDate(text, random), bound };
  if (name === 'mrz') return { text: otherDigit(text, random), bound: /\d/.test(text) };
  if (name === 'number') return { text: otherDigit(text, random), bound };
  return { text: otherAmount(text, random), bound };
}

/** Changes the first digit, upwards if possible, and sometimes a second one. */
function otherAmount(text: string, random: Random): string {
  const places = [...text].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
  const [first = 0, second = first] = places;
  const larger = Number(text[first]) < 9 ? random.integer(Number(text[first]) + 1, 9) : random.integer(1, 8);
  const changed = withAt(text, first, String(larger));
  return random.chance(0.5) ? withAt(changed, second, second === first ? String(larger) : random.digits(1)) : changed;
}

function otherDigit(text: string, random: Random): string {
  const places = [...text].flatMap((character, index) => (/\d/.test(character) ? [index] : []));
  if (places.length === 0) return text.replace(/[A-Z]/, (letter) => (letter === 'B' ? 'R' : 'B'));
  const at = random.pick(places.slice(0, 8));
  return withAt(text, at, String((Number(text[at]) + random.integer(1, 9)) % 10));
}

/** The previous or next year, or another day of the month: still a valid date. */
function otherDate(text: string, random: Random): string {
  const [first = '', , third = ''] = text.split(/[./-]/);
  if (third.length === 4 && random.chance(0.6))
    return text.slice(0, -1) + String((Number(text.at(-1)) + random.integer(1, 9)) % 10);
  const day = String(((Number(first) + random.integer(0, 8)) % 12) + 1).padStart(2, '0');
  return day === first
    ? `${String((Number(first) % 12) + 1).padStart(2, '0')}${text.slice(2)}`
    : `${day}${text.slice(2)}`;
}

function otherName(text: string, language: Tag, random: Random): string {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { given, family } = personOf(language, random);
    const other = text === text.toUpperCase() ? family.toUpperCase() : `${given} ${family}`;
    if (other !== text) return other;
  }
  throw new Error(`No other name than ${text}.`);
}

/** Half of all forgers also correct the check digits. */
function otherAccount(text: string, bound: boolean, random: Random): Forgery {
  const plain = text.replace(/\s/g, '');
  if (!bound) return { text: otherDigit(text, random), bound };
  const at = plain.length - random.integer(2, 6);
  const account = withAt(plain.slice(4), at - 4, String((Number(plain[at]) + random.integer(1, 9)) % 10));
  const country = plain.slice(0, 2);
  const knows = random.chance(0.5);
  return {
    text: grouped(`${country}${knows ? ibanCheckDigits(country, account) : plain.slice(2, 4)}${account}`),
    bound: !knows,
  };
}

function withAt(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1);
}
