import { oneLine } from '../../../core/text.ts';
import type { DeskMessage } from '../../../core/texts/desk-texts.ts';
import { oneIn, textIn } from '../query.ts';
import { Refused, type Visit } from '../route.ts';

/** What a form must hold. Each refuses in the reader's words. */

type Form = Pick<Visit, 'form' | 't'>;

const MAX_NAME_LENGTH = 100;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

/** @throws Refused */
export function givenText({ form, t }: Form, name: string, refusal: DeskMessage): string {
  const text = textIn(form, name);
  if (text === undefined) throw new Refused(400, t, refusal);
  return text;
}

/** @throws Refused */
export function givenOne<Allowed extends string>(
  { form, t }: Form,
  name: string,
  allowed: readonly Allowed[],
  refusal: DeskMessage,
): Allowed {
  const chosen = oneIn(form, name, allowed);
  if (chosen === undefined) throw new Refused(400, t, refusal);
  return chosen;
}

/** A name on one line. @throws Refused */
export function givenName(visit: Form, refusal: DeskMessage = 'refused.name', maxLength = MAX_NAME_LENGTH): string {
  const name = oneLine(givenText(visit, 'name', refusal));
  if (name === '' || name.length > maxLength) throw new Refused(400, visit.t, refusal);
  return name;
}

/** @throws Refused */
export function givenAddress({ form, t }: Form): string {
  const email = textIn(form, 'email') ?? '';
  if (!ADDRESS.test(email)) throw new Refused(400, t, 'refused.email', { email });
  return email;
}

/** A box that is ticked. */
export function isTicked({ form }: Pick<Visit, 'form'>, name: string): boolean {
  return form.get(name) === 'on';
}
