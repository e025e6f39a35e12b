import { join } from 'node:path';
import type { EngineSettings, ForensicEngine } from '@tenant-screening/forensics/analysis';
import { FairTurns } from '../../core/fair-turns.ts';
import type { Log } from '../../core/log.ts';
import { memoized } from '../../core/memoized.ts';
import type { Config } from '../../core/settings/config.ts';
import type { Database } from '../../db/connection/database.ts';
import type { JobName } from '../../jobs/runtime.ts';
import type { VirusScanner } from '../../providers/documents/port.ts';
import type { Mailbox, MailSender } from '../../providers/mail/port.ts';
import type { OutboundHttp } from '../../providers/outbound/port.ts';
import type { Queue } from '../../queue/queue.ts';
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

/** What proxies are configured to wait for an answer. */
const MAX_UPLOAD_WAIT_MS = 10 * 60_000;

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

/** How many documents a process has scanned at once: clamd works on ten at once, by default, and queues a hundred. */
const SCANS_AT_ONCE = 4;

export function openScanner({ scanner: address }: Config): VirusScanner | undefined {
  if (!address) return undefined;
  const waits = { at: 'scans', maxWaiting: 1_000, waitMs: MAX_UPLOAD_WAIT_MS } as const;
  const turns = new FairTurns({ atOnce: SCANS_AT_ONCE, ofOneParty: SCANS_AT_ONCE / 2, waits });
  const scanner = memoized(async () => (await import('../../providers/documents/clamd.ts')).createClamd(address));
  return {
    check: (content) => turns.run(async () => (await scanner()).check(content)),
    signaturesFrom: async () => (await scanner()).signaturesFrom(),
  };
}

/** The sender of mails and, in the sandbox, the reader of the local mailbox. */
export function openMail({ mail: settings, dataDir }: Config): { mail: MailSender; mailbox: Mailbox | undefined } {
  const folder = onFirstUse(
    async () =>
      (await import('../../providers/mail/mail-folder.ts')).createMailFolder(join(dataDir, 'mailbox'), settings.sender),
    closing,
  );
  if (settings.provider === 'sandbox')
    return { mail: sending(folder), mailbox: { read: async (id) => (await folder.use()).read(id) } };
  const smtp = onFirstUse(
    async () => (await import('../../providers/mail/mail-smtp.ts')).createMailSmtp(settings.server, settings.sender),
    closing,
  );
  return { mail: sending(smtp), mailbox: undefined };
}

function sending(mail: OnFirstUse<MailSender>): MailSender {
  return {
    send: async (letter) => (await mail.use()).send(letter),
    check: async () => (await mail.use()).check(),
    close: () => mail.close(),
  };
}

export function openOutbound({ addresses }: Config): OutboundHttp {
  const outbound = onFirstUse(
    async () => (await import('../../providers/outbound/outbound-http.ts')).createOutboundHttp(addresses),
    closing,
  );
  return {
    post: async (...request) => (await outbound.use()).post(...request),
    isKnownPrivate: async (url) => (await outbound.use()).isKnownPrivate(url),
    close: () => outbound.close(),
  };
}
