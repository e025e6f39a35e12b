import { type ChainHead, headText, readHead } from '../../core/rules/audit-chain.ts';
import { openSealedHead, sealedHead } from '../../core/secrets/sealed-head.ts';
import { HOUR_MS } from '../../core/time.ts';
import { archivedHead } from '../../db/audit/audit-archives.ts';
import { chainHead } from '../../db/audit/audit-chain.ts';
import { findSeal, isHeadIn, replaceSeal } from '../../db/audit/audit-seal.ts';
import type { Runtime } from '../runtime.ts';

export type Witnessed = Pick<Runtime, 'db' | 'keys' | 'now'> & { providers: Pick<Runtime['providers'], 'auditHead'> };

/**
 * Keeps sealed heads of the audit log:
 * - `seal` in the database: who cuts the log off, or hashes it again, cannot make it without ENCRYPTION_KEY;
 * - `kept` outside the database: an old seal, which fits an old log, does not replace it.
 */
interface Witness {
  name: 'seal' | 'kept';
  place: string;
  read(): Promise<string | undefined>;
  write(text: string, former: string | undefined): Promise<void>;
}

function witnessesOf({ db, providers: { auditHead }, now }: Witnessed): Witness[] {
  return [
    {
      name: 'seal',
      place: 'the database',
      read: () => findSeal(db),
      write: (text, former) => replaceSeal(db, text, former, now()),
    },
    { name: 'kept', place: auditHead.place, read: auditHead.read, write: (text) => auditHead.write(text) },
  ];
}

/** What a witness says: a head that must be in the log, no head yet, or a text that no key of ours sealed. */
export type Testimony = { name: Witness['name']; place: string } & ({ head: ChainHead | undefined } | { forged: true });

/** @throws ProviderUnavailable when the place outside the database does not answer */
export async function testimonies(parts: Witnessed): Promise<Testimony[]> {
  return Promise.all(witnessesOf(parts).map((witness) => testimony(parts, witness)));
}

async function testimony({ keys }: Witnessed, { name, place, read }: Witness): Promise<Testimony> {
  const text = await read();
  const head = text === undefined ? undefined : opened(text, keys);
  return text !== undefined && !head ? { name, place, forged: true } : { name, place, head };
}

/** The places whose head the log lacks, or that no key of ours sealed. Read-only. */
export async function contradictions(parts: Witnessed): Promise<string[]> {
  const places: string[] = [];
  for (const { place, read } of witnessesOf(parts)) {
    const text = await read();
    if (text !== undefined && !(await isInLog(parts, text))) places.push(place);
  }
  return places;
}

/**
 * Moves the witnesses on to the head of the chain. A witness that the log contradicts stays as it is: `audit verify` tells, until an operator
 * accepts the log as it is.
 * @returns the places that contradict it
 */
export async function sealHead(parts: Witnessed): Promise<string[]> {
  const head = await chainHead(parts.db);
  const text = sealedHead(headText(head), parts.keys.encryption);
  const contradicting: string[] = [];
  for (const witness of witnessesOf(parts)) {
    const former = await witness.read();
    if (former === text) continue;
    if (former !== undefined && !(await isInLog(parts, former))) contradicting.push(witness.place);
    else if (head.position > 0) await witness.write(text, former);
  }
  return contradicting;
}

function opened(text: string, { encryption }: Runtime['keys']): ChainHead | undefined {
  const head = openSealedHead(text, encryption);
  return head === undefined ? undefined : readHead(head);
}

/** An archived entry is compared by its archive. */
async function isInLog({ db, keys }: Witnessed, text: string): Promise<boolean> {
  const head = opened(text, keys);
  if (!head) return false;
  const archived = await archivedHead(db);
  if (head.position < archived.position) return true;
  return headText(head) === headText(archived) || isHeadIn(db, head);
}

/** Replaces every witness, whatever it says: an operator restored an earlier log, and accepts it. @returns the head that is kept now */
export async function acceptHead(parts: Witnessed): Promise<ChainHead> {
  const head = await chainHead(parts.db);
  for (const witness of witnessesOf(parts))
    await witness.write(sealedHead(headText(head), parts.keys.encryption), await witness.read());
  return head;
}

/** A periodic duty. Logs a contradiction once an hour. */
export function keepSealing({ log, ...parts }: Witnessed & Pick<Runtime, 'log'>): () => Promise<void> {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const places = await sealHead(parts);
    if (places.length === 0 || performance.now() - loggedAt < HOUR_MS) return;
    loggedAt = performance.now();
    log.error(
      { places },
      'the audit log lacks a head that was kept: it was cut off, rewritten or restored; see audit verify',
    );
  };
}
