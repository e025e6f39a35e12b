import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../core/config.ts';
import { createLog, type Log } from '../core/log.ts';
import type { Clock } from '../core/time.ts';
import { connect } from '../db/connect.ts';
import { createApp } from '../http/app.ts';
import { createApiServer } from '../http/server.ts';
import { createPostgresQueue } from '../jobs/queue-postgres.ts';
import { createSqliteQueue } from '../jobs/queue-sqlite.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { sweep } from '../jobs/sweep.ts';
import { createWorkers } from '../jobs/workers.ts';
import { createDocumentFolder } from '../providers/document-folder.ts';
import { createMailFolder } from '../providers/mail-folder.ts';
import { createOutboundHttp } from '../providers/outbound-http.ts';
import type { Providers } from '../providers/providers.ts';
import { createSandboxForensic } from '../providers/sandbox/forensic.ts';
import { createSandboxEid, createSandboxKyc } from '../providers/sandbox/identity.ts';

const SWEEP_MS = 5_000;
const DRAIN_MS = 10_000;
const DRAIN_STEP_MS = 50;

export interface Parts {
  runtime: Runtime;
  /** Tells the providers where our hosted pages are, once that is known. */
  setPublicUrl(url: string): void;
  close(): Promise<void>;
}

/** Puts the service together, without serving or working yet. The command line stops here. */
export async function build(config: Config, options: { now?: Clock; log?: Log } = {}): Promise<Parts> {
  const now = options.now ?? (() => new Date());
  const log = options.log ?? createLog(config.logLevel);
  let publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const db = await connect(config.database);
  const queue =
    config.database.dialect === 'sqlite'
      ? await createSqliteQueue(db, log)
      : await createPostgresQueue(config.database.url, log);
  const providers = createProviders(config, now, () => publicUrl);
  return {
    runtime: { db, queue, providers, keys: config.keys, now, log },
    setPublicUrl: (url) => {
      publicUrl = url;
    },
    async close() {
      await queue.stop();
      await providers.outbound.close();
      await db.destroy();
    },
  };
}

function createProviders(config: Config, now: Clock, publicUrl: () => string): Providers {
  const identity = { publicUrl, linkKey: config.keys.encryption, delayMs: config.sandboxDelayMs, now };
  return {
    kyc: createSandboxKyc(identity),
    eid: createSandboxEid(identity),
    forensic: createSandboxForensic(config.sandboxDelayMs, now),
    mail: createMailFolder(join(config.dataDir, 'mailbox'), 'Tenant Screening <no-reply@tenant-screening.example>'),
    documents: createDocumentFolder(join(config.dataDir, 'documents'), config.keys.encryption),
    outbound: createOutboundHttp(config.addresses),
  };
}

export interface Service extends Parts {
  /** Where the service is reached, without the API's base path. */
  url: string;
}

/** The API on its port and, unless told otherwise, the workers in the same process. `close` drains both. */
export async function startService(config: Config, options: { now?: Clock; log?: Log } = {}): Promise<Service> {
  const parts = await build(config, options);
  try {
    const server = createApiServer(await createApp(parts.runtime, config), parts.runtime.log);
    const port = await listen(server, config);
    const url = config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
    parts.setPublicUrl(url);
    const stopWorkers = config.runWorkers ? await startWorkers(parts.runtime) : async () => {};
    const close = async () => {
      await drain(server);
      await stopWorkers();
      await parts.close();
    };
    return { ...parts, url, close };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

/** Runs the jobs, and now and then looks for work whose job was lost. Returns what stops both. */
export async function startWorkers(runtime: Runtime): Promise<() => Promise<void>> {
  await runtime.queue.start(createWorkers(runtime));
  let pass = Promise.resolve();
  const look = () => {
    pass = pass.then(() => sweep(runtime)).catch((error) => runtime.log.error({ err: error }, 'sweep failed'));
  };
  look();
  const timer = setInterval(look, SWEEP_MS);
  return async () => {
    clearInterval(timer);
    await pass;
    await runtime.queue.stop();
  };
}

function listen(server: Server, { host, port }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Takes no more connections, lets requests finish, and after a while ends those that do not. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_STEP_MS);
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(force);
}
