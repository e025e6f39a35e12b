import type { Claim } from '../../claims.ts';
import type { Box } from '../../model.ts';
import { isLikeName } from '../../pdf/diff/values.ts';
import { besideLabel, type Labelled, type Part } from '../beside.ts';
import { isoOf } from '../dates.ts';
import { nationalNumbersIn } from '../ids/national-numbers.ts';
import { folded } from '../labels.ts';
import { boxWithin, type WordLine } from '../words.ts';
import { isCompany } from './companies.ts';
import type { ReadDay } from './period.ts';

/** The person a document is about, according to its labels. */

/** The person whom a payslip or a contract is about. */
export const EMPLOYEE_LABEL =
  /\b(?:arbeitnehmer(?:in)?|mitarbeiter(?:in)?|employee(?: name)?|staff (?:member|name)|trabajador[a]?|empleado|salarie[e]?|dipendente|lavoratore|werknemer|pracownik|trabalhador|colaborador|funcionario)\b(?:\/in|\(in\)|\/-in)?/;
/** The person to whom an account belongs. */
export const HOLDER_LABEL =
  /\b(?:(?:konto)?inhaber(?:in)?|account (?:name|holder)|customer name|titular|titulaire|intestatari[oa]|rekeninghouder|posiadacz)\b(?:\/in|\(in\)|\/-in)?/;
/** Anyone, a clerk included. */
const TITLE = /\b(?:herrn?|frau|mr|mrs|ms|miss|nombre|monsieur|madame|mme|dhr|mevr)\b/;
/** As a cell of its own; within one it may be the name of a bank. */
const NAME =
  /(?:^|\t)(?:(?:full )?name|name,? vorname|vor- und nachname|nom(?:,? (?:et )?prenoms?)?|nome(?: e cognome)?|cognome e nome|nombre y apellidos|apellidos y nombre) ?:?(?=\t|$)/;
/** The person whom the document is about. */
const OWN_LABEL = anyOf(EMPLOYEE_LABEL, HOLDER_LABEL, NAME);
export const NAME_LABEL = anyOf(OWN_LABEL, TITLE);
const NOT_A_NAME =
  /\b(?:id|no|nr|number|nummer|name|surname|code|type|date|address|kategoria|categoria|categorie|account|konto|cuenta|signature|firma|unterschrift|number|share|anteil|copy|status|contribution|dati|datos|und|y apellidos|nacimiento|nascita|nascimento|naissance|birth|geburt\w*|geboorte\w*|urodzenia|compte|cuenta|conto|trabajo|travail|lavoro)\b/;
/** Words that names have in small letters. */
const PARTICLE = "(?:d[aeiou]|del|della|di|dos|das|der|den|von|vom|van|zu|zur|ten|ter|la|le|lo|y|e|i|[dl]['’]?)";
const NAMED = new RegExp(
  `^[\\s:.\\t-]{0,6}((?:${PARTICLE} ){0,2}\\p{Lu}[\\p{L}\\p{M}'’.-]{0,24}(?:,? (?:${PARTICLE} ){0,2}\\p{Lu}[\\p{L}\\p{M}'’.-]{0,24}){1,5})`,
  'u',
);
const BORN_LABEL =
  /date of birth|birth date|\bborn\b|\bd\.?o\.?b\b|geburts(?:datum|tag)|\bgeb(?:oren)?\.?[ -]?(?:am\b|datum)|date (?:de )?naissance|\bnee?(?:\(e\))? le\b|(?:fecha(?: de)?|\bf\.?) ?nac(?:imiento)?\b|^nacimiento\b|\tnacimiento\b|data (?:di )?nascita|\bnat[oa](?:\/[ao])? il\b|data de nascimento|geboortedatum|data urodzenia/;
