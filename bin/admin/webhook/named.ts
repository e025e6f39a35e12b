import type { Database } from '../../../db/connection/database.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { findListedWebhook, type ListedWebhook, webhookState } from '../../../db/webhooks/delivery-lists.ts';
import { expectFound } from '../cli/named.ts';

/** @throws OperatorError when there is no such webhook */
export async function namedWebhook(db: Database, id: string): Promise<ListedWebhook> {
  return expectFound(await findListedWebhook(db, ALL_LANDLORDS, id), 'webhook', id, 'webhook list');
}

/** The fields of a webhook in every output. @param formerSecretsUntil when the last replaced secret stops signing */
export function webhookFields(webhook: ListedWebhook, formerSecretsUntil: string | null) {
  return {
    webhook_id: webhook.id,
    url: webhook.url,
    status: webhookState(webhook),
    failing_since: webhook.failing_since,
    paused_at: webhook.paused_at,
    pause_reason: webhook.pause_reason,
    signed: webhook.sealed_secret !== null,
    former_secrets_until: formerSecretsUntil,
    client_id: webhook.client_id,
    api_key_name: webhook.api_key_name,
    api_key_revoked_at: webhook.revoked_at,
    api_key_expires_at: webhook.expires_at,
  };
}
