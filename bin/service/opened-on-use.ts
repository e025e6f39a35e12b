import { join } from 'node:path';
import type { EngineSettings, ForensicEngine } from '@tenant-screening/forensics/analysis';
import { FairTurns } from '../../core/fair-turns.ts';
import type { InTurns } from '../../core/in-turns.ts';
import type { Log } from '../../core/log.ts';
import { memoized } from '../../core/memoized.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Database } from '../../db/connection/database.ts';
import type { JobName } from '../../jobs/runtime.ts';
import type { VirusScanner } from '../../providers/documents/port.ts';
import type { MailSender } from '../../providers/mail/port.ts';
import type { OutboundHttp } from '../../providers/outbound/port.ts';
import type { Providers } from '../../providers/providers.ts';
import type { Queue } from '../../queue/queue.ts';
import { MAX_UPLOAD_WAIT_MS, mailboxInTurns, mailInTurns, outboundInTurns, scannerInTurns } from './calls-in-turns.ts';
import { jobNames } from './kinds.ts';
import { type OnFirstUse, onFirstUse } from './on-first-use.ts';

const closing = (opened: { close(): Promise<unknown> }) => opened.close();

/** Opening pg-boss takes as long as the rest of a start: `start` opens it, or the first send before that. */
export function openQueue(settings: Config['database'], db: Database, log: Log): Queue<JobName> {
  const queue = onFirstUse(
    async () =>
      settings.dialect === 'sqlite'
        ? (await import('../../queue/queue-sqlite.ts')).createSqliteQueue<JobName>(db, log)
        : (await import('../../queue/queue-postgres.ts')).createPostgresQueue(settings, jobNames, log),
    (opened) => opened.stop(),
  );
  return {
    send: async (...rows) => (await queue.use()).send(...rows),
    start: async (workers) => (await queue.use()).start(workers),
    stop: () => queue.close(),
  };
}

/**
 * An API key has at most half of the permits: the sandbox of another key's document need not wait for the end of a worst case. Callers who
 * would wait too long are refused; none waits for an analysis.
 */
const permits: NonNullable<EngineSettings['permits']> = (count, use) => {
  const ofOneParty = Math.max(1, Math.floor(count / 2));
  const limits = { atOnce: count, ofOneParty };
  const waits = { at: 'inspections', maxWaiting: 1_000, waitMs: MAX_UPLOAD_WAIT_MS } as const;
  return new FairTurns(use === 'analyses' ? limits : { ...limits, waits });
};

export function openForensics({ forensics: settings }: Config): ForensicEngine {
  const engine = onFirstUse(
    async () => (await import('@tenant-screening/forensics/analyse')).createForensicEngine({ ...settings, permits }),
    closing,
  );
  return {
    analyse: async (...documents) => (await engine.use()).analyse(...documents),
    inspect: async (...document) => (await engine.use()).inspect(...document),
    scale: async (...picture) => (await engine.use()).scale(...picture),
    draw: async (...pages) => (await engine.use()).draw(...pages),
    drawer: async () => (await engine.use()).drawer(),
    edition: async () => (await engine.use()).edition(),
    close: () => engine.close(),
  };
}

export function openScanner({ scanner: address }: Config): InTurns<VirusScanner> | undefined {
  if (!address) return undefined;
  const scanner = memoized(async () => (await import('../../providers/documents/clamd.ts')).createClamd(address));
  return scannerInTurns({
    check: async (content) => (await scanner()).check(content),
    signaturesFrom: async () => (await scanner()).signaturesFrom(),
  });
}

/** The local mailbox: writing a file is quick. */
const LOCAL_MAILS_AT_ONCE = 4;

export function mailsAtOnce({ mail }: Pick<Config, 'mail'>): number {
  return mail.provider === 'smtp' ? mail.server.connections : LOCAL_MAILS_AT_ONCE;
}

/** The sender of mails and, in the sandbox, the reader of the local mailbox. */
export function openMail(config: Config): Pick<Providers, 'mail' | 'mailbox'> {
  const { mail: settings, dataDir } = config;
  const inOpenTurns = (sender: OnFirstUse<MailSender>) => mailInTurns(sending(sender), mailsAtOnce(config));
  const folder = onFirstUse(
    async () =>
      (await import('../../providers/mail/mail-folder.ts')).createMailFolder(join(dataDir, 'mailbox'), settings.sender),
    closing,
  );
  if (settings.provider === 'sandbox') {
    const mailbox = mailboxInTurns({
      read: async (...mail) => (await folder.use()).read(...mail),
      list: async (...mails) => (await folder.use()).list(...mails),
    });
    return { mail: inOpenTurns(folder), mailbox };
  }
  const smtp = onFirstUse(
    async () => (await import('../../providers/mail/mail-smtp.ts')).createMailSmtp(settings.server, settings.sender),
    closing,
  );
  return { mail: inOpenTurns(smtp), mailbox: undefined };
}

function sending(mail: OnFirstUse<MailSender>): MailSender {
  return {
    send: async (letter) => (await mail.use()).send(letter),
    check: async () => (await mail.use()).check(),
    close: () => mail.close(),
  };
}

export function openOutbound({ addresses }: Config): InTurns<OutboundHttp> {
  const outbound = onFirstUse(
    async () => (await import('../../providers/outbound/outbound-http.ts')).createOutboundHttp(addresses),
    closing,
  );
  return outboundInTurns({
    post: async (...request) => (await outbound.use()).post(...request),
    deliver: async (...request) => (await outbound.use()).deliver(...request),
    isKnownPrivate: async (url) => (await outbound.use()).isKnownPrivate(url),
    close: () => outbound.close(),
  });
}
