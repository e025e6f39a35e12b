import { newId } from '../../core/ids.ts';
import { emailSetKey } from '../../core/rules/participants.ts';
import { DAY_MS } from '../../core/time.ts';
import type { ApplicationRow, ParticipantRow } from '../../db/applications/applications.ts';
import type { TenantRow } from '../../db/applications/tenants.ts';
import { type Database, dialectOf, type Transaction } from '../../db/connection/database.ts';
import { rowsOfJson } from '../../db/connection/queries/many-values.ts';
import { inTransaction } from '../../db/connection/transactions.ts';

const AT_ONCE = 1_000;

export interface Size {
  applications: number;
  /** In each application. */
  participants: number;
}

/**
 * Inserts applications of a key, whose leads have accounts with completed profiles.
 * @returns an evenly spaced sample of their ids
 */
export async function furnish(
  db: Database,
  apiKeyId: string,
  { applications, participants }: Size,
  sampled: number,
  now: Date,
): Promise<string[]> {
  const sample: string[] = [];
  const every = Math.max(1, Math.floor(applications / sampled));
  for (let first = 0; first < applications; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, applications - first) }, (_, index) => first + index);
    const made = numbers.map((number) => application(apiKeyId, number, participants, new Date(now.getTime() - DAY_MS)));
    const rows = {
      tenants: made.map(({ tenant }) => tenant),
      applications: made.map(({ row }) => row),
      participants: made.flatMap(({ people }) => people),
    };
    await inTransaction(db, async (trx) => {
      for (const [table, ofTable] of Object.entries(rows)) await insert(trx, table, ofTable);
    });
    for (const [index, { row }] of made.entries())
      if ((first + index) % every === 0 && sample.length < sampled) sample.push(row.id);
  }
  return sample;
}

function application(apiKeyId: string, number: number, size: number, now: Date) {
  const id = newId();
  const at = now.toISOString();
  const emails = Array.from({ length: size }, (_, position) => `${apiKeyId}-${number}-${position}@mail.example`);
  const people = emails.map(
    (email, position): ParticipantRow => ({
      id: newId(),
      application_id: id,
      position,
      email,
      comparable_email: email,
      name: `Person ${number} ${position}`,
      is_lead: position === 0 ? 1 : 0,
      is_guarantor: 0,
      consent_status: position === 0 ? 'accepted' : 'pending',
      removed_at: null,
    }),
  );
  const row: Omit<ApplicationRow, 'property_internal_id'> = {
    id,
    api_key_id: apiKeyId,
    title: `Flat ${number} on Calle de Alcalá 42`,
    active_email_key: emailSetKey(emails),
    created_at: at,
    updated_at: at,
  };
  return { row, people, tenant: account(emails[0] ?? '', at) };
}

function account(email: string, at: string): TenantRow {
  return {
    id: newId(),
    email,
    comparable_email: email,
    name: email,
    profile_completed_at: at,
    profile_outdated_at: null,
    created_at: at,
    last_took_part_at: null,
  };
}

/** All rows have the columns of the first. What is a number there is one in each. */
async function insert(trx: Transaction, table: string, rows: readonly object[]): Promise<void> {
  const types = Object.entries(rows[0] ?? {}).map(([name, value]): [string, string] => [
    name,
    typeof value === 'number' ? 'integer' : 'text',
  ]);
  const given = rowsOfJson(dialectOf(trx), Object.fromEntries(types));
  await trx.raw(`insert into ${table} (${types.map(([name]) => name).join(', ')}) ${given}`, [JSON.stringify(rows)]);
}
