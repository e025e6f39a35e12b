import { NotFound } from '../../core/errors.ts';
import {
  keptDays,
  type LandlordPeriods,
  type PeriodSetting,
  periodNames,
  periodSettings,
} from '../../core/rules/landlord-settings.ts';
import { DAY_MS, HOUR_MS, isoAfter } from '../../core/time.ts';
import { findKeysOfLandlord } from '../../db/access/api-keys.ts';
import { deleteFormerUses } from '../../db/access/daily-uses.ts';
import { deleteOldForms, KEPT_MS } from '../../db/access/kept-forms.ts';
import { listLandlordPeriods } from '../../db/access/landlord-settings.ts';
import { deleteCountedMemberMails, INVITATION_HOURS } from '../../db/access/member-mails.ts';
import { deleteCountedNotices } from '../../db/access/passkey-notices.ts';
import { deleteCountedMails } from '../../db/applications/sent-mails.ts';
import { recordAudit, SERVICE } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { tendPartitions } from '../../db/connection/partitions/tend-partitions.ts';
import { countUpTo } from '../../db/connection/queries/counts.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { oweRemovals } from '../../db/documents/document-moves.ts';
import { retentionRules } from '../../db/privacy/old-data.ts';
import { countDue, dueAccounts, isAccountDue, purgeDue, type RetentionRule } from '../../db/privacy/retention.ts';
import { countOldEvents, deleteFormerSecrets, purgeEvents, purgePayloads } from '../../db/webhooks/old-events.ts';
import { deleteRemovedUploads } from '../documents/removed-uploads.ts';
import { removeBytes, retryRemovals } from '../documents/tidy-documents.ts';
import { removeAbandonedPieces } from '../documents/upload-pieces.ts';
import { forgetMails, tidyMails } from '../invitations/send-invite.ts';
import type { Runtime } from '../runtime.ts';
import { type Erasing, erasePerson, finishOwedErasures, type Note } from './privacy-erase.ts';

const MAX_ROWS_PER_PASS = 100;

const asService: Note = (trx, ...entry) => recordAudit(trx, SERVICE, ...entry);

type Retaining = Erasing & Pick<Runtime, 'retention' | 'webhooks'>;

export interface RuleState {
  rule: string;
  setting: string;
  /** Null when the data is kept forever. */
  days: number | null;
  /** How much is due to be purged; null when the data is kept forever. */
  due: number | null;
}

export async function retentionNow(
  runtime: Pick<Retaining, 'db' | 'providers' | 'retention' | 'webhooks' | 'now'>,
): Promise<RuleState[]> {
  const { db, retention, webhooks, now } = runtime;
  const days = { ...retention, WEBHOOK_PAYLOAD_DAYS: webhooks.payloadDays, WEBHOOK_RECORD_DAYS: webhooks.recordDays };
  const states: RuleState[] = [];
  const add = async (rule: string, setting: keyof typeof days, count: (before: Date) => Promise<number>) => {
    const kept = days[setting];
    const due = kept === undefined ? null : await count(new Date(daysAgo(now(), kept)));
    states.push({ rule, setting, days: kept ?? null, due });
  };
  for (const { name, setting, due } of retentionRules)
    await add(name, setting, (before) => countDue(db, due, before.toISOString(), now()));
  for await (const { apiKeyId, rule, days: own } of landlordPeriods(runtime)) {
    const state = states.find((one) => one.rule === rule.name);
    const dueAfter = (days: number) => countDue(db, rule.due, daysAgo(now(), days), now(), apiKeyId);
    // What is due for everyone is counted.
    const counted = state?.days ? await dueAfter(state.days) : 0;
    if (state) state.due = (state.due ?? 0) + (await dueAfter(own)) - counted;
  }
  await add(
    'local mails',
    'RETAIN_INVITATIONS_DAYS',
    async (before) => (await oldMails(runtime, before.toISOString())).length,
  );
  await add('accounts', 'RETAIN_ACCOUNTS_DAYS', (before) => countDue(db, dueAccounts, before.toISOString(), now()));
  await add('payloads of events', 'WEBHOOK_PAYLOAD_DAYS', (before) => countOldEvents(db, 'payloads', before));
  await add('records of events', 'WEBHOOK_RECORD_DAYS', (before) => countOldEvents(db, 'records', before));
  return states;
}

