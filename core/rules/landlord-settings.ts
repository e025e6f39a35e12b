import { isStorableText } from '../text.ts';
import { readRentRule, writeRentRule } from './affordability.ts';
import { ANY_DOCUMENT, readWanted, usualDocuments, writeWanted } from './wanted-documents.ts';

/** What applicants read about a landlord, and what the landlord wants from them. Null where it was never set. */
export interface LandlordTexts {
  contact_name: string | null;
  contact_mail: string | null;
  contact_phone: string | null;
  privacy_url: string | null;
  imprint_url: string | null;
  /** The canonical list of wanted documents; without one, the usual list counts. */
  documents: string | null;
  guarantor_documents: string | null;
  /** What the rent may be: a share of the income (`35%`), or what the income must be: a multiple of the rent (`3x`). */
  rent_rule: string | null;
}

/**
 * Mails beyond the invitation. The product document has none of them, so all are off by default. `mails_lead` is about applications from the API:
 * the desk always mails the lead.
 */
export const mailSettings = ['mails_lead', 'mails_progress', 'mails_reminders'] as const;

/** The operator's periods that a landlord may shorten, because they are for data of its own API keys. */
export const periodSettings = {
  retain_applications_days: 'RETAIN_APPLICATIONS_DAYS',
  retain_documents_days: 'RETAIN_DOCUMENTS_DAYS',
  retain_verifications_days: 'RETAIN_VERIFICATIONS_DAYS',
  retain_analyses_days: 'RETAIN_ANALYSES_DAYS',
} as const;

export type PeriodSetting = keyof typeof periodSettings;

export const periodNames = Object.keys(periodSettings).filter((name): name is PeriodSetting => name in periodSettings);

/** After how many days a landlord wants its data deleted. Null for the operator's days. */
export type LandlordPeriods = Record<PeriodSetting, number | null>;

/** The days in force: a landlord's own are never longer than the operator's, which may have become shorter. Undefined where data is kept. */
export function keptDays(operators: number | undefined, own: number | null | undefined): number | undefined {
  return typeof own === 'number' ? Math.min(own, operators ?? own) : operators;
}

export type LandlordSettings = LandlordTexts & LandlordPeriods & Record<(typeof mailSettings)[number], boolean>;

export const NO_SETTINGS: LandlordSettings = {
  contact_name: null,
  contact_mail: null,
  contact_phone: null,
  privacy_url: null,
  imprint_url: null,
  documents: null,
  guarantor_documents: null,
  rent_rule: null,
  retain_applications_days: null,
  retain_documents_days: null,
  retain_verifications_days: null,
  retain_analyses_days: null,
  mails_lead: false,
  mails_progress: false,
  mails_reminders: false,
};

const MAX_TEXT_LENGTH = 200;
const MAX_URL_LENGTH = 500;

const readers: { [Name in keyof LandlordTexts]: (text: string) => Read } = {
  contact_name: (text) => (text.length > MAX_TEXT_LENGTH ? fault('is too long.') : { value: text }),
  contact_mail: (text) =>
    text.length <= MAX_TEXT_LENGTH && /^[^\s@<>,;"]+@[^\s@<>,;"]+\.[^\s@<>,;"]+$/.test(text)
      ? { value: text }
      : fault('must be an e-mail address.'),
  contact_phone: (text) =>
    /^\+?[\d ()./-]{5,30}$/.test(text) ? { value: text } : fault('must be a phone number, such as +34 910 000 000.'),
  privacy_url: readUrl,
  imprint_url: readUrl,
  documents: readList,
  guarantor_documents: readList,
  rent_rule: readRule,
};

type Read = { value: string; fault?: undefined } | { value?: undefined; fault: string };

/** The text as stored, or what is wrong with it, as the end of a sentence. */
export function readLandlordText(name: keyof LandlordTexts, text: string): Read {
  const trimmed = text.trim();
  if (trimmed === '' || !isStorableText(trimmed)) return fault('must be plain text that is not empty.');
  return readers[name](trimmed);
}

function readUrl(text: string): Read {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPage = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPage && url.href.length <= MAX_URL_LENGTH ? { value: url.href } : fault('must be an https address.');
}

function readRule(text: string): Read {
  const rule = readRentRule(text);
  return rule
    ? { value: writeRentRule(rule) }
    : fault('must be a share of the income, such as 35%, or a multiple of the rent, such as 3x.');
}

/** A list, the code of a country for the usual list there, or `any`. */
function readList(text: string): Read {
  if (text.toLowerCase() === ANY_DOCUMENT) return { value: ANY_DOCUMENT };
  const wanted = readWanted(usualDocuments[text.toLowerCase()] ?? text);
  return typeof wanted === 'string' ? fault(wanted) : { value: writeWanted(wanted) };
}

function fault(sentence: string): Read {
  return { fault: sentence };
}
