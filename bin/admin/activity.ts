import { type Command, Option } from 'commander';
import type { Database } from '../../db/connect.ts';
import type { WorkTable } from '../../db/rows.ts';
import { type Layout, list, type Row } from './output.ts';
import { example, withRuntime } from './run-command.ts';
import { LONGEST_LIST, parseLimit } from './values.ts';

const DEFAULT_LIMIT = 50;

interface Choice {
  statuses: readonly string[];
  limit: number;
}

interface Activity {
  noun: string;
  plural: string;
  statuses: string[];
  /** The newest first. */
  find(db: Database, choice: Choice): PromiseLike<Row[]>;
  columns: Layout['columns'];
  cut: string[];
}

const activities: Activity[] = [
  {
    noun: 'webhook',
    plural: 'addresses that integrations registered for events',
    statuses: ['active'],
    find: findWebhooks,
    columns: ['webhook_id', 'url', 'status', 'signed', 'api_key_name', 'last_triggered_at'],
    cut: ['url', 'api_key_name'],
  },
  {
    noun: 'delivery',
    plural: 'deliveries of events to webhooks',
    statuses: ['pending', 'delivered', 'failed'],
    find: findDeliveries,
    columns: ['delivery_id', 'event', 'url', 'status', 'attempts', 'last_error', 'created_at'],
    cut: ['url', 'last_error'],
  },
  work('forensic', 'forensic analyses', 'forensic_runs', ['pending', 'processing', 'completed', 'failed']),
  work('kyc', 'identity verifications (KYC)', 'kyc_verifications', [
    'pending',
    'verified',
    'rejected',
    'failed',
    'expired',
  ]),
  work('eid', 'national eID flows', 'eid_flows', [
    'pending',
    'downloading',
    'succeeded',
    'cancelled',
    'failed',
    'expired',
  ]),
];

/** What runs in the background and what it told: to look at, never to change. */
export function addActivityCommands(program: Command): void {
  for (const activity of activities) addActivity(program, activity);
}

function addActivity(program: Command, { noun, plural, statuses, find, columns, cut }: Activity): void {
  program
    .command(noun)
    .description(`list ${plural}`)
    .command('list')
    .description(`list ${plural}, the newest first`)
    .addOption(new Option('--status <status>', 'those in one state').choices(statuses))
    .option('--limit <n>', `how many at most, up to ${LONGEST_LIST}`, parseLimit, DEFAULT_LIMIT)
    .addHelpText('after', example(`${noun} list --status ${statuses.at(-1)}`))
    .action(
      withRuntime(async ({ db }, { status, limit }: { status?: string; limit: number }) => {
        const rows = await find(db, { statuses: status === undefined ? statuses : [status], limit: limit + 1 });
        const note = rows.length > limit ? `These are the newest ${limit}; --limit shows more.` : undefined;
        return list(rows.slice(0, limit), { columns, cut, note, empty: `There are no such ${plural}.` });
      }),
    );
}

async function findWebhooks(db: Database, { statuses, limit }: Choice): Promise<Row[]> {
  const rows = await db('webhooks')
    .join('api_keys', 'api_keys.id', 'webhooks.api_key_id')
    .whereIn('webhooks.status', statuses)
    .orderBy(newestFirst('webhooks'))
    .limit(limit)
    .select('webhooks.*', 'api_keys.client_id', 'api_keys.name as api_key_name', 'api_keys.landlord_id');
  return rows.map((row) => ({
    webhook_id: row.id,
    url: row.url,
    status: row.status,
    signed: row.sealed_secret !== null,
    client_id: row.client_id,
    api_key_name: row.api_key_name,
    landlord_id: row.landlord_id,
    last_triggered_at: row.last_triggered_at,
    created_at: row.created_at,
  }));
}

function findDeliveries(db: Database, { statuses, limit }: Choice): PromiseLike<Row[]> {
  return db('deliveries')
    .join('events', 'events.id', 'deliveries.event_id')
    .join('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .whereIn('deliveries.status', statuses)
    .orderBy(newestFirst('deliveries'))
    .limit(limit)
    .select({
      delivery_id: 'deliveries.id',
      event: 'event',
      tenant_id: 'tenant_id',
      webhook_id: 'webhook_id',
      url: 'url',
      status: 'deliveries.status',
      attempts: 'attempts',
      last_status_code: 'last_status_code',
      last_error: 'last_error',
      failure: 'failure',
      next_attempt_at: 'due_at',
      created_at: 'deliveries.created_at',
      finished_at: 'finished_at',
    });
}

/** Work on one tenant: the tables share their columns. */
function work(noun: string, plural: string, table: WorkTable, statuses: string[]): Activity {
  const id = `${noun}_id`;
  return {
    noun,
    plural,
    statuses,
    find: (db, { statuses: chosen, limit }) =>
      db(table)
        .join('tenants', 'tenants.id', `${table}.tenant_id`)
        .whereIn(`${table}.status`, chosen)
        .orderBy(newestFirst(table))
        .limit(limit)
        .select({
          [id]: `${table}.id`,
          tenant_id: 'tenant_id',
          email: 'email',
          status: `${table}.status`,
          failures: 'failures',
          failure: 'failure',
          created_at: `${table}.created_at`,
          finished_at: 'finished_at',
        }),
    columns: ['tenant_id', 'email', 'status', 'failure', 'created_at', 'finished_at'],
    cut: ['email', 'failure'],
  };
}

function newestFirst(table: string) {
  return ['created_at', 'id'].map((column) => ({ column: `${table}.${column}`, order: 'desc' as const }));
}
