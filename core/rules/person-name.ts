import { FormMistake, MAX_NAME_LENGTH } from './form-mistake.ts';

/** Normalizes a name from a form. @throws FormMistake */
export function readPersonName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ');
  if (name === '') throw new FormMistake('no-name');
  if ([...name].length > MAX_NAME_LENGTH) throw new FormMistake('long-name');
  return name;
}
