import type { Knex } from 'knex';

/** The API keys whose applications, webhooks and results a member sees. Admins see every key of their landlord. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('member_keys', (table) => {
    table.text('member_id').notNullable().references('members.id').onDelete('cascade');
    table.text('api_key_id').notNullable().index().references('api_keys.id');
    table.primary(['member_id', 'api_key_id']);
  });
}
