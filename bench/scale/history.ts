import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sealText } from '../../core/secrets/secrets.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { open, withDatabase } from '../../db/connection/connect.ts';
import type { Database } from '../../db/connection/database.ts';
import { bulkId, inBulk } from '../../harness/database/bulk-rows.ts';
import { sandbox, settings, usedKeys, useKeys } from '../api/settings.ts';
import type { Place } from '../databases.ts';
import { type Filled, filled, filledBefore } from '../growth/filled.ts';
import { withoutIndexes } from '../growth/without-indexes.ts';
import { SECRET } from '../webhooks/endpoint.ts';
import { eventBody } from '../webhooks/event-body.ts';
import { type Amounts, amountsOf, MINUTES, sizeOf } from './amounts.ts';
import { partitionPast } from './past-partitions.ts';
import { Rows } from './rows.ts';

/** To fill tables takes longer than any statement of the service may. */
const PATIENT = { DATABASE_QUERY_SECONDS: '3600' };

/** A month of work that is done, on Postgres. */
export interface History {
  database: Filled;
  /** Settings of workers and commands. */
  env: Record<string, string>;
  config: Config;
  amounts: Amounts;
  seconds: number;
}

/** Fills a database, or finds the one that an earlier run filled and kept. @param urls of the webhooks */
export async function historyOf(place: Place, deliveries: number, urls: readonly string[]): Promise<History> {
  const kept = await findKept(place, deliveries);
  if (kept) {
    await withDatabase(open(kept.config.database), async (db) => {
      for (const [index, url] of urls.entries())
        await db('webhooks')
          .where({ id: bulkId('webhook', index + 1) })
          .update({ url });
    });
    return kept;
  }
  const startedAt = performance.now();
  const amounts = amountsOf(deliveries);
  const database = await filled(place, sizeOf(amounts));
  const history = { database, amounts, ...settingsOf(place, database.url) };
  await withDatabase(open(history.config.database), (db) => fill(db, history, urls));
  const seconds = (performance.now() - startedAt) / 1000;
  await keepHistory(place, { ...history, seconds });
  return { ...history, seconds };
}

function settingsOf(place: Place, url: string): Pick<History, 'env' | 'config'> {
  const env = { ...settings(url, join(place.folder, 'history')), ...sandbox };
  return { env, config: readConfig({ ...env, ...PATIENT }) };
}
async function fill(db: Database, { amounts, config }: Omit<History, 'seconds'>, urls: readonly string[]) {
  await inBulk(db, (trx) =>
    withoutIndexes(trx, async () => {
      await partitionPast(trx, new Date(amounts.endedAt - MINUTES * 60_000), new Date(amounts.endedAt));
      const to = new Rows(trx, amounts);
      await to.addWebhooks(urls, sealText(SECRET, config.keys.encryption));
      await to.addEvents(sealText(JSON.stringify(eventBody(0)), config.keys.encryption));
      await to.addDeliveries();
      await to.addAttempts();
      await to.addChecks();
      await to.addDocuments();
      await to.addAuditEntries();
    }),
  );
  await new Rows(db, amounts).settle();
}

/** What another run must know of a history that was kept. */
interface Kept {
  database: string;
  amounts: Amounts;
  keys: ReturnType<typeof usedKeys>;
  fillSeconds: number;
  seconds: number;
}

const fileOf = ({ folder }: Place) => join(folder, 'history.json');

async function keepHistory(place: Place, { database, amounts, seconds }: History): Promise<void> {
  if (!place.isKept) return;
  const name = new URL(database.url).pathname.slice(1);
  const kept: Kept = { database: name, amounts, keys: usedKeys(), fillSeconds: database.fillSeconds, seconds };
  await writeFile(fileOf(place), JSON.stringify(kept, null, 2));
}

async function findKept(place: Place, deliveries: number): Promise<History | undefined> {
  if (!place.isKept || !existsSync(fileOf(place))) return undefined;
  const kept: Kept = JSON.parse(await readFile(fileOf(place), 'utf8'));
  const { amounts, keys, fillSeconds, seconds } = kept;
  if (amounts.deliveries !== deliveries)
    throw new Error(`${place.folder} has ${amounts.deliveries} deliveries rather than ${deliveries}.`);
  useKeys(keys);
  const url = place.urlOf(kept.database);
  const database = filledBefore(place, url, sizeOf(amounts), fillSeconds);
  return { database, amounts, seconds, ...settingsOf(place, url) };
}
