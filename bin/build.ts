import { join } from 'node:path';
import { type Config, ConfigError } from '../core/config.ts';
import { createLog, type Log } from '../core/log.ts';
import { unsealText } from '../core/secrets.ts';
import type { Clock } from '../core/time.ts';
import { connect, type Database } from '../db/connect.ts';
import type { Queue } from '../jobs/queue.ts';
import { createPostgresQueue } from '../jobs/queue-postgres.ts';
import { createSqliteQueue } from '../jobs/queue-sqlite.ts';
import type { Runtime } from '../jobs/runtime.ts';
import { createDocumentFolder } from '../providers/document-folder.ts';
import { createMailFolder } from '../providers/mail-folder.ts';
import { createOutboundHttp } from '../providers/outbound-http.ts';
import type { Providers } from '../providers/providers.ts';
import { createSandboxForensic } from '../providers/sandbox/forensic.ts';
import { createSandboxEid, createSandboxKyc } from '../providers/sandbox/identity.ts';

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
  const queue = await openQueue(config.database, db, log).catch(async (error) => {
    await db.destroy();
    throw error;
  });
  const providers = createProviders(config, now, () => publicUrl);
  const close = async () => {
    await queue.stop();
    await providers.outbound.close();
    await db.destroy();
  };
  try {
    await checkEncryptionKey(db, config.keys.encryption);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    runtime: { db, queue, providers, keys: config.keys, now, log },
    setPublicUrl: (url) => {
      publicUrl = url;
    },
    close,
  };
}

/** A key that does not open what is there would fail every signed delivery, one by one. @throws ConfigError */
async function checkEncryptionKey(db: Database, key: Uint8Array): Promise<void> {
  const webhook = await db('webhooks').whereNotNull('sealed_secret').first('sealed_secret');
  if (!webhook?.sealed_secret) return;
  try {
    unsealText(webhook.sealed_secret, key);
  } catch {
    throw new ConfigError(['ENCRYPTION_KEY is not the one that this database was sealed with.']);
  }
}

function openQueue(settings: Config['database'], db: Database, log: Log): Promise<Queue> {
  return settings.dialect === 'sqlite' ? createSqliteQueue(db, log) : createPostgresQueue(settings.url, log);
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