const STAFF_LABEL =
  /\b(?:personal-?(?:nummer|nr)|pers\.?-?nr|payroll (?:number|no)|employee (?:id|number|no)|(?:numero|num|no?)\.? (?:de )?empleado|codigo (?:de )?empleado|matricule|matricola|matricula|matr?\.|codice dipendente|(?:works|staff) (?:number|no|id)|personeels(?:nummer|nr)|numer pracownika|numero de funcionario)\b/;
const HONORIFICS =
  /\b(?:herrn?|frau|mr|mrs|ms|miss|dr|prof|dhr|mevr|sr|sra|don|dona|m|mme|mlle|monsieur|madame|sig|sigra)\b\.?/g;
export const POSTCODE =
  /(?<![\d-])(?:\d{5}|\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3})(?![\d-])|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/;
const ORGANISATION =
  /\b(?:\w*bank|banco|banca|banque|sparkasse|\w*kasse|caja|caixa|cassa|caisse|credit\w*|credito|kredit\w*|building society|savings|financ\w*|societe|hospital|hopital|ospedale|szpital|klinik\w*|clinique|stadt|amt|service\w*|trust|group|university|universitat)\b/;
/** Mark names without a label of their own: above an address, and after a title, as that of a clerk. */
const ADDRESSEE = 'addressee';
const TITLED = 'titled';
/** Applicants are adults, so a later day is no date of birth. */
const LATEST_BIRTH = 2015;
const ADDRESS_LINES = 4;
const NAMES = 4;

/**
 * Names, date of birth, postcode, personnel number and national numbers. All names that may be the person's count: an account has several
 * holders, a letterhead names a sole proprietor above an address, and letters name clerks.
 */
export async function peopleIn(lines: readonly WordLine[], read: ReadDay): Promise<Claim[]> {
  const named = (found: readonly Labelled[], words?: string) =>
    found.slice(0, NAMES).map((one) => ({ ...nameClaim(one), ...(words === undefined ? {} : { words }) }));
  const labelled = besideLabel(lines, OWN_LABEL, nameIn);
  const addressed = addressees(lines);
  const titled = besideLabel(lines, TITLE, nameIn);
  const born = besideLabel(lines, BORN_LABEL, (text) => {
    const [first] = read(text).filter(({ day }) => day.year !== undefined);
    return first && { text: text.slice(first.start, first.end), start: first.start, end: first.end };
  });
  const staff = besideLabel(lines, STAFF_LABEL, (text) => {
    const match = /^[\s:.\t]{0,6}(?=[A-Z\d/-]{0,12}\d{3})([A-Z\d][A-Z\d/-]{2,14})(?![\p{L}\d])/u.exec(text);
    return match === null
      ? undefined
      : { text: match[1] ?? '', start: match[0].length - (match[1] ?? '').length, end: match[0].length };
  });
  return [
    ...named(labelled),
    ...named(addressed, ADDRESSEE),
    ...named(titled, TITLED),
    ...[...labelled, ...addressed, ...titled].slice(0, 1).flatMap((found) => postcodeUnder(found, lines) ?? []),
    ...born.slice(0, 1).flatMap((found) => bornClaim(found, read)),
    ...staff.slice(0, 1).map((found) => claimOf('staff', found.text.replace(/[^A-Z\d]/g, ''), found)),
    ...(await nationalNumbersIn(lines)).map(({ name, place }) => ({
      ...claimOf('id', place.text.replace(/[^A-Z\d]/g, ''), place),
      words: name,
    })),
  ];
}

/**
 * Folded words of a name, without titles and the dots of initials. Umlauts become two letters, as in systems without umlauts.
 */
export function nameWords(text: string): string[] {
  const spelled = text
    .replace(/ß/g, 'ss')
    .replace(/ä/gi, 'ae')
    .replace(/[öø]/gi, 'oe')
    .replace(/ü/gi, 'ue')
    .replace(/å/gi, 'aa');
  return folded(spelled)
    .replace(HONORIFICS, ' ')
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '');
}

