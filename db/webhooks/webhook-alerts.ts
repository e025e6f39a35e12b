import { idsOf } from '../../core/ids.ts';
import type { Language } from '../../core/texts/languages.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { inForce } from '../access/api-key-states.ts';
import type { Database, Transaction } from '../connection/database.ts';

/** That a member was mailed about a failing webhook, and when it was over for them. */
export interface WebhookAlertRow {
  webhook_id: string;
  member_id: string;
  told_at: string;
  /** When the webhook was resumed after the mail. */
  resumed_at: string | null;
  /** When they were mailed that it recovered, or stopped being concerned. */
  over_at: string | null;
}

/** A webhook that a mail names. */
export interface AlertedWebhook {
  id: string;
  key_name: string;
  failing_since: string | null;
}

export interface AlertedMember {
  id: string;
  landlord_id: string;
  mail_address: string;
  language: Language | null;
  landlord_name: string;
}

export type AlertKind = 'failing' | 'recovered';

/** Pairs of a webhook and a member who looks after it: admins of its landlord, and developers with its API key, unless they declined. */
function cared(db: Database) {
  return db('webhooks')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .join('members', 'members.landlord_id', 'api_keys.landlord_id')
    .whereNull('members.disabled_at')
    .where('members.mails_webhooks', 1)
    .where((rows) =>
      rows
        .where('members.role', 'admin')
        .orWhere((developers) =>
          developers
            .where('members.role', 'developer')
            .whereExists(
              db('member_keys')
                .where('member_keys.member_id', db.ref('members.id'))
                .where('member_keys.api_key_id', db.ref('webhooks.api_key_id'))
                .select(db.raw('1')),
            ),
        ),
    );
}

/** Webhooks that have failed for long, with the members who were not mailed about it yet. */
function failing(db: Database, before: string, now: Date) {
  const alerts = db('webhook_alerts')
    .whereNull('over_at')
    .where('webhook_alerts.webhook_id', db.ref('webhooks.id'))
    .where('webhook_alerts.member_id', db.ref('members.id'));
  return cared(db)
    .whereNull('webhooks.paused_at')
    .where('webhooks.failing_since', '<=', before)
    .where(inForce(now))
    .whereNotExists(alerts.select(db.raw('1')));
}

/**
 * Webhooks that succeeded after members were mailed that they fail. A resume alone is no success. `tidyAlerts` has closed the alerts of members
 * who are no longer concerned.
 */
function recovered(db: Database) {
  return db('webhook_alerts')
    .join('webhooks', 'webhooks.id', 'webhook_alerts.webhook_id')
    .whereNull('webhook_alerts.over_at')
    .whereNull('webhooks.failing_since')
    .whereNull('webhooks.paused_at')
    .whereRaw('(webhook_alerts.resumed_at is null or webhooks.last_triggered_at > webhook_alerts.resumed_at)');
}

/** The members to mail, in the order of their ids. @param before how long a webhook has failed by now @param after the last member of the page before */
export async function membersOwedAlerts(
  db: Database,
  kind: AlertKind,
  { before, after, limit }: { before: string; after: string; limit: number },
  now: Date,
): Promise<AlertedMember[]> {
  const ids: { id: string }[] =
    kind === 'failing'
      ? await failing(db, before, now)
          .where('members.id', '>', after)
          .orderBy('members.id')
          .limit(limit)
          .distinct({ id: 'members.id' })
      : await recovered(db)
          .where('webhook_alerts.member_id', '>', after)
          .orderBy('webhook_alerts.member_id')
          .limit(limit)
          .distinct({ id: 'webhook_alerts.member_id' });
  return db('members')
    .join('landlords', 'landlords.id', 'members.landlord_id')
    .leftJoin('landlord_brands', 'landlord_brands.landlord_id', 'members.landlord_id')
    .whereIn('members.id', idsOf(ids))
    .orderBy('members.id')
    .select('members.id', 'members.landlord_id', 'mail_address', 'landlords.name as landlord_name')
    .select({ language: db.raw<Language | null>('coalesce(members.language, landlord_brands.language)') });
}

/** The webhooks that the mail to a member is about. */
export async function webhooksToTell(
  db: Database,
  kind: AlertKind,
  { memberId, before, limit }: { memberId: string; before: string; limit: number },
  now: Date,
): Promise<AlertedWebhook[]> {
  const columns = ['webhooks.id', 'api_keys.name as key_name', 'failing_since'] as const;
  if (kind === 'failing')
    return failing(db, before, now)
      .where('members.id', memberId)
      .orderBy('webhooks.id')
      .limit(limit)
      .select<AlertedWebhook[]>(...columns);
  return recovered(db)
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .where('webhook_alerts.member_id', memberId)
    .orderBy('webhooks.id')
    .limit(limit)
    .select<AlertedWebhook[]>(...columns);
}

/** How many such mails the member got within a day. */
export async function countAlertMails(db: Database, memberId: string, now: Date): Promise<number> {
  const since = isoAfter(now, -DAY_MS);
  const times = (column: 'told_at' | 'over_at') =>
    db('webhook_alerts').where({ member_id: memberId }).where(column, '>', since).distinct(column);
  return (await times('told_at')).length + (await times('over_at')).length;
}

/** Remembers that a mail was sent. */
export async function noteAlertMail(
  trx: Transaction,
  kind: AlertKind,
  memberId: string,
  webhookIds: readonly string[],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  if (kind === 'recovered') {
    const open = trx('webhook_alerts').where({ member_id: memberId }).whereNull('over_at');
    await open.whereIn('webhook_id', webhookIds).update({ over_at: at });
    return;
  }
  // A webhook that was deleted meanwhile has no row.
  const kept = await trx('webhooks').whereIn('id', webhookIds).orderBy('id').forKeyShare().pluck('id');
  for (const webhook_id of kept) await trx('webhook_alerts').insert({ webhook_id, member_id: memberId, told_at: at });
}

/** Closes alerts of members who are no longer concerned, and deletes those that no longer count. */
export async function tidyAlerts(trx: Transaction, now: Date): Promise<void> {
  await trx('webhook_alerts')
    .whereNull('over_at')
    .whereNotExists(
      cared(trx)
        .where('webhooks.id', trx.ref('webhook_alerts.webhook_id'))
        .where('members.id', trx.ref('webhook_alerts.member_id'))
        .select(trx.raw('1')),
    )
    .update({ over_at: now.toISOString() });
  await trx('webhook_alerts').where('over_at', '<=', isoAfter(now, -DAY_MS)).delete();
}
