import type { Claim } from '../../claims.ts';
import { besideLabel, type Labelled, type Part } from '../beside.ts';
import { isoOf } from '../dates.ts';
import { nationalNumbersIn } from '../ids/national-numbers.ts';
import { folded } from '../labels.ts';
import { boxWithin, type WordLine } from '../words.ts';
import { isCompany } from './companies.ts';
import type { ReadDay } from './period.ts';

/** The person a document is about, according to its labels. */

export const NAME_LABEL =
  /\b(?:(?:konto)?inhaber(?:in)?|arbeitnehmer(?:in)?|mitarbeiter(?:in)?|herrn?|frau|account (?:name|holder)|customer name|employee(?: name)?|mr|mrs|ms|miss|titular|trabajador[a]?|empleado|nombre|titulaire|salarie[e]?|monsieur|madame|mme|intestatario|dipendente|lavoratore|rekeninghouder|werknemer|dhr|mevr|posiadacz|pracownik|trabalhador|colaborador|funcionario)\b(?:\/in|\(in\)|\/-in)?/;
const NOT_A_NAME =
  /\b(?:id|no|nr|number|nummer|name|surname|code|type|date|address|kategoria|categoria|categorie|account|konto|cuenta|signature|firma|unterschrift|number|share|anteil|copy|status|contribution|dati|datos|und|y apellidos)\b/;
const NAME = /^[\s:.\t-]{0,6}((?:\p{L}[\p{L}'.-]{0,24})(?:,? \p{L}[\p{L}'.-]{0,24}){1,5})/u;
const BORN_LABEL =
  /date of birth|birth date|\bdob\b|geburts(?:datum|tag)|geb\.? ?datum|date de naissance|\bnee? le\b|fecha de nacimiento|data di nascita|data de nascimento|geboortedatum|data urodzenia/;
const STAFF_LABEL =
  /\b(?:personal-?(?:nummer|nr)|pers\.?-?nr|payroll (?:number|no)|employee (?:id|number|no)|(?:numero|num|no?) (?:de )?empleado|matricule|matricola|personeels(?:nummer|nr)|numer pracownika|numero de funcionario)\b/;
const HONORIFICS =
  /\b(?:herrn?|frau|mr|mrs|ms|miss|dr|prof|dhr|mevr|sr|sra|don|dona|m|mme|mlle|monsieur|madame|sig|sigra)\b\.?/g;
const POSTCODE =
  /(?<![\d-])(?:\d{5}|\d{4} ?[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3})(?![\d-])|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/;
const ORGANISATION =
  /\b(?:\w*bank|banco|banca|banque|sparkasse|\w*kasse|caja|caixa|cassa|caisse|credit\w*|credito|kredit\w*|building society|savings|financ\w*|societe|hospital|hopital|ospedale|szpital|klinik\w*|clinique|stadt|amt|service\w*|trust|group|university|universitat)\b/;
/** Marks a name without a label. */
export const ADDRESSEE = 'addressee';
/** Applicants are adults, so a later day is no date of birth. */
const LATEST_BIRTH = 2015;
const ADDRESS_LINES = 4;
const NAMES = 4;

/** Name, date of birth, postcode, personnel number and national numbers. An account with several holders has several names. */
export async function peopleIn(lines: readonly WordLine[], read: ReadDay): Promise<Claim[]> {
  const labelled = besideLabel(lines, NAME_LABEL, nameIn).slice(0, NAMES);
  const names = labelled.length > 0 ? labelled : addressees(lines).slice(0, 1);
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
    ...names.map((found) => ({
      ...claimOf('name', nameWords(found.text).join(' '), found),
      ...(labelled.length > 0 ? {} : { words: ADDRESSEE }),
    })),
    ...names.slice(0, 1).flatMap((found) => placeUnder(found, lines)),
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

function nameIn(text: string): Part | undefined {
  const match = NAME.exec(text.split('\t').find((cell) => /\p{L}/u.test(cell)) === undefined ? '' : text);
  const name = match?.[1];
  if (match === null || name === undefined || NOT_A_NAME.test(folded(name)) || nameWords(name).length < 2)
    return undefined;
  return { text: name, start: match[0].length - name.length, end: match[0].length };
}

/** The name above a street and a postcode, as in an envelope window, unless it is a company or a bank. */
function addressees(lines: readonly WordLine[]): Labelled[] {
  return lines.flatMap((line, index) => {
    const cells = line.text.split('\t');
    return cells.flatMap((cell) => {
      const start = line.text.indexOf(cell);
      const words = nameWords(cell);
      if (/\d/.test(cell) || words.length < 2 || words.length > 5 || ORGANISATION.test(folded(cell)) || isCompany(cell))
        return [];
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

function placeUnder({ line, box }: Labelled, lines: readonly WordLine[]): Claim[] {
  const at = lines.indexOf(line);
  for (const under of lines.slice(at, at + ADDRESS_LINES)) {
    if (under.page !== line.page || under.box.y - line.box.y > 5 * line.fontSize) break;
    const match = POSTCODE.exec(under.text);
    const word =
      match && under.words.find(({ start, text }) => start <= match.index && start + text.length > match.index);
    if (match && word && word.box.x > box.x - line.fontSize)
      return [{ kind: 'place', value: match[0].replace(/[ -]/g, ''), text: match[0], page: under.page, box: word.box }];
  }
  return [];
}

function bornClaim(found: Labelled, read: ReadDay): Claim[] {
  const day = read(found.text)[0]?.day;
  return day?.year === undefined || day.year > LATEST_BIRTH ? [] : [claimOf('born', isoOf(day).slice(2), found)];
}

function claimOf(kind: Claim['kind'], value: string, { text, page, box }: Labelled): Claim {
  return { kind, value, text, page, box };
}
