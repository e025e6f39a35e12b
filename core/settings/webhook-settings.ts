import { DAY_MS, durationMs } from '../time.ts';
import { valuesOf } from './values.ts';

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
const LONGEST_WAIT_MS = 7 * DAY_MS;
const MOST_RETRIES = 20;

/** Appends problems to `faults`. */
export function readWebhooks(env: NodeJS.ProcessEnv, faults: string[]): WebhookSettings {
  const { wholeNumber } = valuesOf(env, faults);
  const days = (name: string, fallback: number) => wholeNumber(name, fallback, 3650, 1, ' of days');
  const settings = {
    retryDelaysMs: readRetries(env['WEBHOOK_RETRIES'] || RETRIES, faults),
    pauseAfterMs: days('WEBHOOK_PAUSE_DAYS', 5) * DAY_MS,
    payloadDays: days('WEBHOOK_PAYLOAD_DAYS', 30),
    recordDays: days('WEBHOOK_RECORD_DAYS', 90),
  };
  if (settings.recordDays < settings.payloadDays)
    faults.push('WEBHOOK_RECORD_DAYS is less than WEBHOOK_PAYLOAD_DAYS; a record goes with its payload.');
  return settings;
}

function readRetries(text: string, faults: string[]): number[] {
  const waits = text.split(',').map((wait) => durationMs(wait.trim()));
  if (waits.length <= MOST_RETRIES && waits.every((wait) => wait > 0 && wait <= LONGEST_WAIT_MS)) return waits;
  faults.push(
    `WEBHOOK_RETRIES is "${text}"; use up to ${MOST_RETRIES} waits between commas, such as ${RETRIES}, each at most 7d.`,
  );
  return [];
}
