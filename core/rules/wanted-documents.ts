import { type DocumentType, documentTypes } from './document-types.ts';

/** Anything can be `other`, so no list can say that it is missing. */
export type WantedKind = Exclude<DocumentType, 'other'>;

/** One kind of document that a landlord wants from each applicant. */
export interface WantedDocument {
  type: WantedKind;
  count: number;
  /** How old it may be; undefined for any age. */
  maxAgeMonths?: number;
}

export const wantedKinds = documentTypes.filter((type): type is WantedKind => type !== 'other');

export const MAX_COUNT = 12;
export const MAX_AGE_MONTHS = 24;

/** A landlord's word for no list: one document of any kind is enough. */
export const ANY_DOCUMENT = 'any';

/** The usual lists by country, by the lower-case ISO 3166 code. */
export const usualDocuments: Record<string, string> = {
  es: 'identity, payslip:3:3, employment_letter, bank_statement:1:3',
  de: 'identity, payslip:3:3, employment_letter',
  fr: 'identity, payslip:3:3, employment_letter, tax_assessment',
  pt: 'identity, payslip:3:3, employment_letter, tax_assessment',
  gb: 'identity, payslip:3:3, employment_letter, bank_statement:3:3',
  it: 'identity, payslip:3:3, employment_letter, tax_assessment',
  nl: 'identity, payslip:3:3, employment_letter, bank_statement:1:3',
  pl: 'identity, employment_letter, bank_statement:3:3',
};

/** What is usual where no country is known. */
const USUAL_ANYWHERE = 'identity, payslip:3:3, employment_letter, tax_assessment, bank_statement:1:3';

/** English and Arabic tell no country. */
const countryOfLanguage = new Map([
  ['ca', 'es'],
  ...['de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'].map((one): [string, string] => [one, one]),
]);

/** What a landlord wants, by role. */
export interface WantedLists {
  documents: string | null;
  guarantor_documents: string | null;
}

export const NO_LISTS: WantedLists = { documents: null, guarantor_documents: null };

/**
 * What a landlord wants of a person: the list they gave for the role, or the one for all, or else the usual list of the country whose language
 * their pages have.
 */
export function wantedOf(
  { documents, guarantor_documents }: WantedLists,
  { isGuarantor }: { isGuarantor: boolean },
  language: string | null,
): WantedDocument[] {
  const list = (isGuarantor ? guarantor_documents : null) ?? documents;
  if (list === ANY_DOCUMENT) return [];
  const wanted = readWanted(list ?? usualDocuments[countryOfLanguage.get(language ?? '') ?? ''] ?? USUAL_ANYWHERE);
  return typeof wanted === 'string' ? [] : wanted;
}

/**
 * Reads a list such as `identity, payslip:3:3`: the kind, how many (one), and how many months old at most (any age).
 * @returns the list, or what is wrong with it
 */
export function readWanted(text: string): WantedDocument[] | string {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const wanted: WantedDocument[] = [];
  for (const part of parts) {
    const one = readOne(part);
    if (typeof one === 'string') return one;
    if (wanted.some(({ type }) => type === one.type)) return `names ${one.type} twice.`;
    wanted.push(one);
  }
  return wanted;
}

function readOne(part: string): WantedDocument | string {
  const [kind, count = '1', months, ...more] = part.split(':');
  const type = wantedKinds.find((known) => known === kind);
  if (!type) return `must name kinds among ${wantedKinds.join(', ')}.`;
  if (!isWhole(count, MAX_COUNT)) return `must ask for 1 to ${MAX_COUNT} of ${type}.`;
  if (months !== undefined && !isWhole(months, MAX_AGE_MONTHS))
    return `must allow ${type} to be 1 to ${MAX_AGE_MONTHS} months old.`;
  if (more.length > 0) return 'must have at most two numbers behind a kind, such as payslip:3:3.';
  return { type, count: Number(count), ...(months === undefined ? {} : { maxAgeMonths: Number(months) }) };
}

function isWhole(text: string, max: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= max;
}

/** The canonical text of a list. */
export function writeWanted(wanted: readonly WantedDocument[]): string {
  return wanted
    .map(({ type, count, maxAgeMonths }) =>
      maxAgeMonths === undefined ? (count === 1 ? type : `${type}:${count}`) : `${type}:${count}:${maxAgeMonths}`,
    )
    .join(', ');
}
