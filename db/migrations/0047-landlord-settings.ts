import type { Knex } from 'knex';

/** What applicants read about a landlord, what the landlord wants from them, and which mails beyond the invitation they get. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('landlord_settings', (table) => {
    table.text('landlord_id').primary().references('landlords.id').onDelete('cascade');
    for (const name of ['contact_name', 'contact_mail', 'contact_phone', 'privacy_url', 'imprint_url'])
      table.text(name);
    for (const name of ['documents', 'guarantor_documents', 'rent_rule']) table.text(name);
    for (const name of ['mails_lead', 'mails_progress', 'mails_reminders'])
      table.specificType(name, 'smallint').notNullable().defaultTo(0);
  });
  await db.raw(
    'create index landlord_settings_mailing on landlord_settings (landlord_id) where mails_progress = 1 or mails_reminders = 1',
  );
}
