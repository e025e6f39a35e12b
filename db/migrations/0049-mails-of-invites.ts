import type { Knex } from 'knex';

/**
 * What the mail of a row is about, beyond the invitation, and how many reminders the person got; null means an invitation. The version
 * before treats such a mail as an invitation that was answered, and cancels it.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table invites add column about text');
  await db.raw('alter table invites add column reminders integer');
  await db.raw('alter table invites add column reminders_stopped_at text');
}