/**
 * Purges data whose retention has ended, in small transactions beside a running service:
 * 1. events: payloads first, delivery records later;
 * 2. each retention rule, parents before children, then the same for landlords with shorter periods;
 * 3. accounts, each by an erasure;
 * 4. local mails that are too old or whose invitation was deleted, and mails to offices once no link in them is valid;
 * 5. pieces of abandoned uploads, and stored bytes whose removal failed;
 * 6. wipes owed by these steps and by interrupted erasures. Steps fail independently: the document store may be down for days, or another
 *    process may hold a lock.
 * Idempotent, and safe in several processes at once.
 * @param tick receives how much was purged since the start
 * @throws the first failure, after all steps
 */
export async function retain(runtime: Retaining, note: Note = asService, tick = (_: number) => {}): Promise<void> {
  const { db, retention, now, log } = runtime;
  let sum = 0;
  const count = (rows: number) => {
    sum += rows;
    tick(sum);
    return rows > 0;
  };
  const failures: unknown[] = [];
  for (const step of [
    () => purgeOldEvents(runtime),
    () => deleteCountedMails(db, now()),
    () => deleteCountedMemberMails(db, now()),
    () => deleteFormerUses(db, now()),
    ...(['member_id', 'account_id'] as const).flatMap((of) => [
      () => deleteCountedNotices(db, of, now()),
      () => deleteOldForms(db, of, new Date(now().getTime() - KEPT_MS)),
    ]),
    ...retentionRules.map((rule) => () => purgeAll(runtime, rule, note, count)),
    () => purgeSooner(runtime, note, count),
    () => purgeAccounts(runtime, retention.RETAIN_ACCOUNTS_DAYS, note, count),
    () => purgeMails(runtime, count),
    () => removeAbandonedPieces(runtime),
    () => deleteRemovedUploads(runtime),
    () => retryRemovals(runtime),
    () => finishOwedErasures(runtime),
  ])
    await step().catch((error: unknown) => failures.push(error));
  if (sum > 0) log.info({ forgotten: sum }, 'expired personal data deleted');
  for (const err of failures.slice(1)) log.error({ err }, 'retention partially failed');
  if (failures.length > 0) throw failures[0];
}

async function purgeAll(
  runtime: Retaining,
  rule: RetentionRule,
  note: Note,
  count: (rows: number) => boolean,
): Promise<void> {
  const { retention, now } = runtime;
  const days = retention[rule.setting];
  if (days !== undefined) while (count(await purgeSome(runtime, rule, { before: daysAgo(now(), days) }, note)));
}

interface LandlordPeriod {
  apiKeyId: string;
  rule: RetentionRule;
  setting: PeriodSetting;
  days: number;
}

interface Chosen {
  landlordId: string;
  periods: LandlordPeriods;
}

async function* periodsOf(
  { db, retention }: Pick<Retaining, 'db' | 'retention'>,
  { landlordId, periods }: Chosen,
): AsyncGenerator<LandlordPeriod> {
  for (const apiKeyId of await findKeysOfLandlord(db, landlordId))
    for (const rule of retentionRules) {
      const setting = periodNames.find((name) => periodSettings[name] === rule.setting);
      if (setting === undefined) continue;
      const operators = retention[rule.setting];
      const days = keptDays(operators, periods[setting]);
      if (days !== undefined && days !== operators) yield { apiKeyId, rule, setting, days };
    }
}

/** How much of a landlord's data its periods would delete now, by setting, up to a limit for each rule and API key. */
export async function dueForLandlord(
  runtime: Pick<Retaining, 'db' | 'retention' | 'now'>,
  chosen: Chosen,
  limit: number,
): Promise<Map<PeriodSetting, number>> {
  const { db, now } = runtime;
  const due = new Map<PeriodSetting, number>();
  for await (const { apiKeyId, rule, setting, days } of periodsOf(runtime, chosen)) {
    const found = await countUpTo(db, rule.due(db, daysAgo(now(), days), now(), apiKeyId), limit);
    due.set(setting, (due.get(setting) ?? 0) + found);
  }
  return due;
}

/** The rules for which landlords chose periods that are shorter than the operator's, for each of their API keys. */
async function* landlordPeriods({
  db,
  retention,
}: Pick<Retaining, 'db' | 'retention'>): AsyncGenerator<LandlordPeriod> {
  for (let after = '', isLast = false; !isLast; ) {
    const landlords = await listLandlordPeriods(db, after, MAX_ROWS_PER_PASS);
    for (const { landlord_id, ...periods } of landlords)
      yield* periodsOf({ db, retention }, { landlordId: landlord_id, periods });
    after = landlords.at(-1)?.landlord_id ?? '';
    isLast = landlords.length < MAX_ROWS_PER_PASS;
  }
}

