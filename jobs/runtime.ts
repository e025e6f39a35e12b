import type { EventEmitter } from 'node:events';
import type { ForensicEngine } from '@tenant-screening/forensics/analysis';
import type { AddressPolicy } from '../core/addresses/caller-address.ts';
import type { Log } from '../core/log.ts';
import type { Config } from '../core/settings/config.ts';
import type { Keys } from '../core/settings/key-settings.ts';
import type { RequestLimits } from '../core/settings/limit-settings.ts';
import type { MailSettings } from '../core/settings/mail-settings.ts';
import type { ReportSettings } from '../core/settings/report-settings.ts';
import type { RetentionSettings } from '../core/settings/retention-settings.ts';
import type { WebhookSettings } from '../core/settings/webhook-settings.ts';
import type { Clock } from '../core/time.ts';
import type { Database } from '../db/connection/database.ts';
import type { Providers } from '../providers/providers.ts';
import type { Kinds, QueueEvents } from '../queue/kind.ts';
import type { Queue } from '../queue/queue.ts';

/** The kinds of background work; `bin/service/kinds.ts` is their table. */
export type JobName =
  | 'send-invite'
  | 'complete-kyc'
  | 'complete-eid'
  | 'run-forensic'
  | 'deliver-webhook'
  | 'fetch-bank'
  | 'make-report';

/** Events of the background work in this process, for logs and metrics. */
export interface WorkEvents extends QueueEvents<JobName> {
  /** `success`, or why an attempt failed. */
  'delivery attempted': [outcome: string];
  'document analysed': [outcome: string, durationMs: number];
}

/** The parts of a running service, built by `bin` alone. Functions declare the parts that they need. */
export interface Runtime {
  mode: Config['mode'];
  db: Database;
  queue: Queue<JobName>;
  kinds: Kinds<JobName>;
  work: EventEmitter<WorkEvents>;
  providers: Providers;
  forensics: ForensicEngine;
  keys: Keys;
  /** Our public address, without a trailing slash. */
  publicUrl: () => string;
  /** The address at which browsers reach the operators' console; undefined while it is off, or its port is unknown. */
  consoleUrl: string | undefined;
  /** How long until an unfinished verification expires. */
  flowLifetimeMs: number;
  /** How long an invitation's link is valid. */
  invitationLifetimeMs: number;
  /** How many mails this process sends concurrently. */
  mailsAtOnce: number;
  /** How many mails one API key sends to one mailbox within 24 hours, and in all on one day. */
  dailyMails: MailSettings['daily'];
  /** After how many days a completed profile becomes outdated; undefined means never. */
  profileDays: number | undefined;
  webhooks: WebhookSettings;
  /** Which addresses given by callers are allowed. */
  addresses: AddressPolicy;
  /** The limits of requests. */
  limits: RequestLimits;
  retention: RetentionSettings;
  /** How far back bookings of a bank are read. */
  bankHistoryDays: number;
  reports: ReportSettings;
  now: Clock;
  log: Log;
}
