import { ValidationError } from '../errors.ts';

/** Characters are code points, as in the contract's own limits. @throws ValidationError naming `field` */
export function checkLength(field: string, text: string, limit: number): void {
  // As many code units at least as code points: most texts need no count.
  if (text.length <= limit) return;
  const { length } = Array.from(text);
  if (length > limit) {
    const message = `must have at most ${limit} characters; it has ${length}.`;
    throw new ValidationError([{ field, message }]);
  }
}
