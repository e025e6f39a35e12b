import type { Readable } from 'node:stream';
import { NotFound, on } from '../../core/errors.ts';
import { type Actor, recordAudit } from '../../db/audit/audit.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { closeErasureRequests } from '../../db/privacy/erasure-requests.ts';
import type { Scope } from '../../db/privacy/persons.ts';
import { tidyDocuments } from '../documents/tidy-documents.ts';
import type { Runtime } from '../runtime.ts';
import { archiveOf } from './archive.ts';
import type { Receipt } from './erase-receipt.ts';
import { type Erasing, erasePerson, finishErasures } from './privacy-erase.ts';
import { exportPerson, type PersonalData } from './privacy-export.ts';

/** Operators' requests about people's data, on the command line and in the console. */

/** The text that an operator confirms before an erasure. @param isPartial only data held by one landlord is erased */
export function erasureWarning(isPartial: boolean): string {
  return isPartial
    ? 'This erases the person from what the landlord holds, with documents and results. It cannot be undone.'
    : 'This erases the person with all of their documents and results. It cannot be undone.';
}

interface Asked {
  by: Actor;
  /** Only data that belongs to these API keys. */
  scope?: Scope;
}

export interface Copy {
  held: PersonalData;
  /** A ZIP file. */
  content(tick?: (documents: number) => void): Readable;
}

/** Audited before any byte can be read. @param reads the connection to read from @throws NotFound when nothing is held about them */
export async function copyForOperator(
  runtime: Pick<Runtime, 'db' | 'providers' | 'keys' | 'now'> & { reads?: Database },
  idOrEmail: string,
  { by, scope = {} }: Asked,
): Promise<Copy> {
  const { db, reads = db, providers, now } = runtime;
  const held = await exportPerson({ ...runtime, db: reads }, idOrEmail, scope);
  await inTransaction(db, (trx) => recordAudit(trx, by, 'tenant.export', held.id, now()));
  return { held, content: (tick = () => {}) => archiveOf(held, providers.documents, tick) };
}

/** The outcome of an erasure when nothing was held about the person: whether an earlier one is now complete. */
export type NothingHeld = 'complete' | 'incomplete';

/** When nothing is held, finishes an interrupted earlier erasure. Idempotent. */
export async function eraseForOperator(
  runtime: Erasing,
  idOrEmail: string,
  { by, scope = {}, dryRun = false }: Asked & { dryRun?: boolean },
): Promise<Receipt | NothingHeld> {
  const note: Parameters<typeof erasePerson>[2]['note'] = (trx, ...entry) => recordAudit(trx, by, ...entry);
  const receipt = await erasePerson(runtime, idOrEmail, { note, scope, dryRun }).catch(on(NotFound, () => undefined));
  if (receipt) return receipt;
  if (dryRun) return 'complete';
  await tidyDocuments(runtime);
  return (await finishErasures(runtime)) ? 'complete' : 'incomplete';
}

/**
 * @param reason in words for the person @returns false when the participant has no open request
 */
export function refuseErasure(
  { db, now }: Pick<Runtime, 'db' | 'now'>,
  participantId: string,
  reason: string,
  by: Actor,
): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const closed = await closeErasureRequests(trx, [participantId], { outcome: 'refused', reason }, now());
    if (closed > 0) await recordAudit(trx, by, 'participant.refuse-erasure', participantId, now());
    return closed > 0;
  });
}
