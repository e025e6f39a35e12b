import { cached } from '../../cached.ts';
import { besideLabel, type Labelled, type Part } from '../beside.ts';
import { folded } from '../labels.ts';
import { boxWithin, type WordLine } from '../words.ts';
import { EMPLOYER_LABEL, isCompany } from './companies.ts';
import { addressees, EMPLOYEE_LABEL, HOLDER_LABEL, NAME_LABEL, nameIn, partyIn } from './people.ts';

/** What a name stands for where it stands. */
type Role =
  | 'employee'
  | 'holder'
  | 'person'
  | 'addressee'
  | 'party'
  | 'salutation'
  | 'mention'
  | 'employer'
  | 'company';

export interface NamePlace extends Labelled {
  role: Role;
}

const SALUTATION =
  /^(?:sehr geehrter? (?:herr|frau)|liebe[rs]? (?:herr|frau)|dear (?:mr|mrs|ms|miss|dr)\.?|monsieur|madame|chere? (?:monsieur|madame)|estimad[oa] (?:sra?|don|dona)\.?|muy (?:sr|sra) (?:mio|mia)?\.?|gentile (?:sig\.?(?:ra|na)?|dott\.?(?:ssa)?)|egregio sig\.?|geachte (?:heer|mevrouw))[. ]+(?=\p{L})/u;
/** As in “we confirm that NAME”. */
const MENTION =
  /\b(?:dass|that|que|che)(?: (?:herrn?|frau|mr|mrs|ms|m|mme|madame|monsieur|don|dona|d|sr|sra|sig|sig\.ra)\.?)?(?= \p{L})/gu;
const MAX_WORDS = 4;
/** The bounds of a company's name, in characters. */
const [SHORTEST, LONGEST] = [5, 70];

/** The names of people and companies on lines, each once, in the places where forms and letters have names. */
export const namePlaces = cached((lines: readonly WordLine[]): NamePlace[] => {
  const labelled = (role: Role, label: RegExp, find: (text: string) => Part | undefined): NamePlace[] =>
    besideLabel(lines, label, find).map((found) => ({ ...found, role }));
  const found = [
    ...labelled('employee', EMPLOYEE_LABEL, nameIn),
    ...labelled('holder', HOLDER_LABEL, nameIn),
    ...addressees(lines).map((one): NamePlace => ({ ...one, role: 'addressee' })),
    ...lines.flatMap(partyIn).map((one): NamePlace => ({ ...one, role: 'party' })),
    ...lines.flatMap(salutationIn),
    ...labelled('person', NAME_LABEL, nameIn),
    ...labelled('mention', MENTION, nameIn),
    ...labelled('employer', EMPLOYER_LABEL, companyFirst),
    ...lines.flatMap(companiesIn),
  ];
  const known = new Set<string>();
  return found.filter(({ page, box }) => {
    const key = `${page} ${Math.round(box.x)} ${Math.round(box.y)}`;
    return known.size < known.add(key).size;
  });
});

function salutationIn(line: WordLine): NamePlace[] {
  const start = SALUTATION.exec(folded(line.text))?.[0].length;
  const name = start === undefined ? '' : (/^[\p{L}\p{M}.' -]+/u.exec(line.text.slice(start))?.[0].trim() ?? '');
  if (start === undefined || name === '' || name.split(' ').length > MAX_WORDS) return [];
  return [placed('salutation', line, start, name)];
}

function companyFirst(text: string): Part | undefined {
  const start = text.search(/\p{L}/u);
  const name = text.slice(Math.max(start, 0)).split(/\t|\s[-–—|·•]\s|,\s/)[0] ?? '';
  return start >= 0 && start < MAX_WORDS && isCompanyName(name)
    ? { text: name, start, end: start + name.length }
    : undefined;
}

/** Companies with their legal form, each a cell or a part of one. */
function companiesIn(line: WordLine): NamePlace[] {
  return line.text.split('\t').flatMap((cell) => {
    const name = companyFirst(cell);
    return name === undefined ? [] : [placed('company', line, line.text.indexOf(cell) + name.start, name.text)];
  });
}

function isCompanyName(text: string): boolean {
  return text.length >= SHORTEST && text.length <= LONGEST && /^\p{Lu}/u.test(text) && isCompany(text);
}

function placed(role: Role, line: WordLine, start: number, text: string): NamePlace {
  return { role, text, page: line.page, line, box: boxWithin(line, start, start + text.length) };
}
