import type { ForensicEngine } from '@tenant-screening/forensics/analysis';
import type { AddressPolicy } from '../core/addresses/caller-address.ts';
import type { Log } from '../core/log.ts';
import type { Config, Keys } from '../core/settings/config.ts';
import type { RetentionSettings } from '../core/settings/retention-settings.ts';
import type { WebhookSettings } from '../core/settings/webhook-settings.ts';
import type { Clock } from '../core/time.ts';
import type { Database } from '../db/connection/connect.ts';
import type { Providers } from '../providers/providers.ts';
import type { Queue } from './queue/queue.ts';

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
