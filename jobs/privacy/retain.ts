import { NotFound } from '../../core/errors.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Database } from '../../db/connection/connect.ts';
import { dueAccounts } from '../../db/privacy/old-data.ts';
import { countOldEvents } from '../../db/webhooks/old-events.ts';
import { removeBytes } from '../documents/stored-bytes.ts';
import { tidyMails } from '../invitations/tidy-mails.ts';
import type { Runtime } from '../runtime.ts';
import { forgetOldEvents } from '../webhooks/forget-events.ts';
import { erasePerson, finishErasures, finishOwedErasures, type Note } from './privacy-erase.ts';
import { daysOf, type Forgotten, type RetentionRule, retentionRules } from './retention-rules.ts';

const ROWS_A_PASS = 100;

const asService: Note = (trx, ...entry) => recordAudit(trx, SERVICE, ...entry);

/** What a rule is about, and how much of it there is. */
export interface RuleState {
  rule: string;
  setting: string;
  /** Null where it is kept for ever. */
  days: number | null;
  /** How much is to be forgotten now; null where nothing is. */
  due: number | null;
}

/** Every rule with what is due. */
export async function retentionNow(runtime: Runtime): Promise<RuleState[]> {
  const { db, retention, webhooks, now } = runtime;
  const state = async (rule: { name: string; setting: string }, days: number | undefined, count: Count) => ({
    rule: rule.name,
    setting: rule.setting,
    days: days ?? null,
    due: days === undefined ? null : await count(daysAgo(now(), days)),
  });
  const states: RuleState[] = [];
  for (const rule of retentionRules)
    states.push(await state(rule, daysOf(rule, runtime), (before) => countDue(db, rule, before, now())));
  states.push(await state(MAILS, retention.invitations, (before) => countMails(runtime, before)));
  states.push(await state(ACCOUNTS, retention.accounts, (before) => countDue(db, { due: dueAccounts }, before, now())));
  for (const [rule, days] of [[PAYLOADS, webhooks.payloadDays] as const, [RECORDS, webhooks.recordDays] as const])
    states.push(
      await state(rule, days, (before) => countOldEvents(db, rule === PAYLOADS ? 'payloads' : 'records', before)),
    );
  return states;
}

type Count = (before: string) => Promise<number>;

const MAILS = { name: 'local mails', setting: 'RETAIN_INVITATIONS_DAYS' };
const ACCOUNTS = { name: 'accounts', setting: 'RETAIN_ACCOUNTS_DAYS' };
const PAYLOADS = { name: 'payloads of events', setting: 'WEBHOOK_PAYLOAD_DAYS' };
const RECORDS = { name: 'records of events', setting: 'WEBHOOK_RECORD_DAYS' };

/**
 * Forgets what was kept for long enough, in small transactions beside a running service.
 * @param tick takes how much was forgotten since the beginning
 */
export async function retain(runtime: Runtime, note: Note = asService, tick = (_: number) => {}): Promise<void> {
  const { retention, now, log } = runtime;
  let sum = 0;
  const count = (rows: number) => {
    sum += rows;
    tick(sum);
    return rows > 0;
  };
  await finishOwedErasures(runtime);
  await forgetOldEvents(runtime);
  for (const rule of retentionRules) {
    const days = daysOf(rule, runtime);
    if (days !== undefined) while (count(await forgetSome(runtime, rule, daysAgo(now(), days), note)));
  }
  if (retention.accounts !== undefined) await forgetAccounts(runtime, daysAgo(now(), retention.accounts), note, count);
  if (retention.invitations !== undefined) count(await forgetMails(runtime, daysAgo(now(), retention.invitations)));
  count(await tidyMails(runtime));
  if (sum > 0) log.info({ forgotten: sum }, 'old data forgotten');
}

function daysAgo(now: Date, days: number): string {
  return isoAfter(now, -days * DAY_MS);
}

async function countDue(db: Database, { due }: Pick<RetentionRule, 'due'>, before: string, now: Date): Promise<number> {
  const [row] = await due(db, before, now).clearOrder().clearSelect().count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** @returns how many rows were forgotten: 0 when nothing is due any more */
async function forgetSome(runtime: Runtime, rule: RetentionRule, before: string, note: Note): Promise<number> {
  const { db, queue, providers, now } = runtime;
  const forgotten = await db.transaction(async (trx): Promise<Forgotten> => {
    const moment = now();
    const found = await rule.due(trx, before, moment).limit(ROWS_A_PASS).forUpdate();
    if (found.length === 0) return { rows: 0 };
    const done = await rule.forget(
      trx,
      found.map(({ id }) => id),
      moment,
    );
    if (done.workIds) await queue.forget(trx, done.workIds);
    await note(trx, 'database.retain', rule.name, moment);
    return done;
  });
  if (forgotten.mailIds) await providers.localMails.forget(forgotten.mailIds);
  if (forgotten.documents) await removeBytes(runtime, forgotten.documents);
  return forgotten.rows;
}

/** One by one: each is an erasure, with all that belongs to it. */
async function forgetAccounts(
  runtime: Runtime,
  before: string,
  note: Note,
  count: (rows: number) => boolean,
): Promise<void> {
  const { db, now } = runtime;
  const isWanted = async (trx: Database, id: string) =>
    (await dueAccounts(trx, before, now()).where('tenants.id', id).first()) !== undefined;
  let erased = 0;
  for (const { id } of await dueAccounts(db, before, now()))
    try {
      await erasePerson(runtime, id, { note, isWanted: (trx) => isWanted(trx, id), isFinishedLater: true });
      erased += count(1) ? 1 : 0;
    } catch (error) {
      // Somebody invited them just now, or another process was faster.
      if (!(error instanceof NotFound)) throw error;
    }
  if (erased > 0) await finishErasures(runtime);
}

async function oldMails({ providers }: Runtime, before: string): Promise<string[]> {
  const mails = await Array.fromAsync(providers.localMails.kept());
  return mails.filter(({ storedAt }) => storedAt.toISOString() < before).map(({ id }) => id);
}

async function countMails(runtime: Runtime, before: string): Promise<number> {
  return (await oldMails(runtime, before)).length;
}

async function forgetMails(runtime: Runtime, before: string): Promise<number> {
  return runtime.providers.localMails.forget(await oldMails(runtime, before));
}
