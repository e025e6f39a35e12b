import { correlated } from '../../core/correlation.ts';
import { hasCode, NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { AuditAction } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/connect.ts';
import { wipeDeleted } from '../../db/connection/wipe.ts';
import { type Erasure, eraseAccount, eraseFromApplication, together } from '../../db/privacy/erasure.ts';
import { findHolders } from '../../db/privacy/holders.ts';
import { findPerson, type Person } from '../../db/privacy/persons.ts';
import { type RemovedBytes, removeBytes } from '../documents/stored-bytes.ts';
import { tidyMails } from '../invitations/tidy-mails.ts';
import type { Runtime } from '../runtime.ts';
import { type Done, type Receipt, writeReceipt } from './erase-receipt.ts';

/** Notes in the audit log what was done, as whoever does it. */
export type Note = (trx: Transaction, action: AuditAction, resourceId: string, now: Date) => Promise<void>;

export interface EraseOptions {
  note: Note;
  /** Finds out what would be done, and does nothing. */
  isRehearsal?: boolean;
  /** The caller does what `finishErasures` does. */
  isFinishedLater?: boolean;
  /** Asked once nobody can change the person any more. */
  isWanted?: (trx: Transaction, person: Person) => Promise<boolean>;
}

const TRIES = 5;

/**
 * Erases a person: in one transaction all rows and jobs, then the bytes of documents and local mails. A crash in between leaves
 * sealed bytes that no row refers to, which are tidied away, and mails, which workers or another erasure find in the same way.
 * @throws NotFound when nothing is held about them
 */
export function erasePerson(runtime: Runtime, idOrEmail: string, options: EraseOptions): Promise<Receipt> {
  const receiptId = newId();
  // The audit log's entry carries it.
  return correlated(receiptId, async () => {
    const done = await eraseRows(runtime, idOrEmail, options);
    if (options.isRehearsal) return writeReceipt(receiptId, done);
    const mails = await runtime.providers.localMails.forget(done.erasure.mailIds);
    const bytes = await removeBytes(runtime, done.erasure.documents).catch(unremoved(runtime, done.erasure));
    const isWiped = options.isFinishedLater ? undefined : await finishErasures(runtime);
    return writeReceipt(receiptId, { ...done, mails, bytes, ...(isWiped === undefined ? {} : { isWiped }) });
  });
}

/** The person is erased and there must be a receipt, also when the store of documents is away: then it says what to do. */
function unremoved({ log }: Runtime, { documents }: Erasure) {
  return (error: unknown): RemovedBytes => {
    log.warn({ err: error }, 'bytes of documents not removed');
    return { removed: 0, shared: 0, left: new Set(documents.map(({ sha256 }) => sha256)).size };
  };
}

/**
 * What an erasure that was cut off left to do: local mails that belong to nobody, and the bytes of deleted rows.
 * @returns false when another process was in the way; it may be done again
 */
export async function finishErasures(runtime: Runtime): Promise<boolean> {
  const { db, now } = runtime;
  const moment = now().toISOString();
  await tidyMails(runtime);
  const isWiped = await wipeDeleted(db);
  if (isWiped) await db('owed_wipes').where('since', '<=', moment).delete();
  return isWiped;
}

/** The same, where an erasure was cut off: the process was killed, or another was in the way. */
export async function finishOwedErasures(runtime: Runtime): Promise<void> {
  if (await runtime.db('owed_wipes').first('id')) await finishErasures(runtime);
}

const rehearsed = Symbol('a rehearsal is not kept');

async function eraseRows(runtime: Runtime, idOrEmail: string, options: EraseOptions): Promise<Done> {
  for (let tries = 1; ; tries++) {
    let done: Done | undefined;
    try {
      await runtime.db.transaction(async (trx) => {
        done = await eraseIn(trx, runtime, idOrEmail, options);
        if (options.isRehearsal) throw rehearsed;
      });
    } catch (error) {
      if (error !== rehearsed && !(isDeadlock(error) && tries < TRIES)) throw error;
      if (error !== rehearsed) continue;
    }
    if (done) return done;
  }
}

async function eraseIn(
  trx: Transaction,
  { queue, now }: Runtime,
  idOrEmail: string,
  { note, isWanted }: EraseOptions,
): Promise<Done> {
  const person = await lockPerson(trx, idOrEmail);
  if (isWanted && !(await isWanted(trx, person))) throw new NotFound('Person');
  const at = now();
  const { account, comparableEmail, participations } = person;
  const holders = await findHolders(trx, account?.id);
  const names = [account?.name ?? '', ...participations.map(({ name }) => name)];
  const ids = [...new Set(participations.map(({ application_id }) => application_id))];
  const applications = await trx('applications').whereIn('id', ids).orderBy('id');
  const parts = account ? [await eraseAccount(trx, account.id)] : [];
  for (const application of applications)
    parts.push(await eraseFromApplication(trx, application, { comparableEmail, names }, at));
  const erasure = together(parts);
  const jobs = await queue.forget(trx, erasure.workIds);
  await trx('owed_wipes').insert({ id: newId(), since: at.toISOString() });
  await note(trx, 'tenant.erase', account?.id ?? participations[0]?.id ?? '', at);
  return { at, person, holders, erasure: { ...erasure, counts: { ...erasure.counts, jobs } } };
}

/** Their applications first, as everybody does who changes one. What somebody adds meanwhile is seen by the second look. */
async function lockPerson(trx: Transaction, idOrEmail: string): Promise<Person> {
  const found = await findPerson(trx, idOrEmail);
  const ids = found.participations.map(({ application_id }) => application_id);
  await trx('applications').whereIn('id', ids).orderBy('id').forUpdate().select('id');
  await trx('tenants').where({ comparable_email: found.comparableEmail }).forUpdate().select('id');
  return findPerson(trx, found.comparableEmail);
}

/** Two who wait for each other: Postgres ends one of them, which may try again. */
function isDeadlock(error: unknown): boolean {
  return hasCode(error, '40P01');
}
