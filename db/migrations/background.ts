import type { Knex } from 'knex';
import { UNKNOWN_KEY } from '../../core/party.ts';
import type { PartitionedTable } from '../../core/rules/partitions.ts';
import { DAY_MS } from '../../core/time.ts';
import { listForgottenWork } from './forgotten-work.ts';
import type { Beside } from './partition-tables.ts';

/**
 * Long work that follows a migration beside the running service: workers do it after the start, or `db migrate --background`.
 * No statement of this version or the one before depends on it; a later migration may, by its `after`.
 */
export type BackgroundMigration = { name: string } & (BuildIndex | BackFill | Rearrangement);

export interface BuildIndex {
  index: {
    /** Table, columns and condition: `landlords (name) where name <> ''`. */
    on: string;
    unique?: boolean;
    /** SQLite, whose tables stay smaller, does without. */
    only?: 'postgres';
    name: string;
  };
}

export interface BackFill {
  /**
   * Changes some rows behind a position, in a transaction with the note of how far it came, so that it goes on there in any process.
   * @param position where the batch before ended; null at first
   * @returns where this one ended, and how many rows it changed; undefined once there are no more
   */
  batch(trx: Knex.Transaction, position: string | null): Promise<{ position: string; rows: number } | undefined>;
}

/** A change of tables that the version before does not know. */
export interface Rearrangement {
  /** How long after the upgrade it begins: by then, no process of the version before runs. */
  restMs: number;
  /** Idempotent: it goes on where it was interrupted. @returns whether it is done */
  rearrange(beside: Beside, now: Date): Promise<boolean>;
  /** In an empty database. */
  atOnce(trx: Knex, now: Date): Promise<void>;
}

/** Since it is done, ids of events begin with their time, and their bodies are in a table of their own. */
export const EVENTS_APART = 'events_apart';

/** The index of a table's due work by API key. */
export const dueByKey = (table: string) => `${table}_due_by_key`;

const byKey = `coalesce(api_key_id, '${UNKNOWN_KEY}')`;

