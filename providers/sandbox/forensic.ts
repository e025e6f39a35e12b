import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../core/time.ts';
import type { ForensicAnalyser } from '../providers.ts';
import { magicOutcome } from './magic-addresses.ts';

/** An analysis that reads every document, checks that its bytes are the ones stored, and finds nothing else. */
export function createSandboxForensic(delayMs: number, now: Clock): ForensicAnalyser {
  return {
    async analyse(tenant, documents) {
      await wait(delayMs);
      if (magicOutcome('forensic', tenant.email)) throw new Error('The simulated analysis failed.');
      const results = [];
      for (const document of documents) {
        const hash = createHash('sha256');
        for await (const piece of document.read()) hash.update(piece);
        const outcome = hash.digest('hex') === document.sha256 ? 'no_finding' : 'inconclusive';
        results.push({ document_id: document.id, name: document.name, outcome });
      }
      return { engine: 'sandbox', documents: results, analysed_at: now().toISOString() };
    },
  };
}
