import type { Knex } from 'knex';

/** The mailbox behind the address of a mail: `name+tag@domain` is delivered to `name@domain`. Rows live for a day, so none is filled in. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table sent_mails add column mailbox text');
}
