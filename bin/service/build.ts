import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { InTurns } from '../../core/in-turns.ts';
import { createLog, type Log } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { type Clock, DAY_MS } from '../../core/time.ts';
import { clockOf } from '../../db/connection/clock.ts';
import { connect, connectToCurrent, disconnect } from '../../db/connection/connect.ts';
import type { Runtime, WorkEvents } from '../../jobs/runtime.ts';
import type { BankProvider } from '../../providers/banking/port.ts';
import { createDocumentFolder } from '../../providers/documents/document-folder.ts';
import { createHeadFile } from '../../providers/documents/head-file.ts';
import type { DocumentStore, HeadKeeper } from '../../providers/documents/port.ts';
import type { EidProvider, KycProvider } from '../../providers/identity/port.ts';
import { createLocalMails } from '../../providers/mail/local-mails.ts';
import type { Providers } from '../../providers/providers.ts';
import { createSandboxEid } from '../../providers/sandbox/eid.ts';
import { createSandboxKyc } from '../../providers/sandbox/kyc.ts';
import { createRehearsal, simulatedPerson } from '../../providers/sandbox/magic-addresses.ts';
import { noQueue } from '../../queue/queue.ts';
import {
  bankInTurns,
  documentsInTurns,
  eidInTurns,
  headInTurns,
  kycInTurns,
  localMailsInTurns,
} from './calls-in-turns.ts';
import { checkEncryptionKey, keepKey } from './encryption-key.ts';
import { kinds } from './kinds.ts';
import { mailsAtOnce, openForensics, openMail, openOutbound, openQueue, openScanner } from './opened-on-use.ts';
import { consoleUrlOf, serviceAddress } from './own-address.ts';
import { closeToOthers, requireDataDir } from './private-files.ts';

/** Overrides for tests and the command line. */
export interface BuildOptions {
  /** For short-lived processes: skips migrations and enqueues nothing; the service's promoter finds the work. */
  isCommand?: boolean;
  now?: Clock;
  log?: Log;
  /** Aborted when the process is about to stop and is no longer ready. */
  stopping?: AbortSignal;
  noteKeyEveryMs?: number;
}

export interface Parts {
  runtime: Runtime;
  /** Gives the providers the address of our hosted pages, once it is known. */
  setPublicUrl(url: string): void;
  close(): Promise<void>;
}

/** Constructs the dependencies, without serving or processing anything yet. The command line stops here. */
export async function build(config: Config, options: BuildOptions = {}): Promise<Parts> {
  const log = options.log ?? createLog(config.logLevel);
  let url = await serviceAddress(config);
  const publicUrl = () => url;
  const { mode, keys, verificationMinutes, profileDays, webhooks, addresses, limits, retention } = config;
  const opened: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end();
  };
  try {
    if (!options.isCommand) {
      requireDataDir(config.dataDir);
      closeToOthers(config, log);
    }
    const db = await (options.isCommand
      ? connectToCurrent(config.database)
      : connect(config.database, { mayMigrate: config.migrate }));
    opened.push(() => disconnect(db));
    const queue = options.isCommand ? noQueue : openQueue(config.database, db, log);
    opened.push(() => queue.stop());
    const clock = options.now ? { now: options.now, stop: async () => {} } : await clockOf(db, log);
    opened.push(clock.stop);
    const { now } = clock;
    const providers = await createProviders(config, publicUrl, now);
    opened.push(() => providers.outbound.close());
    opened.push(() => providers.mail.close());
    const forensics = openForensics(config);
    opened.push(() => forensics.close());
    const { documents } = providers;
    if (options.isCommand) await checkEncryptionKey(db, documents, keys.encryption, now());
    opened.push(await keepKey({ db, keys, now, log, documents }, options.noteKeyEveryMs));
    const flowLifetimeMs = verificationMinutes * 60_000;
    const invitationLifetimeMs = config.mail.invitationDays * DAY_MS;
    const runtime = {
      mode,
      db,
      queue,
      kinds,
      work: new EventEmitter<WorkEvents>(),
      providers,
      forensics,
      keys,
      publicUrl,
      consoleUrl: consoleUrlOf(config),
      flowLifetimeMs,
      invitationLifetimeMs,
      mailsAtOnce: mailsAtOnce(config),
      dailyMails: config.mail.daily,
      profileDays,
      webhooks,
      addresses,
      limits,
      retention,
      bankHistoryDays: config.banking.historyDays,
      reports: config.reports,
      now,
      log,
    };
    return {
      runtime,
      setPublicUrl: (reached) => {
        url = reached;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function createProviders(
  config: Config,
  publicUrl: () => string,
  now: Clock = () => new Date(),
): Promise<Providers> {
  const bank = await createBank(config, publicUrl, now);
  return {
    kyc: kycInTurns(await createKyc(config)),
    eid: eidInTurns(await createEid(config, publicUrl)),
    bank: bank && bankInTurns(bank),
    rehearseAnalysis: config.mode === 'sandbox' ? createRehearsal(config.sandboxDelayMs) : undefined,
    simulatedPerson: config.mode === 'sandbox' ? simulatedPerson : undefined,
    ...openMail(config),
    localMails: localMailsInTurns(createLocalMails(join(config.dataDir, 'mailbox'))),
    documents: documentsInTurns(await createDocuments(config)),
    scanner: openScanner(config),
    auditHead: await createAuditHead(config),
    outbound: openOutbound(config),
  };
}

/** A provider is loaded only when it is configured. */
async function createKyc({ kyc, sandboxDelayMs }: Config): Promise<KycProvider> {
  if (kyc.provider === 'sandbox') return createSandboxKyc(sandboxDelayMs);
  const { createStripeIdentity } = await import('../../providers/identity/stripe-identity.ts');
  return createStripeIdentity(kyc);
}

async function createEid({ eid, sandboxDelayMs }: Config, publicUrl: () => string): Promise<EidProvider> {
  const pageUrl = () => `${publicUrl()}/verify/eid/simulated`;
  if (eid.provider === 'sandbox') return createSandboxEid({ pageUrl, delayMs: sandboxDelayMs });
  const { createOpenIdConnect } = await import('../../providers/identity/openid-connect.ts');
  return createOpenIdConnect(eid);
}

async function createBank({ banking }: Config, publicUrl: () => string, now: Clock): Promise<BankProvider | undefined> {
  if (banking.provider === 'none') return undefined;
  if (banking.provider === 'sandbox') {
    const { createSandboxBank } = await import('../../providers/sandbox/bank.ts');
    return createSandboxBank({ pageUrl: () => `${publicUrl()}/verify/bank/simulated`, now });
  }
  const { createEnableBanking } = await import('../../providers/banking/enable-banking.ts');
  return createEnableBanking(banking);
}

async function createDocuments({ documents: { store, ...arriving }, keys }: Config): Promise<DocumentStore> {
  const receiving = { folder: arriving.incoming, keys: keys.encryption, limitMib: arriving.limitMib };
  if (store.kind === 'folder') return createDocumentFolder(store.folder, receiving);
  const { createDocumentBucket } = await import('../../providers/documents/document-bucket.ts');
  return createDocumentBucket(store, receiving);
}

export async function createAuditHead({ documents: { store }, dataDir }: Config): Promise<InTurns<HeadKeeper>> {
  if (store.kind === 'folder') return headInTurns(createHeadFile(dataDir));
  return headInTurns((await import('../../providers/documents/head-object.ts')).createHeadObject(store));
}
