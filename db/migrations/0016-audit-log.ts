import type { Knex } from 'knex';

const FIXED = ['sequence', 'at', 'actor_kind', 'actor', 'action', 'resource_id', 'correlation_id'];

/**
 * Who did what to which resource. An entry commits with the action that it records. It joins the hash chain later, once, so that
 * writers need not wait for each other. Triggers refuse any other change.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('audit_entries', (table) => {
    table.bigIncrements('sequence');
    table.text('at').notNullable();
    table.text('actor_kind').notNullable();
    table.text('actor').notNullable();
    table.text('action').notNullable();
    table.text('resource_id').notNullable();
    table.text('correlation_id');
    table.bigInteger('position').unique();
    table.text('hash');
    table.index('resource_id');
  });
  await db.raw('create index audit_entries_unchained on audit_entries (sequence) where hash is null');
  await (db.client.config.client === 'pg' ? refuseOnPostgres(db) : refuseOnSqlite(db));
}

async function refuseOnSqlite(db: Knex): Promise<void> {
  const changed = FIXED.map((column) => `new.${column} is not old.${column}`).join(' or ');
  const refuse = `begin select raise(abort, 'The audit log is append-only.'); end`;
  await db.raw(
    `create trigger audit_entries_no_change before update on audit_entries when old.hash is not null or ${changed} ${refuse}`,
  );
  await db.raw(`create trigger audit_entries_no_delete before delete on audit_entries ${refuse}`);
  // `insert or replace` deletes without that trigger.
  await db.raw(
    `create trigger audit_entries_no_replace before insert on audit_entries
     when exists (select 1 from audit_entries where sequence = new.sequence or position = new.position) ${refuse}`,
  );
}

async function refuseOnPostgres(db: Knex): Promise<void> {
  const changed = FIXED.map((column) => `new.${column} is distinct from old.${column}`).join(' or ');
  await db.raw(`create function refuse_audit_change() returns trigger language plpgsql as
    $$ begin raise exception 'The audit log is append-only.'; end $$`);
  await db.raw(`create trigger audit_entries_no_change before update on audit_entries for each row
    when (old.hash is not null or ${changed}) execute function refuse_audit_change()`);
  await db.raw(`create trigger audit_entries_no_delete before delete or truncate on audit_entries for each statement
    execute function refuse_audit_change()`);
}
