import type { Knex } from 'knex';

/** What a member or an operator filled in before they were asked to prove who they are: the page shows it again. One form of each. */
export async function up(db: Knex): Promise<void> {
  for (const [table, holder, holders] of [
    ['member_forms', 'member_id', 'members'],
    ['account_forms', 'account_id', 'console_accounts'],
  ] as const)
    await db.schema.createTable(table, (columns) => {
      columns.text(holder).notNullable().primary().references(`${holders}.id`).onDelete('cascade');
      columns.text('sealed_form').notNullable();
      columns.text('kept_at').notNullable().index();
    });
}
