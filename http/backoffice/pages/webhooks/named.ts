import { findListedApiKey, type ListedApiKey } from '../../../../db/access/api-keys.ts';
import { findListedWebhook } from '../../../../db/webhooks/delivery-lists.ts';
import { expectFound, type Parts, type Visit } from '../../route.ts';

/** The webhook of the address, in the visitor's scope. @throws NotFound */
export async function webhookOf({ param, scope }: Visit, { db }: Pick<Parts, 'db'>) {
  return expectFound(await findListedWebhook(db, scope, param('id')), 'Webhook');
}

/** The API key of the address, in the visitor's scope. @throws NotFound */
export async function keyOf({ param, scope, now }: Visit, { db }: Pick<Parts, 'db'>): Promise<ListedApiKey> {
  return expectFound(await findListedApiKey(db, scope, param('client_id'), now), 'API key');
}
