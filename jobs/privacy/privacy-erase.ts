import { correlated, currentParty } from '../../core/correlation.ts';
import { NotFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { deleteMailsTo } from '../../db/applications/sent-mails.ts';
import type { AuditAction } from '../../db/audit/audit.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { isWipeOwed, oweWipe, settleWipes, wipeDeleted } from '../../db/connection/wipe.ts';
import { oweRemovals } from '../../db/documents/document-moves.ts';
import { eraseAccount, eraseFromApplication, together } from '../../db/privacy/erasure.ts';
import {
  findApplicationsOfPerson,
  findHolders,
  lockPerson,
  type Person,
  type Scope,
  within,
} from '../../db/privacy/persons.ts';
import { removeBytes } from '../documents/tidy-documents.ts';
import { forgetMails, tidyMails } from '../invitations/send-invite.ts';
import type { Runtime } from '../runtime.ts';
import { type Done, type Receipt, writeReceipt } from './erase-receipt.ts';

type Finishing = Pick<Runtime, 'db' | 'providers' | 'now'>;
export type Erasing = Finishing & Pick<Runtime, 'queue' | 'log'>;

/** Records an action in the audit log on behalf of its actor. */
export type Note = (trx: Transaction, action: AuditAction, resourceId: string, now: Date) => Promise<void>;

export interface EraseOptions {
  note: Note;
  /** Only data that belongs to these API keys; the account stays. */
  scope?: Scope;
  /** Reports what would be done, and changes nothing. */
  dryRun?: boolean;
  /** The caller calls `finishOwedErasures`. */
  isFinishedLater?: boolean;
  /** Called while the person is locked. */
  isWanted?: (trx: Transaction, person: Person) => Promise<boolean>;
}

/**
 * Erases a person:
 * 1. in one transaction, lock the person, delete all rows and jobs, and record that a wipe is owed;
 * 2. remove their local mails and the stored bytes of their documents;
 * 3. wipe the deleted bytes from the files of the database.
 * A crash before 2 leaves sealed bytes and mails without a row, which `retryRemovals` and `tidyMails` remove; a crash before 3
 * leaves the owed wipe to `finishOwedErasures`.
 * @throws NotFound when nothing is held about them
 */
export function erasePerson(runtime: Erasing, idOrEmail: string, options: EraseOptions): Promise<Receipt> {
  const receiptId = newId();
  // The audit log entry carries the receipt's id.
  return correlated({ id: receiptId, party: currentParty() }, async () => {
    const done = await eraseRows(runtime, idOrEmail, options);
    if (options.dryRun) return writeReceipt(receiptId, done);
    // The rows are erased, so there is a receipt whatever fails now. It states what remains to be done.
    const mails = await forgetMails(runtime, done.erasure.mailIds);
    const bytes = await removeBytes(runtime, done.erasure.documents);
    const finish = () =>
      finishErasures(runtime).catch((err: unknown) => {
        runtime.log.warn({ err }, 'erasure not finished: tried again later');
        return false;
      });
    const isWiped = options.isFinishedLater ? undefined : await finish();
    return writeReceipt(receiptId, { ...done, mails, bytes, ...(isWiped === undefined ? {} : { isWiped }) });
  });
}

/** Also removes local mails without an invitation. Idempotent. @returns false when another process held a lock */
export async function finishErasures(runtime: Finishing): Promise<boolean> {
  const { db, now } = runtime;
  const moment = now().toISOString();
  await tidyMails(runtime);
  const isWiped = await wipeDeleted(db);
  if (isWiped) await settleWipes(db, moment);
  return isWiped;
}

/** Finishes an interrupted erasure, or an erasure whose wipe another process prevented. */
export async function finishOwedErasures(runtime: Finishing): Promise<void> {
  if (await isWipeOwed(runtime.db)) await finishErasures(runtime);
}

const dryRunEnd = Symbol('rolls a dry run back');

async function eraseRows(runtime: Erasing, idOrEmail: string, options: EraseOptions): Promise<Done> {
  let done: Done | undefined;
  try {
    await inTransaction(runtime.db, async (trx) => {
      done = await eraseIn(trx, runtime, idOrEmail, options);
      if (options.dryRun) throw dryRunEnd;
    });
  } catch (error) {
    if (error !== dryRunEnd) throw error;
  }
  if (!done) throw new Error('An erasure ended without a result.');
  return done;
}

async function eraseIn(
  trx: Transaction,
  { now }: Erasing,
  idOrEmail: string,
  { note, isWanted, scope = {} }: EraseOptions,
): Promise<Done> {
  const person = await lockPerson(trx, idOrEmail, scope);
  if (isWanted && !(await isWanted(trx, person))) throw new NotFound('Person');
  const at = now();
  const { account, comparableEmail, participations } = person;
  const holders = await findHolders(trx, account?.id, scope);
  const names = [account?.name ?? '', ...participations.map(({ name }) => name)];
  const applications = await findApplicationsOfPerson(trx, person);
  const parts = account ? [await eraseAccount(trx, account.id, scope)] : [];
  for (const application of applications)
    parts.push(await eraseFromApplication(trx, application, { comparableEmail, names }, at));
  const sent_mails = await deleteMailsTo(trx, comparableEmail, within(scope));
  const erasure = together([...parts, { counts: { sent_mails }, mailIds: [], documents: [] }]);
  await oweRemovals(trx, erasure.documents, at);
  await oweWipe(trx, at);
  await note(
    trx,
    scope.apiKeyIds ? 'tenant.erase-for-landlord' : 'tenant.erase',
    account?.id ?? participations[0]?.id ?? '',
    at,
  );
  return { at, person, holders, erasure, isPartial: scope.apiKeyIds !== undefined };
}
