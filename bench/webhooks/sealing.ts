import type { Row } from '../../bin/admin/cli/output.ts';
import { newId } from '../../core/ids.ts';
import { keyRing } from '../../core/secrets/key-ring.ts';
import { sealText, unsealText } from '../../core/secrets/secrets.ts';
import type { Database } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { findEvent, insertEvent } from '../../db/webhooks/events.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { MAX_EVENT_BYTES } from '../../jobs/documents/forensic-result.ts';
import type { Place } from '../databases.ts';
import { median, type Result, rounded } from '../result.ts';
import { healthy } from './endpoint.ts';
import { eventBody } from './event-body.ts';
import { Scene } from './scene.ts';

const EVENTS_A_ROUND = 100;
const ring = keyRing(Buffer.alloc(32, 7), []);

interface Storing {
  db: Database;
  tenantId: string;
}

/** How a body is stored, and how it is read again. */
interface Way {
  put: (body: string) => string;
  take: (stored: string) => string;
}

const ways = {
  plain: { put: (body: string) => body, take: (stored: string) => stored },
  sealed: {
    put: (body: string) => sealText(body, ring),
    take: (stored: string) => unsealText(stored, ring),
  },
} satisfies Record<string, Way>;

/** The cost of storing an event and reading it for its delivery, sealed versus plain. */
export function measureSealing(place: Place, rounds: number): Promise<Result> {
  const ordinary = JSON.stringify(eventBody(1));
  const bodies = [ordinary, filled(16 * 1024), filled(MAX_EVENT_BYTES)];
  return Scene.play(place, healthy(1), (scene) =>
    scene.withDatabase(async (db) => {
      const rows: Row[] = [];
      for (const body of bodies) rows.push(await compare({ db, tenantId: scene.tenantIds[0] ?? '' }, body, rounds));
      return {
        title: 'An event stored in a transaction of its own and read again, sealed against plain',
        rows,
        marks: [],
        note: 'Medians of rounds that take turns. CPU is that of the one process, the driver of the database included.',
      };
    }),
  );
}

function filled(bytes: number): string {
  return JSON.stringify({ event: 'FORENSIC_ANALYSIS_DATA', data: { text: 'a'.repeat(bytes - 64) } });
}

async function compare(at: Storing, body: string, rounds: number): Promise<Row> {
  const cpu = { plain: [] as number[], sealed: [] as number[] };
  const wall = { plain: [] as number[], sealed: [] as number[] };
  // The first round is a warm-up.
  for (let round = 0; round <= rounds; round++)
    for (const name of ['plain', 'sealed'] as const) {
      const [before, startedAt] = [process.cpuUsage(), performance.now()];
      for (let event = 0; event < EVENTS_A_ROUND; event++) await storeAndRead(at, body, ways[name]);
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      cpu[name].push((user + system) / EVENTS_A_ROUND);
      wall[name].push(((performance.now() - startedAt) * 1000) / EVENTS_A_ROUND);
    }
  const [plain, sealed] = [median(cpu.plain), median(cpu.sealed)];
  return {
    bytes: body.length,
    cpu_us_plain: Math.round(plain),
    cpu_us_sealed: Math.round(sealed),
    cpu: `${rounded(sealed / plain)} x`,
    time: `${rounded(median(wall.sealed) / median(wall.plain))} x`,
    stored: `${rounded(ways.sealed.put(body).length / body.length)} x`,
  };
}

async function storeAndRead({ db, tenantId }: Storing, body: string, { put, take }: Way): Promise<void> {
  const id = newId();
  const created_at = new Date().toISOString();
  await inTransaction(db, async (trx) =>
    insertEvent(trx, {
      ...{ id, ...(await ofTheirKey(trx, tenantId)), created_at },
      ...{ event: 'FORENSIC_ANALYSIS_DATA', body: put(body) },
    }),
  );
  const stored = (await findEvent(db, id))?.body ?? '';
  if (take(stored) !== body) throw new Error('The body was changed.');
}
