import type { DeskMessage, DeskTexts } from '../../core/texts/desk-texts.ts';
import { refusalOf } from '../edge/on-error.ts';
import type { Office } from './office.ts';
import { type Fault, Forbidden, Refusal } from './route.ts';

const WORDS: Record<number, readonly [title: DeskMessage, text: DeskMessage]> = {
  400: ['error.400.title', 'error.400.text'],
  403: ['error.403.title', 'error.role'],
  404: ['error.404.title', 'error.404.text'],
  405: ['error.405.title', 'error.405.text'],
  409: ['error.409.title', 'error.409.text'],
  503: ['error.503.title', 'error.503.text'],
};

const UNEXPECTED = ['error.500.title', 'error.500.text'] as const;

interface OfficeRefusal {
  status: number;
  title: string;
  faults: readonly Fault[];
  headers?: Record<string, string> | undefined;
}

/**
 * What an error means to a visitor of an office. Operators read the service's own words. Members read their language, and no words about another
 * landlord's things.
 */
export function refusalFor(office: Office<never>['name'], t: DeskTexts, error: unknown): OfficeRefusal {
  const known = refusalOf(error);
  const status = error instanceof Refusal ? error.status : error instanceof Forbidden ? 403 : (known?.status ?? 500);
  const [title, text] = WORDS[status] ?? UNEXPECTED;
  const words = { status, title: t.text(title), headers: known?.headers };
  if (error instanceof Refusal) return { ...words, faults: error.faults };
  if (error instanceof Forbidden) return { ...words, faults: [{ text: error.message }] };
  return { ...words, faults: [{ text: known && office === 'console' ? known.message : t.text(text) }] };
}
