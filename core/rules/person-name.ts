import { isStorableText } from '../text.ts';
import { FormMistake, LONGEST_NAME } from './form-mistake.ts';

/** Normalizes a name from a form. @throws FormMistake */
export function readPersonName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ');
  if (name === '') throw new FormMistake('no-name');
  if ([...name].length > LONGEST_NAME) throw new FormMistake('long-name');
  if (!isStorableText(name)) throw new FormMistake('unreadable-name');
  return name;
}
