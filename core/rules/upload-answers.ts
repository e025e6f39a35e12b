import type { DocumentType } from './document-types.ts';
import type { WantedDocument } from './wanted-documents.ts';

/** What a document shows at first sight; the engine's `Glance`. */
export interface SeenDocument {
  look?: DocumentType;
  possible: readonly DocumentType[];
  day?: string;
  expires?: string;
  numbers: readonly number[];
  missing: readonly number[];
  count: number;
  isPicture: boolean;
}

/** A document that a person handed in, and what it shows. */
export interface HandedIn {
  id: string;
  type: DocumentType | null;
  media_type: string;
  sha256: string;
  /** Undefined when it could not be read, or an earlier version accepted it. */
  seen?: SeenDocument | undefined;
}

/** What the person should know about a document that was accepted. Never a refusal: they may keep it. */
export type UploadAnswer =
  | { kind: 'same' }
  | { kind: 'look'; look: DocumentType }
  | { kind: 'old'; day: string; months: number }
  | { kind: 'expired'; day: string }
  | { kind: 'pages'; missing: readonly number[] }
  | { kind: 'photo' };

interface Asked {
  wanted: readonly WantedDocument[];
  /** Such as `2026-03-31`. */
  today: string;
}

/** Documents that a portal offers as a file. A letter or an identity document is made of paper or plastic. */
const FROM_PORTALS: readonly (DocumentType | null)[] = ['payslip', 'bank_statement', 'tax_assessment'];

/** The answers about one document, the most important first. */
export function answersOn(document: HandedIn, all: readonly HandedIn[], { wanted, today }: Asked): UploadAnswer[] {
  const { type, seen, sha256 } = document;
  const first = all.find((other) => other.sha256 === sha256);
  if (first && first.id !== document.id) return [{ kind: 'same' }];
  const answers: UploadAnswer[] = [];
  const look = otherLook(document);
  if (look) answers.push({ kind: 'look', look });
  const months = wanted.find((one) => one.type === type)?.maxAgeMonths;
  if (!look && months !== undefined && seen?.day !== undefined && seen.day < monthsBefore(today, months))
    answers.push({ kind: 'old', day: seen.day, months });
  if (type === 'identity' && seen?.expires !== undefined && seen.expires < today)
    answers.push({ kind: 'expired', day: seen.expires });
  const missing = missingPages(document, all);
  if (missing.length > 0) answers.push({ kind: 'pages', missing });
  if (FROM_PORTALS.includes(type) && (seen?.isPicture ?? document.media_type.startsWith('image/')))
    answers.push({ kind: 'photo' });
  return answers;
}

/** Said only when nothing speaks for the kind that the person chose. */
function otherLook({ type, seen }: HandedIn): DocumentType | undefined {
  if (!seen?.look || seen.look === type) return undefined;
  return type !== null && seen.possible.includes(type) ? undefined : seen.look;
}

/** A page in another file of the same kind is not missing. */
function missingPages({ id, type, seen }: HandedIn, all: readonly HandedIn[]): number[] {
  const others = all.filter((other) => other.id !== id && other.type === type);
  const elsewhere = new Set(others.flatMap((other) => other.seen?.numbers ?? []));
  return (seen?.missing ?? []).filter((number) => (number === 1 ? !isContinued(others) : !elsewhere.has(number)));
}

/** Every complete file has a page 1: only a file that lacks later pages can be the beginning of another. */
function isContinued(others: readonly HandedIn[]): boolean {
  return others.some(({ seen }) => seen?.numbers.includes(1) && seen.missing.length > 0);
}

/** Such as `2026-03-31` minus one month: `2026-02-28`. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  const wanted = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months + 1, 0);
  date.setUTCDate(Math.min(wanted, date.getUTCDate()));
  return date.toISOString().slice(0, 10);
}