export function nameIn(text: string): Part | undefined {
  const match = NAMED.exec(text.split('\t').find((cell) => /\p{L}/u.test(cell)) === undefined ? '' : text);
  const name = match?.[1];
  if (match === null || name === undefined || NOT_A_NAME.test(folded(name)) || nameWords(name).length < 2)
    return undefined;
  // A street has a number.
  if (/^,? ?\d/.test(text.slice(match[0].length))) return undefined;
  return { text: name, start: match[0].length - name.length, end: match[0].length };
}

function anyOf(...labels: readonly RegExp[]): RegExp {
  return new RegExp(labels.map(({ source }) => `(?:${source})`).join('|'));
}

/** The name above a street and a postcode, as in an envelope window, unless it is a company or a bank. */
export function addressees(lines: readonly WordLine[]): Labelled[] {
  return lines.flatMap((line, index) => {
    const cells = line.text.split('\t');
    return cells.flatMap((cell) => {
      const start = line.text.indexOf(cell);
      if (!isPerson(cell)) return [];
      const box = boxWithin(line, start, start + cell.length);
      const below = lines.slice(index + 1, index + 1 + ADDRESS_LINES).flatMap((under) => {
        const word = under.words.find((one) => Math.abs(one.box.x - box.x) < line.fontSize);
        const isClose = under.page === line.page && under.box.y - line.box.y < 4 * line.fontSize;
        return word && isClose ? [under.text.slice(word.start).split('\t')[0] ?? ''] : [];
      });
      const [street = '', ...rest] = below;
      if (!/\d/.test(street) || !rest.some((text) => POSTCODE.test(text))) return [];
      return [{ text: cell, page: line.page, line, box }];
    });
  });
}

/** A person on a line of their own, with the address in one line below, as contracts name their parties. */
export function partyIn(line: WordLine, index: number, lines: readonly WordLine[]): Labelled[] {
  const below = lines[index + 1];
  const { text, page, box } = line;
  const isParty = below !== undefined && isPerson(text) && isLikeName(text) && POSTCODE.test(below.text);
  return isParty ? [{ text, page, line, box }] : [];
}

/** Whether a text is the label of a name, such as the sample text of a template. */
export function isNameLabel(text: string): boolean {
  return NOT_A_NAME.test(folded(text)) && !isCompany(text);
}

/** Whether a text may be a person's name and nothing else. */
export function isPerson(text: string): boolean {
  const words = nameWords(text).length;
  return !/\d/.test(text) && words >= 2 && words <= 5 && !ORGANISATION.test(folded(text)) && !isCompany(text);
}

/** The postcode beside or below a name. */
export function postcodeUnder(
  { page, box }: Pick<Labelled, 'page' | 'box'>,
  lines: readonly WordLine[],
): Claim | undefined {
  const under = lines.filter((line) => line.page === page && isUnder(line, box)).slice(0, ADDRESS_LINES);
  for (const { text, words } of under) {
    const match = POSTCODE.exec(text);
    const word = match && words.find((one) => one.start <= match.index && one.start + one.text.length > match.index);
    if (match && word && word.box.x > box.x - box.height)
      return { kind: 'place', value: match[0].replace(/[ -]/g, ''), text: match[0], page, box: word.box };
  }
  return undefined;
}

function isUnder({ box: { y, height }, fontSize }: WordLine, box: Box): boolean {
  return y + height > box.y + box.height / 2 && y - box.y < 5 * fontSize;
}

function bornClaim(found: Labelled, read: ReadDay): Claim[] {
  const day = read(found.text)[0]?.day;
  return day?.year === undefined || day.year > LATEST_BIRTH ? [] : [claimOf('born', isoOf(day).slice(2), found)];
}

export function nameClaim(found: Labelled): Claim {
  return claimOf('name', nameWords(found.text).join(' '), found);
}

function claimOf(kind: Claim['kind'], value: string, { text, page, box }: Labelled): Claim {
  return { kind, value, text, page, box };
}
