import type { FlowKind } from '../../core/secrets/secrets.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { endInvite, findPendingInvite, postponeInvite, replaceInviteLink } from '../../db/applications/invites.ts';
import { changeBankConnection, endBankConnection } from '../../db/banking/bank-connections.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { completeForensicRun, startForensicRun } from '../../db/documents/forensic-runs.ts';
import { endFlow, makeFlowDue, planFlow, storeFirstMemory } from '../../db/identity/flows.ts';
import { completeReport, noteProgress } from '../../db/reports/reports.ts';
import {
  type AttemptRecord,
  giveUpDelivery,
  holdDelivery,
  loadDeliveries,
  recordAttempts,
} from '../../db/webhooks/deliveries.ts';
import { claimWork, extendLeases, recordFailure, releaseLeases, type WorkTable } from '../../db/work/work.ts';
import { bulkId, type Dialect, dialectOf, insertBulk } from '../database/bulk-rows.ts';

/** Rows of a work table, by their number. */
export interface Rows {
  /** The number before the first one. */
  from: number;
  amount: number;
  /** The distance between the ids. */
  spread: number;
  columns: Record<string, string>;
}

const kindOf = (table: WorkTable) => (table === 'deliveries' ? 'delivery' : 'flow');

/** Adds rows of work, whose parents need not exist. */
export async function addWork(db: Database, table: WorkTable, { from, amount, spread, columns }: Rows): Promise<void> {
  const to = dialectOf(db);
  const number = `i + ${from}`;
  await insertBulk(db, table, amount, {
    id: to.id(kindOf(table), number, spread),
    created_at: to.minutesAgo('0'),
    ...parents(to, table, number, spread),
    ...columns,
  });
}

function parents(to: Dialect, table: WorkTable, number: string, spread: number): Record<string, string> {
  const tenant = { tenant_id: to.id('tenant', number, spread) };
  if (table === 'deliveries')
    return { event_id: to.id('event', number, spread), webhook_id: to.id('webhook', '1'), attempts: '0' };
  if (table === 'invites')
    return {
      participant_id: to.id('participant', number, spread),
      token_hash: to.id('other', number, spread),
      expires_at: to.minutesAgo('-600'),
    };
  if (table === 'forensic_runs') return tenant;
  if (table === 'reports')
    return {
      application_id: to.id('application', number, spread),
      api_key_id: `'key'`,
      language: `'en'`,
      sealed_viewer: `''`,
    };
  const flow = { ...tenant, expires_at: to.minutesAgo('-600') };
  if (table === 'bank_connections') {
    const told = { provider: `'sandbox'`, bank: `'Bank'`, country: `'ES'`, agreed_to: `'All of it'` };
    return { ...flow, ...told, api_key_id: `'key'`, participant_id: `'nobody'`, agreed_at: to.minutesAgo('0') };
  }
  return table === 'eid_flows' ? { ...flow, redirect_url: `'https://letting.example/'` } : flow;
}

export function workIds(table: WorkTable, numbers: readonly number[], spread: number): string[] {
  return numbers.map((number) => bulkId(kindOf(table), number, spread));
}

/** The steps of due rows in a table, from the claim to the outcome. Each step receives the rows that earlier ones left. */
export function stepsOf(db: Database, table: WorkTable): [name: string, step: (ids: string[]) => Promise<unknown>][] {
  const later = (ms = 60_000) => isoAfter(new Date(), ms);
  const lease = 'a worker';
  const one = ([id = '']: string[]) => id;
  return [
    ['claim', (ids) => claimWork(db, table, ids, { dueBefore: later(0), lease, until: later() })],
    ['extend the leases', (ids) => extendLeases(db, table, lease, ids, later())],
    ['record a failure', (ids) => recordFailure(db, table, { id: one(ids), lease }, failure(later()))],
    ...outcomesOf(db, table),
    [
      'give back',
      (ids) =>
        releaseLeases(
          db,
          table,
          lease,
          ids.map((id) => ({ id, dueAt: later(DAY_MS) })),
        ),
    ],
  ];
}

const MADE = { pages: 1, sha256: '', certificate_sha256: '', sealed_content: '' };

function failure(due_at: string) {
  return { failures: 1, expiries: 0, failure: 'it threw', due_at, leased_by: null };
}

function outcomesOf(db: Database, table: WorkTable): ReturnType<typeof stepsOf> {
  const now = new Date();
  if (table === 'deliveries')
    return [
      ['load', (ids) => loadDeliveries(db, ids, now)],
      ['record outcomes', (ids) => inTransaction(db, (trx) => recordAttempts(trx, ids.slice(0, -9).map(attempt)))],
      ['hold', (ids) => inTransaction(db, (trx) => holdDelivery(trx, ids.at(-1) ?? ''))],
      ['give up', (ids) => giveUpDelivery(db, ids.at(-2) ?? '', { reason: 'the key has ended', now })],
    ];
  if (table === 'invites') {
    const link = { token_hash: 'a digest', sealed_token: '', expires_at: now.toISOString() };
    const seen = (id = '') => ({ id, token_hash: 'none' });
    return [
      ['load', ([id = '']) => findPendingInvite(db, id)],
      ['replace the link', ([id]) => replaceInviteLink(db, seen(id), link)],
      ['postpone', ([id]) => postponeInvite(db, seen(id), now, 'later')],
      ['end', ([id]) => endInvite(db, seen(id), { status: 'sent', failure: null }, now)],
    ];
  }
  if (table === 'forensic_runs')
    return [
      ['start', ([id = '']) => startForensicRun(db, id)],
      [
        'complete',
        ([id = '']) => inTransaction(db, (trx) => completeForensicRun(trx, id, { result_of: 'another' }, now)),
      ],
    ];
  if (table === 'reports')
    return [
      ['progress', ([id = '']) => noteProgress(db, id, { done: 1, total: 2 })],
      ['complete', ([id = '']) => completeReport(db, id, MADE, now)],
    ];
  if (table === 'bank_connections') {
    const row = (id: string) => ({ id, status: 'pending' as const });
    return [
      ['change', ([id = '']) => changeBankConnection(db, row(id), { browser_hash: 'a digest' })],
      ['end', ([id = '']) => endBankConnection(db, row(id), { status: 'expired' }, now)],
    ];
  }
  const kind: FlowKind = table === 'eid_flows' ? 'eid' : 'kyc';
  return [
    ['remember', ([id = '']) => storeFirstMemory(db, kind, id, '')],
    ['plan', ([id = '']) => inTransaction(db, (trx) => planFlow(trx, kind, id, now, now))],
    ['make due', ([id = '']) => inTransaction(db, (trx) => makeFlowDue(trx, kind, id, now))],
    ['end', ([id = '']) => endFlow(db, kind, { id, status: 'pending' }, { status: 'expired' }, now)],
  ];
}

function attempt(delivery_id: string, index: number): AttemptRecord {
  const isLast = index % 2 === 0;
  return {
    delivery_id,
    number: 1,
    started_at: new Date().toISOString(),
    duration_ms: 20,
    status_code: isLast ? 200 : 503,
    error: isLast ? null : 'answered 503',
    response_excerpt: null,
    status: isLast ? 'delivered' : 'pending',
    due_at: isLast ? null : isoAfter(new Date(), 60_000),
    finished_at: isLast ? new Date().toISOString() : null,
  };
}
