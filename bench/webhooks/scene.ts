import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sealText } from '../../core/secrets/secrets.ts';
import { type Config, readConfig } from '../../core/settings/config.ts';
import { createApiKey } from '../../db/access/api-keys.ts';
import { createLandlord } from '../../db/access/landlords.ts';
import { insertApplication, newApplication } from '../../db/applications/applications.ts';
import { addTenant } from '../../db/applications/tenants.ts';
import { connect, disconnect } from '../../db/connection/connect.ts';
import type { Database, Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { insertWebhook } from '../../db/webhooks/webhooks.ts';
import type { Place } from '../databases.ts';
import { moment, Remote } from '../remote.ts';
import { type Endpoint, SECRET } from './endpoint.ts';
import type { Receiver } from './receiver.ts';
import type { Service } from './service.ts';

/** A database with one tenant per webhook, receivers for the webhooks, and the processes of one measurement. */
export class Scene {
  readonly tenantIds: string[] = [];
  readonly receiver = new Remote<Receiver>(import.meta.resolve('./receiver.ts'));
  readonly endpoints: Endpoint[];
  urls: string[] = [];
  databaseUrl = '';
  private readonly ending: (() => Promise<unknown>)[] = [() => this.receiver.end()];
  private folder = '';

  private constructor(endpoints: Endpoint[]) {
    this.endpoints = endpoints;
  }

  /** Runs a measurement in its own scene and cleans up. */
  static async play<Result>(
    place: Place,
    endpoints: Endpoint[],
    measure: (scene: Scene) => Promise<Result>,
  ): Promise<Result> {
    const scene = new Scene(endpoints);
    try {
      scene.folder = await mkdtemp(join(tmpdir(), 'screening-scene-'));
      scene.databaseUrl = await place.make();
      scene.urls = await scene.receiver.ask('listen', endpoints);
      await scene.withDatabase((db) => scene.furnish(db));
      const result = await measure(scene);
      const [fault] = await scene.receiver.ask('faults');
      if (fault) throw new Error(`A delivery could not be verified: ${fault}.`);
      return result;
    } finally {
      for (const end of scene.ending) await end();
      await rm(scene.folder, { recursive: true, force: true });
    }
  }

  /** A process that is ended with the scene. */
  keep<Kept extends { end(): Promise<void> }>(process: Kept): Kept {
    this.ending.push(() => process.end());
    return process;
  }

  /** The service, with its workers in the same process or without. */
  service(runWorkers = true): Remote<Service> {
    return this.keep(
      new Remote<Service>(import.meta.resolve('./service.ts'), { ...this.env(), RUN_WORKERS: String(runWorkers) }),
    );
  }

  /** The actual program of the workers. */
  startWorker(): void {
    const program = new URL('../../bin/worker.ts', import.meta.url).pathname;
    const env = { PATH: process.env['PATH'], SETTINGS_FILE: '', ...this.env() };
    const worker = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const kill = () => worker.kill('SIGKILL');
    // An interrupted run leaves nothing running.
    process.once('exit', kill);
    this.ending.push(() => {
      process.off('exit', kill);
      kill();
      return ended;
    });
  }

  /** Waits until this many events reached an endpoint that does not always hang. @returns false on a timeout */
  async arrived(count: number, patienceMs = 120_000): Promise<boolean> {
    const deadline = moment() + patienceMs;
    while ((await this.receiver.ask('arrived')) < count) {
      if (moment() > deadline) return false;
      await wait(10);
    }
    return true;
  }

  async withDatabase<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    const db = await connect(this.config().database);
    try {
      return await work(db);
    } finally {
      await disconnect(db);
    }
  }

  private env(): Record<string, string> {
    return { DATABASE_URL: this.databaseUrl, DATA_DIR: this.folder, PORT: '0' };
  }

  private config(): Config {
    return readConfig(this.env());
  }

  private async furnish(db: Database): Promise<void> {
    const landlord = await createLandlord(db, 'Bench', new Date());
    const sealed = sealText(SECRET, this.config().keys.encryption);
    await inTransaction(db, async (trx) => {
      for (const url of this.urls) this.tenantIds.push(await addWebhook(trx, landlord.id, url, sealed));
    });
  }
}

/** A webhook with its own key, and the tenant whose events only it receives. */
async function addWebhook(trx: Transaction, landlordId: string, url: string, sealedSecret: string): Promise<string> {
  const now = new Date();
  const { apiKey } = await createApiKey(trx, landlordId, url, now);
  const person = { email: `${apiKey.id}@mail.example`, name: 'Bench' };
  const { tenant } = await addTenant(trx, person, now);
  await insertApplication(trx, newApplication(apiKey.id, 'Bench', [{ ...person, isLead: true }], now));
  await insertWebhook(trx, { apiKeyId: apiKey.id, url, sealedSecret }, now);
  return tenant.id;
}
