import type { Box } from '../model.ts';
import { besideLabel, type Labelled } from './beside.ts';
import { type Day, datesIn, isoOf } from './dates.ts';
import type { Zone } from './ids/mrz.ts';
import { folded } from './labels.ts';
import type { WordLine } from './words.ts';

/** A difference between the zone and the print of an identity document. */
interface Contradiction {
  /** As in "date of birth". */
  what: string;
  inZone: string;
  inPrint: string;
  page: number;
  box: Box;
}

const BIRTH =
  /date of birth|birth date|\bdob\b|geburts(?:datum|tag)|date de naissance|nee? le|fecha de nacimiento|data di nascita|data de nascimento|geboortedatum|data urodzenia|fodselsdato|fodelsedatum/;
const EXPIRY =
  /date of expiry|expiry|expires|valid (?:until|to)|gultig bis|ablaufdatum|date d.?expiration|valable jusqu|fecha de (?:caducidad|validez)|valid[oa] hasta|valid[oa] fino|data di scadenza|scadenza|data de validade|valid[oa] ate|geldig tot|vervaldatum|(?:termin|data) waznosci|gyldig til|giltigt? till/;
const NUMBER =
  /(?:document|passport|card|licence|ausweis|pass|karten|dokument)s?[ -]?(?:no\b|number|nr\b|nummer)|n(?:o|°|º|umero)? (?:du |de |di )?(?:la )?(?:passeport|document|carte|pasaporte|passaporto|documento|carta)|numer (?:dokumentu|paszportu)|paspoortnummer/;
const SURNAME =
  /\b(?:surname|last name|family name|nachname|familienname|nom|apellidos?|cognome|apelidos?|achternaam|nazwisko|efternamn|efternavn)\b/;

/** Words of labels, which often stand side by side in several languages. */
const LABELS =
  /name|nam\b|nom\b|noms\b|nombre|nome|apellid|cognome|apelido|nazwisko|imi[eo]n|efter|geboren|date|datum|birth|\bsex|national|passport|document|identi|given|holder/;

/**
 * Values of the zone that the print contains nowhere, although the print has another value beside the label. Empty if a label, or the
 * value beside it, is not understood.
 */
export function contradictionsOf(zone: Zone, lines: readonly WordLine[]): Contradiction[] {
  const pages = new Set(zone.sources.map(({ page }) => page));
  const print = lines.filter((line) => pages.has(line.page) && !zone.sources.includes(line));
  const { birthDate, expirationDate, documentNumber } = zone.parsed.fields;
  return [
    ...dateContradictions('date of birth', birthDate, BIRTH, print),
    ...dateContradictions('date of expiry', expirationDate, EXPIRY, print),
    ...numberContradictions(documentNumber, print),
    ...nameContradictions(zone, print),
  ];
}

function dateContradictions(what: string, value: string | null | undefined, label: RegExp, print: readonly WordLine[]) {
  if (value === undefined || value === null || !/^\d{6}$/.test(value)) return [];
  const isSame = ({ year, month, day }: Day) => {
    const short = year === undefined ? value.slice(0, 2) : String(year % 100).padStart(2, '0');
    return `${short}${isoOf({ month, day }).replace('-', '')}` === value;
  };
  if (print.some(({ text }) => datesIn(text).some(({ readings }) => readings.some(isSame)))) return [];
  return besideLabel(print, label, (text) => datesIn(text).find(({ readings }) => readings[0]?.year !== undefined))
    .slice(0, 1)
    .map((seen) => contradiction(what, value.replace(/(..)(..)(..)/, '$1-$2-$3'), seen));
}

function numberContradictions(value: string | null | undefined, print: readonly WordLine[]): Contradiction[] {
  if (value === undefined || value === null || value.length < 6) return [];
  if (
    print.some(({ text }) =>
      text
        .toUpperCase()
        .replace(/[^A-Z0-9]/g, '')
        .includes(value),
    )
  )
    return [];
  const find = (text: string) => {
    const match = /(?<![\p{L}\d])(?=[A-Z]{0,3}\d)[A-Z0-9]{7,10}(?![\p{L}\d])/u.exec(text);
    return match === null ? undefined : { text: match[0], start: match.index, end: match.index + match[0].length };
  };
  const seen = besideLabel(print, NUMBER, find).slice(0, 1);
  return seen.map((found) => contradiction('document number', value, found));
}

function nameContradictions({ lines, parsed }: Zone, print: readonly WordLine[]): Contradiction[] {
  const value = parsed.fields.lastName?.replace(/[^A-Z]/g, '') ?? '';
  const nameLine = (lines.length === 3 ? lines[2] : lines[0]) ?? '';
  // A name that fills its line may be truncated.
  if (value.length < 3 || !nameLine.endsWith('<<')) return [];
  const letters = print.map(({ text }) => text).join('');
  // OCR loses diacritics that the zone spells with two letters.
  const short = value.replace(/([AOU])E/g, '$1');
  if (spellings(letters).some((spelling) => spelling.includes(value) || spelling.includes(short))) return [];
  const find = (text: string) => {
    const match = /\p{L}[\p{L}' -]{2,40}/u.exec(text);
    return match === null || LABELS.test(folded(match[0]))
      ? undefined
      : { text: match[0], start: match.index, end: match.index + match[0].length };
  };
  const seen = besideLabel(print, SURNAME, find).slice(0, 1);
  return seen.map((found) => contradiction('surname', parsed.fields.lastName ?? '', found));
}

function contradiction(what: string, inZone: string, { text, page, box }: Labelled): Contradiction {
  return { what, inZone, inPrint: text, page, box };
}

/** Letters as ICAO 9303 part 3, section 6 transliterates them, in all variants that states use. */
function spellings(text: string): string[] {
  const upper = text
    .toUpperCase()
    .replace(/ß/g, 'SS')
    .replace(/Ł/g, 'L')
    .replace(/Æ/g, 'AE')
    .replace(/[ĐÐ]/g, 'D')
    .replace(/Þ/g, 'TH');
  const bare = (value: string) => value.normalize('NFD').replace(/[^A-Z]/g, '');
  const long = upper
    .replace(/Ä/g, 'AE')
    .replace(/[ÖØ]/g, 'OE')
    .replace(/Ü/g, 'UE')
    .replace(/Å/g, 'AA')
    .replace(/Ñ/g, 'NXX');
  return [bare(upper), bare(upper.replace(/Ø/g, 'O')), bare(long)];
}
