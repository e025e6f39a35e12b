import { listApiKeys } from '../../../db/access/api-keys.ts';
import { oneIn, textIn } from '../query.ts';
import type { Parts, Visit } from '../route.ts';
import { choice, field } from '../views/forms.ts';

/** A landlord has few keys; a list that offers them ends here. */
export const MAX_KEYS = 100;

/** The API key by which a list is filtered: members choose among those of their scope, operators type a client_id. */
export async function keyChoice({ scope, t, now, query }: Visit, { db }: Pick<Parts, 'db'>) {
  const chosen = textIn(query, 'client_id') ?? '';
  if (scope.of === 'all landlords')
    return { clientId: chosen || undefined, shown: field('client_id', t.text('key'), chosen, 'client_id') };
  const keys = await listApiKeys(db, scope, {}, MAX_KEYS, now);
  const ids = keys.map(({ client_id }) => client_id);
  const clientId = oneIn(query, 'client_id', ids);
  const options = keys.map(({ client_id, name }) => [client_id, name] as const);
  const any = [['', t.text('filter.any')] as const];
  return {
    clientId,
    shown: keys.length > 1 ? choice('client_id', t.text('key'), [...any, ...options], chosen) : undefined,
  };
}