/** In order; never edited once released. */
export const backgroundMigrations: readonly BackgroundMigration[] = [
  // What operators list is found from its newest row on, in any state: docs/decisions/0041.
  listed('deliveries_listed_pending', "deliveries (created_at, id) where status = 'pending' and due_at is not null"),
  listed(
    'deliveries_listed_held',
    "deliveries (created_at, id) where status = 'pending' and coalesce(due_at, '') = ''",
  ),
  listed('deliveries_listed_failed', "deliveries (created_at, id) where status = 'failed'"),
  listed('deliveries_failed_by_end', "deliveries (finished_at) where status = 'failed'"),
  listed('events_listed_by_kind', 'events (event, created_at, id)'),
  listed('webhooks_listed', 'webhooks (created_at, id)'),
  listed('webhooks_listed_failing', 'webhooks (created_at, id) where failing_since is not null'),
  listed('api_keys_listed', 'api_keys (created_at, id)'),
  listed('landlords_listed', 'landlords (created_at, id)'),
  listed('workspaces_listed', 'workspaces (created_at, id)'),
  listed('applications_listed', 'applications (created_at, id)'),
  listed('applications_listed_by_key', 'applications (api_key_id, created_at, id)'),
  listed('tenants_listed', 'tenants (created_at, id)'),
  listed('invites_listed', 'invites (status, created_at, id)'),
  listed('kyc_verifications_listed', 'kyc_verifications (status, created_at, id)'),
  listed('eid_flows_listed', 'eid_flows (status, created_at, id)'),
  listed('forensic_runs_listed', 'forensic_runs (status, created_at, id)'),
  listed('audit_entries_listed_by_actor', 'audit_entries (actor, sequence)'),
  listed('audit_entries_listed_by_action', 'audit_entries (action, sequence)'),
  listed('deliveries_by_event', 'deliveries (event_id, webhook_id)'),
  // See docs/decisions/0051. SQLite keeps its tables.
  {
    name: EVENTS_APART,
    ...partitioned(['delivery_attempts', 'deliveries', 'event_bodies', 'events']),
  },
  { name: 'audit_entries_by_month', ...partitioned(['audit_entries']) },
  {
    name: 'forensic_runs_by_key_and_end',
    index: { name: 'forensic_runs_by_key_and_end', on: 'forensic_runs (tenant_id, api_key_id, finished_at)' },
  },
  {
    name: 'sent_mails_by_mailbox',
    index: { name: 'sent_mails_by_mailbox', on: 'sent_mails (api_key_id, mailbox, sent_at)' },
  },
  ...['invites', 'kyc_verifications', 'eid_flows', 'forensic_runs', 'deliveries', 'bank_connections', 'reports'].map(
    indexedByKey,
  ),
  // The conditions of webhooks and API keys.
  {
    name: 'webhooks_failing_since',
    index: { name: 'webhooks_failing_since', on: 'webhooks (failing_since) where failing_since is not null' },
  },
  {
    name: 'members_disabled',
    index: { name: 'members_disabled', on: 'members (disabled_at) where disabled_at is not null' },
  },
  {
    name: 'api_keys_expiring',
    index: { name: 'api_keys_expiring', on: 'api_keys (expires_at) where expires_at is not null' },
  },
  // What people removed is deleted a day later: see docs/decisions/0071.
  {
    name: 'documents_removed_at',
    index: { name: 'documents_removed_at', on: 'documents (removed_at) where removed_at is not null' },
  },
  // The applications about a property: to list them, and before it is deleted.
  {
    name: 'applications_by_property',
    index: {
      name: 'applications_by_property',
      on: 'applications (property_internal_id) where property_internal_id is not null',
    },
  },
  // Landlords may keep data for shorter than the operator does.
  ...(
    [
      ['applications', 'updated_at'],
      ['documents', 'created_at'],
      // The condition keeps it from the search for due reports, which would read all of a key.
      ['reports', 'created_at', "created_at > ''"],
      ['looks', 'at'],
      ['bank_connections', 'finished_at', 'finished_at is not null'],
      ['eid_flows', 'finished_at', 'finished_at is not null'],
      ['kyc_verifications', 'finished_at', '(result is not null or failure is not null)'],
      ['forensic_runs', 'finished_at', '(result is not null or failure is not null)'],
    ] as const
  ).map(agedByKey),
  {
    name: 'landlord_settings_with_periods',
    index: {
      name: 'landlord_settings_with_periods',
      on: 'landlord_settings (landlord_id) where coalesce(retain_applications_days, retain_documents_days, retain_verifications_days, retain_analyses_days) is not null',
    },
  },
  // See docs/decisions/0068.
  { name: 'forgotten_work_listed', batch: listForgottenWork },
];

/**
 * Retention finds what is old of one API key, for landlords with periods of their own. The expression keeps the indexes from other statements
 * about a key, for which they would be worse.
 */
function agedByKey([table, age, having]: readonly [table: string, age: string, having?: string]): BackgroundMigration {
  const name = `${table}_aged_by_key`;
  return { name, index: { name, on: `${table} (${byKey}, ${age})${having ? ` where ${having}` : ''}` } };
}

/**
 * Due work is found from one API key after another: see docs/decisions/0070. The condition keeps the index from statements that look for due
 * work of all keys: SQLite would skip through it and sort.
 */
function indexedByKey(table: string): BackgroundMigration {
  const on = `${table} (${byKey}, due_at) where due_at > ''`;
  return { name: dueByKey(table), index: { name: dueByKey(table), on } };
}

/** In the order of the references between the tables: dropping one locks both. */
function partitioned(tables: readonly PartitionedTable['table'][]): Rearrangement {
  return {
    restMs: DAY_MS,
    rearrange: async (beside, now) => (await import('./partition-tables.ts')).partitionTables(beside, tables, now),
    atOnce: async (trx, now) => (await import('./partition-tables.ts')).partitionEmptyTables(trx, tables, now),
  };
}

function listed(name: string, on: string): BackgroundMigration {
  return { name, index: { name, on, only: 'postgres' } };
}

/** What there is to do on a database. */
export function workOn(
  dialect: 'sqlite' | 'postgres',
  work: readonly BackgroundMigration[] = backgroundMigrations,
): BackgroundMigration[] {
  return work.filter((one) => !('index' in one) || one.index.only === undefined || one.index.only === dialect);
}
