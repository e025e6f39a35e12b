import { folded } from '../labels.ts';

/** The names of companies, compared by their distinctive words. */

/** Legal forms, in folded text. Source: the registers of the countries whose languages are read. */
const LEGAL_FORM =
  /(?<![\p{L}])(?:gmbh(?: ?& ?co\.? ?kg(?:aa)?)?|ag|kg|ohg|ug|e\.?k\.?|ltd\.?|limited|plc|llp|inc\.?|llc|corp(?:\.|oration)?|s\.?a\.?s\.?u?|s\.?a\.?r\.?l\.?|eurl|s\.?l\.?u?\.?|s\.?a\.?u?\.?|s\.?p\.?a\.?|s\.?r\.?l\.?|b\.?v\.?|n\.?v\.?|sp\.? ?z ?o\.? ?o\.?|lda\.?)(?![\p{L}])/giu;
/** Words for a kind of company, which do not identify one. */
const COMMON = new Set(
  `der die das und am im of the and de del la el los las y du le les et di il e van het en sociedad compania company co
  gruppe group grupo groupe holding services service deutschland espana france italia international europe bank`.split(
    /\s+/,
  ),
);
const PAYS_FOR_OTHERS =
  /\b(?:adp|datev|paychex|sd worx|randstad|adecco|manpower|shared services|payroll services|lohnburo|holding|gestoria|verwaltung|bundeskasse|landesamt|landesbesoldung|zahlstelle|treasury|hmrc)\b/;

export const EMPLOYER_LABEL =
  /\b(?:arbeitgeber|firma|employer|company(?: name)?|empresa|employeur|entreprise|societe|azienda|ditta|datore di lavoro|werkgever|pracodawca|entidade)\b/;

export function isCompany(text: string): boolean {
  return new RegExp(LEGAL_FORM.source, 'iu').test(folded(text)) && /\p{L}{3}/u.test(text);
}

/** Folded, with its legal form. */
export function employerWords(text: string): string {
  return folded(text).replace(/\s+/g, ' ').trim();
}

/** The distinctive words of the company's name, without legal form and common words. */
export function distinctWords(name: string): string[] {
  return folded(name)
    .replace(LEGAL_FORM, ' ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3 && !COMMON.has(word));
}

/**
 * Whether the text of a booking may name the company: by one of its words, their beginnings, or its initials. Also true of payers that pay
 * for others.
 */
export function mayName(words: string, company: string): boolean {
  const written = folded(words)
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length >= 3);
  const own = distinctWords(company);
  const initials = own.map((word) => word.charAt(0)).join('');
  return (
    PAYS_FOR_OTHERS.test(folded(words)) ||
    own.some((word) => written.some((other) => other.startsWith(word.slice(0, 5)) || word.startsWith(other))) ||
    (initials.length >= 2 && new RegExp(`\\b${initials}`).test(folded(words)))
  );
}

/** How many words before a legal form may belong to the name, and within how many characters. */
const [MAX_WORDS, REACH] = [5, 200];

/** The company named in the text of a booking, with its legal form. */
export function companyIn(booking: string): string | undefined {
  const text = folded(booking)
    .split(/\s+/)
    .filter((word) => word !== '' && !/\d/.test(word))
    .join(' ');
  for (const { 0: form, index } of text.matchAll(LEGAL_FORM)) {
    const name = nameBefore(text.slice(Math.max(0, index - REACH), index));
    if (name !== '') return `${name} ${form}`;
  }
  return undefined;
}

/** The last words of a text that ends with a space, up to a separator. */
function nameBefore(text: string): string {
  if (!text.endsWith(' ')) return '';
  const name: string[] = [];
  for (const word of text.trimEnd().split(' ').slice(-MAX_WORDS).reverse()) {
    const parts = word.split(/[,/;]/);
    const own = parts.at(-1);
    if (own) name.unshift(own);
    if (parts.length > 1) break;
  }
  return name.join(' ');
}
