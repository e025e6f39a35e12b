import type { Knex } from 'knex';

/** Mails of the last day about passkeys that a member or an operator added, to limit how many there are. */
export async function up(db: Knex): Promise<void> {
  for (const [table, holder, holders] of [
    ['member_notices', 'member_id', 'members'],
    ['account_notices', 'account_id', 'console_accounts'],
  ] as const)
    await db.schema.createTable(table, (columns) => {
      columns.text('id').primary();
      columns.text(holder).notNullable().references(`${holders}.id`).onDelete('cascade');
      columns.text('sent_at').notNullable().index();
      columns.index([holder, 'sent_at']);
    });
}
