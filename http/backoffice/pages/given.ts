import { oneLine } from '../../../core/text.ts';
import type { DeskMessage } from '../../../core/texts/desk-texts.ts';
import { oneIn, textIn } from '../query.ts';
import { type Fault, Refusal, Refused, type Visit } from '../route.ts';

/** What a form must hold. Each refuses in the reader's words. */

type Form = Pick<Visit, 'form' | 't'>;

export const MAX_NAME_LENGTH = 100;
export const MAX_ADDRESS_LENGTH = 320;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

type Attempt<Value> = { value: Value } | { faults: readonly Fault[] };

function attempt<Value>(read: () => Value): Attempt<Value> {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return { faults: error.faults };
    throw error;
  }
}

const faultsIn = (one: Attempt<unknown>) => ('faults' in one ? one.faults : []);

/** Reads one after a fault of the other, too, so that a refusal names every fault. @throws Refusal */
export function both<One, Other>(one: () => One, other: () => Other): [One, Other] {
  const [first, second] = [attempt(one), attempt(other)];
  if ('value' in first && 'value' in second) return [first.value, second.value];
  throw new Refusal(400, [...faultsIn(first), ...faultsIn(second)]);
}

/** The same for any number. @throws Refusal */
export function each<Item, Value>(items: readonly Item[], read: (item: Item) => Value): Value[] {
  const all = items.map((item) => attempt(() => read(item)));
  const faults = all.flatMap(faultsIn);
  if (faults.length > 0) throw new Refusal(400, faults);
  return all.flatMap((one) => ('value' in one ? [one.value] : []));
}

/** @throws Refused */
export function givenText({ form, t }: Form, name: string, refusal: DeskMessage): string {
  const text = textIn(form, name);
  if (text === undefined) throw new Refused(400, t, refusal, {}, name);
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
  if (chosen === undefined) throw new Refused(400, t, refusal, {}, name);
  return chosen;
}

/** A name on one line. @throws Refused */
export function givenName(visit: Form, refusal: DeskMessage = 'refused.name', maxLength = MAX_NAME_LENGTH): string {
  const name = oneLine(givenText(visit, 'name', refusal));
  if (name === '' || name.length > maxLength) throw new Refused(400, visit.t, refusal, {}, 'name');
  return name;
}

/** @throws Refused */
export function givenAddress({ form, t }: Form): string {
  const email = textIn(form, 'email') ?? '';
  if (!ADDRESS.test(email)) throw new Refused(400, t, 'refused.email', { email }, 'email');
  return email;
}

/** A box that is ticked. */
export function isTicked({ form }: Pick<Visit, 'form'>, name: string): boolean {
  return form.get(name) === 'on';
}
