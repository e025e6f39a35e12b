import type { AddressPolicy } from '../core/caller-address.ts';
import type { Config, Keys } from '../core/config.ts';
import type { Log } from '../core/log.ts';
import type { RetentionSettings } from '../core/retention-settings.ts';
import type { Clock } from '../core/time.ts';
import type { WebhookSettings } from '../core/webhook-settings.ts';
import type { Database } from '../db/connect.ts';
import type { ForensicEngine } from '../forensics/analysis.ts';
import type { Providers } from '../providers/providers.ts';
import type { Queue } from './queue.ts';

/** What a running service is made of. Only `bin` puts one together. */
export interface Runtime {
  mode: Config['mode'];
  db: Database;
  queue: Queue;
  providers: Providers;
  forensics: ForensicEngine;
  keys: Keys;
  /** Where browsers reach us, without a slash at its end. */
  publicUrl: () => string;
  /** After which time a verification that nobody finished ends by itself. */
  flowLifetimeMs: number;
  /** How long the link of an invitation can be used. */
  invitationLifetimeMs: number;
  /** After how many days a completed profile goes out of date by itself; undefined means never. */
  profileDays: number | undefined;
  webhooks: WebhookSettings;
  /** Which addresses of callers may be used. */
  addresses: AddressPolicy;
  retention: RetentionSettings;
  now: Clock;
  log: Log;
}

/** As much of it as a request gets, which brings its own moment. */
export type RequestRuntime = Omit<Runtime, 'now' | 'log'>;
