import { BEGINNING, type ChainHead, headText, readHead } from '../../core/rules/audit-chain.ts';
import type { KeyRing } from '../../core/secrets/key-ring.ts';
import { openSealedHead, sealedHead } from '../../core/secrets/sealed-head.ts';
import { HOUR_MS } from '../../core/time.ts';
import {
  type AuditArchiveRow,
  archivedHead,
  headOf,
  listSealedArchives,
  type SealedArchive,
} from '../../db/audit/audit-archives.ts';
import { chainHead } from '../../db/audit/audit-chain.ts';
import { findSeal, isHeadIn, replaceSeal, sealArchive } from '../../db/audit/audit-seal.ts';
import type { Database } from '../../db/connection/database.ts';
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

export interface Examined {
  /** The places whose head the log lacks, or that no key of ours sealed. */
  contradicting: string[];
  /** Archives that no key of ours sealed. */
  unsealed: SealedArchive[];
  /** Whether every witness keeps a head. */
  isKept: boolean;
}

/** Compares the log with its witnesses, and its archives with their seals. Read-only, and each read once. */
export async function examineLog(parts: Witnessed): Promise<Examined> {
  const told = await testimonies(parts);
  const archives = await listSealedArchives(parts.db);
  const last = archives.at(-1);
  const archived = last ? headOf(last) : BEGINNING;
  const known = new Map<string, Promise<boolean>>();
  const contradicting: string[] = [];
  for (const one of told) {
    if ('head' in one && !one.head) continue;
    const text = 'head' in one && one.head ? headText(one.head) : '';
    const isThere = 'head' in one && one.head ? (known.get(text) ?? isInLog(parts.db, one.head, archived)) : NOT_THERE;
    known.set(text, isThere);
    if (!(await isThere)) contradicting.push(one.place);
  }
  return {
    contradicting,
    unsealed: archives.filter((archive) => !isSealed(archive, parts.keys)),
    isKept: told.every((one) => 'head' in one && one.head !== undefined),
  };
}

const NOT_THERE = Promise.resolve(false);

/**
 * Moves the witnesses on to the head of the chain. A witness that the log contradicts stays as it is: `audit verify` tells, until an operator
 * accepts the log as it is.
 * @returns the places that contradict it
 */
export async function sealHead(parts: Witnessed): Promise<string[]> {
  const { db, keys } = parts;
  const head = await chainHead(db);
  const text = sealedHead(headText(head), keys.encryption);
  const contradicting: string[] = [];
  for (const witness of witnessesOf(parts)) {
    const former = await witness.read();
    if (former === text) continue;
    const kept = former === undefined ? undefined : opened(former, keys);
    const isContradicting = former !== undefined && !(kept && (await isInLog(db, kept, await archivedHead(db))));
    if (isContradicting) contradicting.push(witness.place);
    else if (head.position > 0) await witness.write(text, former);
  }
  const sealed = (await listSealedArchives(db)).filter((archive) => isSealed(archive, keys));
  await sealArchives(parts, sealed);
  return contradicting;
}

function opened(text: string, { encryption }: Runtime['keys']): ChainHead | undefined {
  const head = openSealedHead(text, encryption);
  return head === undefined ? undefined : readHead(head);
}

/** An archived entry is compared by its archive. */
async function isInLog(db: Database, head: ChainHead, archived: ChainHead): Promise<boolean> {
  if (head.position < archived.position) return true;
  return headText(head) === headText(archived) || isHeadIn(db, head);
}

/**
 * Replaces every witness, whatever it says, and seals every archive: an operator restored an earlier log, and accepts it.
 * @returns the head that is kept now
 */
export async function acceptHead(parts: Witnessed): Promise<ChainHead> {
  const head = await chainHead(parts.db);
  for (const witness of witnessesOf(parts))
    await witness.write(sealedHead(headText(head), parts.keys.encryption), await witness.read());
  await sealArchives(parts, await listSealedArchives(parts.db));
  return head;
}

/** With the current key: former keys are forgotten one day. */
async function sealArchives({ db, keys, now }: Witnessed, archives: readonly SealedArchive[]): Promise<void> {
  for (const archive of archives) {
    const seal = archiveSeal(archive, keys.encryption);
    if (archive.seal !== seal) await sealArchive(db, archive.last_position, seal, now());
  }
}

/** All that a row says about its archive, so that no row can be made or changed without the key. */
function archiveText({ first_position, last_position, last_hash, file_sha256 }: ArchivedSpan): string {
  return `archive ${first_position}-${last_position}:${last_hash}:${file_sha256}`;
}

type ArchivedSpan = Pick<AuditArchiveRow, 'first_position' | 'last_position' | 'last_hash' | 'file_sha256'>;

export function archiveSeal(archive: ArchivedSpan, key: Pick<KeyRing, 'current'>): string {
  return sealedHead(archiveText(archive), key);
}

function isSealed(archive: SealedArchive, { encryption }: Runtime['keys']): boolean {
  return archive.seal !== null && openSealedHead(archive.seal, encryption) === archiveText(archive);
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
