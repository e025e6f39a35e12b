import { keysOf } from '../../core/secrets/key-ring.ts';
import { deleteFormerKeys, notedKeys } from '../../db/connection/encryption-keys.ts';
import { SEALED_KINDS, type SealedKind, type Sealing, sealedThings } from './sealed-things.ts';

export type Counts = Record<SealedKind, number>;

export interface Resealed {
  resealed: Counts;
  /** Still sealed with a former key, because another process still uses that key. */
  left: Counts;
  unreadable: Counts;
  /** Whether a full pass found nothing sealed with a former key. */
  isClean: boolean;
}

const PASSES = 5;

/** Receives how many sealed things were examined; restarts at zero for each pass. */
type Progress = (lookedAt: number) => void;

/** How many sealed things each key opens, in the order of the ring, and how many no key opens. @throws ProviderUnavailable */
export async function countByKey(
  parts: Sealing,
  progress: Progress = () => {},
): Promise<{ opened: Counts[]; unreadable: Counts }> {
  const opened = keysOf(parts.keys.encryption).map(noCounts);
  const unreadable = noCounts();
  let lookedAt = 0;
  for await (const { kind, openedBy } of sealedThings(parts)) {
    (openedBy === undefined ? unreadable : (opened[openedBy] ?? unreadable))[kind] += 1;
    progress(++lookedAt);
  }
  return { opened, unreadable };
}

/**
 * Re-encrypts with the current key everything that a former key sealed, in passes until a pass finds nothing. Only then are the former keys
 * dropped, so that the service starts without them. Idempotent, and safe to interrupt.
 * @throws ProviderUnavailable
 */
export async function resealAll(parts: Sealing, progress: Progress = () => {}): Promise<Resealed> {
  const resealed = noCounts();
  for (let pass = 1; ; pass++) {
    const noted = await notedKeys(parts.db);
    const { done, left, unreadable } = await resealOnce(parts, progress);
    for (const kind of SEALED_KINDS) resealed[kind] += done[kind];
    const isClean = SEALED_KINDS.every((kind) => done[kind] + left[kind] === 0);
    if (isClean) await deleteFormerKeys(parts.db, parts.keys.encryption, noted);
    if (isClean || pass === PASSES) return { resealed, left, unreadable, isClean };
  }
}

async function resealOnce(
  parts: Sealing,
  progress: Progress,
): Promise<{ done: Counts; left: Counts; unreadable: Counts }> {
  const [done, left, unreadable] = [noCounts(), noCounts(), noCounts()];
  let lookedAt = 0;
  for await (const thing of sealedThings(parts)) {
    if (thing.openedBy === undefined) unreadable[thing.kind] += 1;
    else if (thing.openedBy > 0) ((await thing.reseal()) ? done : left)[thing.kind] += 1;
    progress(++lookedAt);
  }
  return { done, left, unreadable };
}

function noCounts(): Counts {
  return { webhook_secrets: 0, verifications: 0, invitations: 0, results: 0, events: 0, forms: 0, documents: 0 };
}
