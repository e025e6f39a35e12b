import type { Knex } from 'knex';

const SHARED = 'id, member_id, name, credential_id, public_key, counter, challenge_at, created_at, used_at';

/** Passkeys of members and of operators, found by the id that the authenticator gave them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('passkeys', (table) => {
    table.text('id').primary();
    // One of the two.
    table.text('member_id').index().references('members.id').onDelete('cascade');
    table.text('account_id').index().references('console_accounts.id').onDelete('cascade');
    table.text('name').notNullable();
    table.text('credential_id').notNullable().unique();
    table.text('public_key').notNullable();
    // Up to 2^32 - 1, which an integer of Postgres cannot hold.
    table.bigInteger('counter').notNullable();
    // When the last challenge that it signed was issued: only later ones sign in.
    table.text('challenge_at').notNullable();
    table.text('created_at').notNullable();
    table.text('used_at');
  });
  await db.raw(`insert into passkeys (${SHARED}) select ${SHARED} from member_passkeys`);
  await db.schema.dropTable('member_passkeys');
}
