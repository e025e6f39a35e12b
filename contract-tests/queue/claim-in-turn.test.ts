import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { isoAfter } from '../../core/time.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { claimInTurn } from '../../db/work/in-turn.ts';
import { databases } from '../../harness/database/dialect.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const LIMIT = 2;
const MINUTE_MS = 60_000;

describe('analyses that are claimed from one API key after another', () => {
  const test = useService({ RUN_WORKERS: 'false' });

  it('reach every key with a due row, whatever else is due later or has a longer backlog', async () => {
    const { db } = test.service.runtime;
    const now = new Date();
    const created = Array.from({ length: 8 }, () => createApiKey(db, test.landlords.ours, 'Key', now));
    const keys = (await Promise.all(created)).map(({ apiKey }) => apiKey.id).sort();
    const last = keys.at(-1) ?? '';
    const add = async (key: string, number: number, dueInMs: number) => {
      const { id: tenant_id } = await test.tenant(`${key}-${number}@mail.example`);
      const run = {
        id: newId(),
        tenant_id,
        api_key_id: key,
        status: 'pending' as const,
        created_at: now.toISOString(),
      };
      await db('forensic_runs').insert({ ...run, due_at: isoAfter(now, dueInMs) });
    };
    for (const key of keys.slice(1, -1)) await add(key, 0, MINUTE_MS);
    for (let number = 0; number < 5; number++) await add(keys[0] ?? '', number, -2 * MINUTE_MS);
    await add(last, 0, -MINUTE_MS);
    const lease = { dueBefore: now.toISOString(), lease: 'worker', until: isoAfter(now, MINUTE_MS) };
    for (const after of ['', keys[0] ?? '', last]) {
      const { claimed } = await claimInTurn(db, 'forensic_runs', { after, busy: [], limit: LIMIT }, lease);
      expect(claimed.map(({ party }) => party)).to.include(after === '' ? last : keys[0]);
    }
  });
});