/** A failure for one landlord does not keep the data of other landlords. @throws the first failure, after all landlords */
async function purgeSooner(runtime: Retaining, note: Note, count: (rows: number) => boolean): Promise<void> {
  const failures: unknown[] = [];
  const purge = async ({ apiKeyId, rule, days }: LandlordPeriod) => {
    const before = daysAgo(runtime.now(), days);
    while (count(await purgeSome(runtime, rule, { before, apiKeyId }, note)));
  };
  for await (const period of landlordPeriods(runtime))
    await purge(period).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function purgeMails(runtime: Retaining, count: (rows: number) => boolean): Promise<void> {
  const { providers, retention, now } = runtime;
  const days = retention.RETAIN_INVITATIONS_DAYS;
  if (days !== undefined) count(await providers.localMails.forget(await oldMails(runtime, daysAgo(now(), days))));
  count(await tidyMails(runtime));
  count(await providers.localMails.forgetOffices(new Date(now().getTime() - INVITATION_HOURS * HOUR_MS)));
}

function daysAgo(now: Date, days: number): string {
  return isoAfter(now, -days * DAY_MS);
}

/** Purges event payloads first and delivery records later, per the settings of webhooks. */
export async function purgeOldEvents({
  db,
  webhooks,
  now,
  log,
}: Pick<Runtime, 'db' | 'webhooks' | 'now' | 'log'>): Promise<void> {
  const moment = now();
  const old = (days: number) => ({ before: new Date(daysAgo(moment, days)), days });
  const payloads = await purgePayloads(db, old(webhooks.payloadDays), moment);
  const events = await purgeEvents(db, old(webhooks.recordDays));
  await deleteFormerSecrets(db, moment);
  const kept = { payloads: webhooks.payloadDays, records: webhooks.recordDays };
  const partitions = await tendPartitions(db, kept, moment);
  if (partitions.made.length + partitions.dropped.length > 0) log.info(partitions, 'partitions created and dropped');
  if (payloads + events > 0) log.info({ payloads, events }, 'expired events deleted');
}

/** @returns how many rows were purged: 0 once nothing is due */
async function purgeSome(
  runtime: Erasing,
  rule: RetentionRule,
  old: { before: string; apiKeyId?: string },
  note: Note,
): Promise<number> {
  const { db, now } = runtime;
  const purged = await inTransaction(db, async (trx) => {
    const moment = now();
    const done = await purgeDue(trx, rule, { ...old, limit: MAX_ROWS_PER_PASS, now: moment });
    if (!done) return undefined;
    if (done.documents) await oweRemovals(trx, done.documents, moment);
    await note(trx, 'database.retain', rule.name, moment);
    return done;
  });
  if (!purged) return 0;
  if (purged.mailIds) await forgetMails(runtime, purged.mailIds);
  if (purged.documents) await removeBytes(runtime, purged.documents);
  return purged.rows;
}

/**
 * One erasure per account; the caller calls `finishOwedErasures`. An account that cannot be erased does not keep the others: the next pages
 * leave it out. @throws the first failure, after all accounts
 */
async function purgeAccounts(
  runtime: Erasing,
  days: number | undefined,
  note: Note,
  count: (rows: number) => boolean,
): Promise<void> {
  if (days === undefined) return;
  const { db, now } = runtime;
  const before = daysAgo(now(), days);
  const failures: unknown[] = [];
  const page = (left: number) => dueAccounts(db, before, now()).offset(left).limit(MAX_ROWS_PER_PASS);
  let left = 0;
  for (let due = await page(0); due.length > 0; due = await page(left))
    for (const { id } of due)
      try {
        const isWanted = (trx: Transaction) => isAccountDue(trx, id, before, now());
        await erasePerson(runtime, id, { note, isWanted, isFinishedLater: true });
        count(1);
      } catch (error) {
        left += 1;
        // They have just been invited, or another process was faster.
        if (!(error instanceof NotFound)) failures.push(error);
      }
  if (failures.length > 0) throw failures[0];
}

async function oldMails({ providers }: Pick<Runtime, 'providers'>, before: string): Promise<string[]> {
  const mails = await Array.fromAsync(providers.localMails.kept());
  return mails.filter(({ storedAt }) => storedAt.toISOString() < before).map(({ id }) => id);
}
