import { isInForce } from '../../../db/access/api-key-states.ts';
import { type ListedApiKey, listApiKeys } from '../../../db/access/api-keys.ts';
import type { OneLandlord } from '../../../db/connection/queries/scope.ts';
import { createMemberKey, MAX_MEMBER_KEYS } from '../../../jobs/access/keys.ts';
import { oneIn, textIn } from '../query.ts';
import { type Parts, Refused, type Visit } from '../route.ts';
import { choice, type Field, field, filterChoice, hidden } from '../views/forms.ts';

/** A landlord has few keys; a list that offers them ends here. */
export const MAX_KEYS = 100;

const optionsOf = (keys: readonly ListedApiKey[]) => keys.map(({ client_id, name }) => [client_id, name] as const);

/** The API key by which a list is filtered: members choose among those of their scope, operators type a client_id. */
export async function keyChoice({ scope, t, now, query }: Visit, { db }: Pick<Parts, 'db'>) {
  const chosen = textIn(query, 'client_id') ?? '';
  if (scope.of === 'all landlords')
    return {
      clientId: chosen || undefined,
      shown: field('client_id', t.text('key'), { value: chosen, hint: 'client_id' }),
    };
  const keys = await listApiKeys(db, scope, {}, MAX_KEYS, now);
  const ids = keys.map(({ client_id }) => client_id);
  const clientId = oneIn(query, 'client_id', ids);
  const shown = keys.length > 1 ? filterChoice(t, 'client_id', t.text('key'), optionsOf(keys), clientId) : undefined;
  return { clientId, shown };
}

/** The keys under which the member can create something. */
export async function openKeys({ scope, now }: Visit<OneLandlord>, { db }: Pick<Parts, 'db'>): Promise<ListedApiKey[]> {
  return (await listApiKeys(db, scope, {}, MAX_KEYS, now)).filter((key) => isInForce(key, now));
}

/** Creates a key for the member. @throws Refused */
export async function newKey({ scope, actor, visitor, t }: Visit<OneLandlord>, parts: Parts, name: string) {
  const order = { landlordId: scope.landlordId, name, memberId: visitor.id };
  const created = await createMemberKey(parts, order, actor);
  if (!created) throw new Refused(409, t, 'refused.keys', { limit: MAX_MEMBER_KEYS });
  return created;
}

/** The choice among several keys. */
export function fieldOfKeys(
  { t }: Pick<Visit, 't'>,
  keys: readonly ListedApiKey[],
  chosen?: string,
): Field | undefined {
  const [first] = keys;
  if (keys.length < 2) return first && hidden({ client_id: first.client_id });
  return choice('client_id', t.text('key'), optionsOf(keys), chosen ?? first?.client_id ?? '');
}

/** @throws Refused */
export function chosenKey({ form, t }: Visit, keys: readonly ListedApiKey[]): ListedApiKey {
  const chosen = keys.find(({ client_id }) => client_id === textIn(form, 'client_id'));
  if (!chosen) throw new Refused(400, t, 'refused.key', {}, 'client_id');
  return chosen;
}
