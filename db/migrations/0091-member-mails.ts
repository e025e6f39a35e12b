import type { Knex } from 'knex';

/** Mails of the last day to members of a landlord, and to addresses that it invited, to limit how many there are. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('member_mails', (table) => {
    table.text('id').primary();
    table.text('landlord_id').notNullable().references('landlords.id');
    table.text('kind').notNullable();
    table.text('mailbox').notNullable();
    table.text('sent_at').notNullable();
    table.index(['landlord_id', 'kind', 'mailbox', 'sent_at']);
    table.index(['landlord_id', 'kind', 'sent_at']);
    table.index('sent_at');
  });
}
