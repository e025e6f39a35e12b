import type { Knex } from 'knex';

const FIXED = ['sequence', 'at', 'actor_kind', 'actor', 'action', 'resource_id', 'correlation_id'];

/** The triggers of migration 0016, by row: Postgres gives those to each partition, but not the ones by statement. */
export async function guardAuditLog(trx: Knex): Promise<void> {
  const changed = FIXED.map((column) => `new.${column} is distinct from old.${column}`).join(' or ');
  await trx.raw(`create trigger audit_entries_no_change before update on audit_entries for each row
    when (old.hash is not null or ${changed}) execute function refuse_audit_change()`);
  await trx.raw(`create trigger audit_entries_no_delete before delete on audit_entries for each row
    execute function refuse_audit_change()`);
  await guardFromTruncate(trx, 'audit_entries');
}

export async function unguardAuditLog(trx: Knex): Promise<void> {
  for (const name of ['audit_entries_no_change', 'audit_entries_no_delete'])
    await trx.raw(`drop trigger if exists ${name} on audit_entries`);
}

/** Of the whole, or of a partition, where the trigger of the whole does not count. */
export async function guardFromTruncate(trx: Knex, table: string): Promise<void> {
  await trx.raw(`create trigger audit_entries_no_truncate before truncate on ${table} for each statement
    execute function refuse_audit_change()`);
}
