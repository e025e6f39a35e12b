import { noteApiKeyUse } from '../../db/access/api-keys.ts';
import type { Runtime } from '../../jobs/runtime.ts';

const MINUTE_MS = 60_000;

/**
 * Notes that API keys are used, each once a minute at most: what is remembered here saves the database the question. Nobody waits for
 * it, and no request fails by it.
 */
export function createUseNotes({ db, log }: Pick<Runtime, 'db' | 'log'>): (apiKeyId: string, now: Date) => void {
  const minutes = new Map<string, number>();
  return (apiKeyId, now) => {
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minutes.get(apiKeyId) === minute) return;
    minutes.set(apiKeyId, minute);
    noteApiKeyUse(db, apiKeyId, new Date(minute * MINUTE_MS)).catch((error) =>
      log.warn({ err: error }, 'use of an API key not noted'),
    );
  };
}
