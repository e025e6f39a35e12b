import type { Knex } from 'knex';

/** What monitoring looks up every few seconds: the paused webhooks and the last backup, without reading what else there is. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create index webhooks_paused on webhooks (id) where paused_at is not null');
  await db.raw("create index audit_entries_backups on audit_entries (sequence) where action = 'database.backup'");
}
