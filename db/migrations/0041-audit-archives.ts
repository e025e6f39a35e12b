import type { Knex } from 'knex';

const MESSAGE = 'The audit log is append-only.';

/** Which entries of the audit log are in sealed files instead: the triggers let these be deleted, and no others. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('audit_archives', (table) => {
    table.bigInteger('last_position').primary();
    table.bigInteger('first_position').notNullable().unique();
    table.text('last_hash').notNullable();
    table.text('file_sha256').notNullable();
    table.text('key_fingerprint').notNullable();
    table.text('created_at').notNullable();
  });
  await (db.client.config.client === 'pg' ? permitOnPostgres(db) : permitOnSqlite(db));
}

async function permitOnSqlite(db: Knex): Promise<void> {
  const refuse = `begin select raise(abort, '${MESSAGE}'); end`;
  await db.raw('drop trigger audit_entries_no_delete');
  await db.raw(`create trigger audit_entries_no_delete before delete on audit_entries
    when old.position is null or old.position > coalesce((select max(last_position) from audit_archives), 0) ${refuse}`);
  for (const change of ['update', 'delete'])
    await db.raw(`create trigger audit_archives_no_${change} before ${change} on audit_archives ${refuse}`);
}

/** Triggers by row, which the partitioned table has, permit it; the ones by statement go on refusing everything. */
async function permitOnPostgres(db: Knex): Promise<void> {
  await db.raw(`create or replace function refuse_audit_change() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and tg_level = 'ROW' then
      if old.position <= (select max(last_position) from audit_archives) then return old; end if;
    end if;
    raise exception '${MESSAGE}';
  end $$`);
  await db.raw(`create trigger audit_archives_no_change before update or delete or truncate on audit_archives
    for each statement execute function refuse_audit_change()`);
}
