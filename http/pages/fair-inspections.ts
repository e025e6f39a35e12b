import type { ForensicEngine } from '@tenant-screening/forensics/analysis';
import { FairTurns } from '../../core/fair-turns.ts';

/** More than the inspections before it take, and what proxies are configured to wait. */
const MAX_WAIT_MS = 10 * 60_000;

/** Inspects files of uploads in turns: one API key has at most half of the inspections at once. */
export function fairInspections(forensics: ForensicEngine, parallel: number): ForensicEngine {
  const ofOneParty = Math.max(1, Math.floor(parallel / 2));
  const turns = new FairTurns({ atOnce: parallel, ofOneParty, maxWaiting: 1_000, waitMs: MAX_WAIT_MS });
  return { ...forensics, inspect: (document) => turns.run(() => forensics.inspect(document)) };
}
