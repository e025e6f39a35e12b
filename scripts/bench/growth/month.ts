import { join } from 'node:path';
import { type Config, readConfig } from '../../../core/settings/config.ts';
import { type Database, disconnect, open } from '../../../db/connection/connect.ts';
import { bulkId, dialectOf, inBulk, insertBulk, orderedSpread } from '../../../harness/database/bulk-rows.ts';
import type { Someone } from '../../../harness/plans/operator-commands.ts';
import { addWork } from '../../../harness/plans/work-backlog.ts';
import { sandbox, settings } from '../api/settings.ts';
import type { Place } from '../databases.ts';
import { filled } from './filled.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface Amounts {
  applications: number;
  deliveries: number;
}

/** A Postgres database with a month of deliveries, whose statistics are up to date. */
export interface Month {
  env: Record<string, string>;
  config: Config;
}

const MONTH_MINUTES = 30 * 24 * 60;
const WEBHOOKS = 2_000;
const WEBHOOKS_AN_EVENT = 5;
const KEYS = 16;
/** Of the month's deliveries. */
const FAILED_EVERY = 50;
/** To fill tables takes longer than any statement of the service may. */
const PATIENT = { DATABASE_QUERY_SECONDS: '3600' };

export async function monthOf(place: Place, amounts: Amounts): Promise<Month> {
  const { url } = await filled(place, { applications: amounts.applications, participants: 3 });
  const env = { ...settings(url, join(place.folder, 'month')), ...sandbox, ...PATIENT };
  const config = readConfig(env);
  const db = await open(config.database);
  try {
    await inBulk(db, (trx) => withoutIndexes(trx, () => addMonth(trx, amounts)));
    await db.raw('vacuum analyze');
  } finally {
    await disconnect(db);
  }
  return { env, config };
}

/** A UUID of version 7, as far as its place in an index goes: the time in front, then what differs. */
function timedId(number: string, amount: number): string {
  const ms = `(${Date.now() - MONTH_MINUTES * 60_000} + (${number})::bigint * ${MONTH_MINUTES * 60_000}::bigint / ${amount})`;
  const [hex, rest] = [`lpad(to_hex(${ms}), 12, '0')`, `md5((${number})::text)`];
  return `substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || '-7' || substr(${rest}, 1, 3) || '-8' || substr(${rest}, 4, 3) || '-' || substr(${rest}, 8, 12)`;
}

async function addMonth(db: Database, { applications, deliveries }: Amounts): Promise<void> {
  const { id, minutesAgo } = dialectOf(db);
  const spread = orderedSpread(applications);
  const ago = (number: string, amount: number) =>
    minutesAgo(`(${amount} - ${number}) * ${MONTH_MINUTES}.0 / ${amount}`);
  const key = (number: string) => id('key', `(${number}) % ${KEYS} + 1`);
  const add = (table: string, amount: number, columns: Record<string, string>) =>
    insertBulk(db, table, amount, columns);
  await add('webhooks', WEBHOOKS, {
    id: id('webhook', 'i'),
    api_key_id: key('i'),
    url: `'https://bulk.example/' || i`,
    status: `'active'`,
    paused_at: `case when i = ${WEBHOOKS} then ${minutesAgo('100')} end`,
    created_at: ago('i', WEBHOOKS),
  });
  const events = deliveries / WEBHOOKS_AN_EVENT;
  await add('events', events, {
    id: timedId('i', events),
    tenant_id: id('tenant', `i % ${applications} + 1`, spread),
    api_key_id: key('i'),
    // None of the third kind: to look for it must not read all others.
    event: `case when i % 2 = 0 then 'EID_SUCCESS' else 'KYC_VERIFICATION_DATA' end`,
    body: `'c2VhbGVk'`,
    created_at: ago('i', events),
  });
  const event = `(i - 1) / ${WEBHOOKS_AN_EVENT} + 1`;
  await add('deliveries', deliveries, {
    id: `'msg_' || replace(${timedId('i', deliveries)}, '-', '')`,
    event_id: timedId(event, events),
    webhook_id: id(
      'webhook',
      `(${event}) % ${WEBHOOKS / WEBHOOKS_AN_EVENT} * ${WEBHOOKS_AN_EVENT} + i % ${WEBHOOKS_AN_EVENT} + 1`,
    ),
    status: `case when i % ${FAILED_EVERY} = 0 then 'failed' else 'delivered' end`,
    attempts: '1',
    created_at: ago(event, events),
    finished_at: ago(event, events),
  });
  const checks = (status: string) => ({
    id: id('flow', 'i', spread),
    tenant_id: id('tenant', 'i', spread),
    api_key_id: key('i'),
    status: `'${status}'`,
    created_at: ago('i', applications),
    finished_at: ago('i', applications),
  });
  await add('kyc_verifications', applications, { ...checks('verified'), expires_at: minutesAgo('0') });
  await add('eid_flows', applications, { ...checks('succeeded'), expires_at: minutesAgo('0'), redirect_url: `'x'` });
  await add('forensic_runs', applications, checks('completed'));
}

/** Half of it is due, half another day. */
export async function addBacklog(db: Database, amount: number): Promise<void> {
  const { minutesAgo } = dialectOf(db);
  const due_at = `case when i % 2 = 0 then ${minutesAgo('1 + i / 1000')} else ${minutesAgo('-1440 - i / 1000')} end`;
  const columns = { status: `'pending'`, due_at };
  await inBulk(db, (trx) => addWork(trx, 'deliveries', { from: 0, amount, spread: orderedSpread(amount), columns }));
}

export const someone = (applications: number): Someone => ({
  clientId: bulkId('other', 3),
  actorId: bulkId('key', 3),
  landlordId: bulkId('landlord', 0, orderedSpread(applications / 10)),
  tenantId: bulkId('tenant', 2, orderedSpread(applications)),
  webhookId: bulkId('webhook', 1),
});
