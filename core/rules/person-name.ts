import { ValidationError } from '../errors.ts';
import { isStorableText } from '../text.ts';

const MAX_LENGTH = 200;

/** Normalizes a name from a form. @throws ValidationError with a message for the person */
export function readPersonName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ');
  if (name === '') throw new ValidationError([], 'Enter your full name.');
  if ([...name].length > MAX_LENGTH) throw new ValidationError([], `Use no more than ${MAX_LENGTH} characters.`);
  if (!isStorableText(name)) throw new ValidationError([], 'Leave out the characters that cannot be read.');
  return name;
}
