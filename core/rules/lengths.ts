import { ValidationError } from '../errors.ts';
import { RULE_MESSAGES } from '../messages.ts';

/** Characters are code points, as in the contract's own limits. @throws ValidationError naming `field` */
export function checkLength(field: string, text: string, limit: number): void {
  // There are at least as many code units as code points, so most texts need no count.
  if (text.length <= limit) return;
  const { length } = Array.from(text);
  if (length > limit) throw new ValidationError([{ field, message: RULE_MESSAGES.tooLong(limit, length) }]);
}
