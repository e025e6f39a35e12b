import type { ForensicEngine } from '@tenant-screening/forensics/analysis';
import { Turns } from '../api/turns.ts';

/** A wait without progress of the key's inspections: more than any single one takes, and what proxies are configured to wait. */
const MAX_WAIT_MS = 10 * 60_000;

/** The engine as the uploads of one API key see it. */
export type EngineOfKey = (forensics: ForensicEngine, apiKeyId: string) => ForensicEngine;

/** Gives the uploads of one API key at most half of the inspections at once, and keys their turns one after the other. */
export function fairInspections(parallel: number): EngineOfKey {
  const ofOneKey = Math.max(1, Math.floor(parallel / 2));
  const turns = new Turns({ atOnce: parallel, ofOneKey, waitMs: MAX_WAIT_MS });
  return (forensics, apiKeyId) => ({
    ...forensics,
    inspect: (document) => turns.run(apiKeyId, () => forensics.inspect(document)),
  });
}
