import { DAY_MS, durationMs } from '../time.ts';
import { readerOf, setting, text, wholeNumber } from './setting.ts';

/** Webhook deliveries: retries, and retention of payloads and records. */
export interface WebhookSettings {
  /** Back-off before the second and each later attempt, in milliseconds. */
  retryDelaysMs: readonly number[];
  /** How long an endpoint may fail continuously before it is paused, in milliseconds. */
  pauseAfterMs: number;
  /** Days that event bodies and response excerpts are kept. */
  payloadDays: number;
  /** Days that delivery records are kept. */
  recordDays: number;
}

const RETRIES = '5s,5m,30m,2h,5h,10h,10h';
const MAX_WAIT_MS = 7 * DAY_MS;
const MAX_RETRIES = 20;

const days = wholeNumber(1, 3650, ' of days');

export const webhookSettings = {
  WEBHOOK_RETRIES: setting(
    text,
    RETRIES,
    `Waits between attempts, in \`s\`, \`m\`, \`h\` or \`d\`: up to ${MAX_RETRIES}, each at most \`7d\`.`,
  ),
  WEBHOOK_PAUSE_DAYS: setting(days, 5, 'A webhook without a success for this long is [paused](#paused-webhooks).'),
  WEBHOOK_PAYLOAD_DAYS: setting(
    days,
    30,
    'Event bodies and endpoint responses are kept this long; then pending deliveries fail. On Postgres, 14 days or more are purged by the week, up to a week late.',
  ),
  WEBHOOK_RECORD_DAYS: setting(
    days,
    90,
    'Delivery records are kept this long, at least as long as bodies. On Postgres, 62 days or more are purged by the month, up to a month late.',
  ),
};

/** Appends problems to `faults`. */
export function readWebhooks(env: NodeJS.ProcessEnv, faults: string[]): WebhookSettings {
  const read = readerOf(webhookSettings, env, faults);
  const settings = {
    retryDelaysMs: readRetries(read('WEBHOOK_RETRIES'), faults),
    pauseAfterMs: read('WEBHOOK_PAUSE_DAYS') * DAY_MS,
    payloadDays: read('WEBHOOK_PAYLOAD_DAYS'),
    recordDays: read('WEBHOOK_RECORD_DAYS'),
  };
  if (settings.recordDays < settings.payloadDays)
    faults.push('WEBHOOK_RECORD_DAYS is less than WEBHOOK_PAYLOAD_DAYS; a record goes with its payload.');
  return settings;
}

function readRetries(text: string, faults: string[]): number[] {
  const waits = text.split(',').map((wait) => durationMs(wait.trim()));
  if (waits.length <= MAX_RETRIES && waits.every((wait) => wait > 0 && wait <= MAX_WAIT_MS)) return waits;
  faults.push(
    `WEBHOOK_RETRIES is "${text}"; use up to ${MAX_RETRIES} waits between commas, such as ${RETRIES}, each at most 7d.`,
  );
  return [];
}
