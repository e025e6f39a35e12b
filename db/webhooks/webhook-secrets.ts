import { newId } from '../../core/ids.ts';
import { expectRoomForFormer } from '../../core/secrets/former-secrets.ts';
import type { Database, Transaction } from '../connection/database.ts';
import type { WebhookRow } from './webhooks.ts';

/** A replaced secret that signs beside the current one until it expires. */
export interface FormerWebhookSecretRow {
  id: string;
  webhook_id: string;
  sealed_secret: string;
  expires_at: string;
}

/** The replaced secrets of a webhook that still sign, latest first. */
export function findFormerSecrets(db: Database, webhookId: string, now: Date): Promise<FormerWebhookSecretRow[]> {
  return db('former_webhook_secrets')
    .where({ webhook_id: webhookId })
    .where('expires_at', '>', now.toISOString())
    .orderBy('expires_at', 'desc')
    .orderBy('id');
}

/** Every stored replaced secret of a webhook, expired ones included, latest first. */
export function listFormerSecrets(db: Database, webhookId: string): Promise<FormerWebhookSecretRow[]> {
  return db('former_webhook_secrets').where({ webhook_id: webhookId }).orderBy('expires_at', 'desc');
}

/** The sealed secret of any webhook that signs. */
export async function findAnySealedSecret(db: Database): Promise<string | undefined> {
  const webhook = await db('webhooks').whereNotNull('sealed_secret').first('sealed_secret');
  return webhook?.sealed_secret ?? undefined;
}

/** The former secret signs too until `formerUntil`; undefined ends it and all earlier ones at once. @throws TooManySecrets */
export async function replaceSecret(
  trx: Transaction,
  webhook: WebhookRow,
  sealedSecret: string,
  { now, formerUntil }: { now: Date; formerUntil: Date | undefined },
): Promise<void> {
  const formers = () => trx('former_webhook_secrets').where({ webhook_id: webhook.id });
  await (formerUntil ? formers().where('expires_at', '<=', now.toISOString()) : formers()).delete();
  if (formerUntil && webhook.sealed_secret !== null) {
    expectRoomForFormer(await formers().pluck('expires_at'));
    await trx('former_webhook_secrets').insert({
      id: newId(),
      webhook_id: webhook.id,
      sealed_secret: webhook.sealed_secret,
      expires_at: formerUntil.toISOString(),
    });
  }
  await trx('webhooks').where({ id: webhook.id }).update({ sealed_secret: sealedSecret });
}
