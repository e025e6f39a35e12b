import { keysOf } from '../../core/secrets/key-ring.ts';
import { forgetFormerKeys, notedKeys } from '../../db/connection/encryption-keys.ts';
import type { Runtime } from '../runtime.ts';
import { SEALED_KINDS, type SealedKind, sealedThings } from './sealed-things.ts';

type Parts = Pick<Runtime, 'db' | 'providers' | 'keys' | 'log'>;
export type Counts = Record<SealedKind, number>;

/** What became of all that a former key had sealed. */
export interface Resealed {
  resealed: Counts;
  /** Still sealed with a former key: something goes on sealing with it. */
  left: Counts;
  /** No key opens them. */
  unreadable: Counts;
  /** Whether a whole look found nothing that a former key had sealed. */
  isClean: boolean;
}

const PASSES = 5;

/** Hears how many sealed things were looked at; every look over all of them begins anew. */
type Progress = (lookedAt: number) => void;

/** How many sealed things each key of the ring opens, in its order, and how many none does. @throws ProviderUnavailable */
export async function countByKey(
  parts: Parts,
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
 * Seals with the current key what a former one sealed, and looks again until nothing is found: only then are the former
 * keys forgotten, so that the service starts without them. May be stopped at any moment and run again.
 * @throws ProviderUnavailable
 */
export async function resealAll(parts: Parts, progress: Progress = () => {}): Promise<Resealed> {
  const resealed = noCounts();
  for (let pass = 1; ; pass++) {
    const noted = await notedKeys(parts.db);
    const { done, left, unreadable } = await resealOnce(parts, progress);
    for (const kind of SEALED_KINDS) resealed[kind] += done[kind];
    const isClean = SEALED_KINDS.every((kind) => done[kind] + left[kind] === 0);
    if (isClean) await forgetFormerKeys(parts.db, parts.keys.encryption, noted);
    if (isClean || pass === PASSES) return { resealed, left, unreadable, isClean };
  }
}

async function resealOnce(
  parts: Parts,
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
  return { webhook_secrets: 0, verifications: 0, invitations: 0, documents: 0 };
}
