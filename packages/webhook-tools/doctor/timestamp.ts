import { type Finding, fault, good, note } from './finding.ts';

/** The tolerance of the public libraries. */
const TOLERANCE_SECONDS = 5 * 60;

/** The timestamp as it is signed, in seconds. Adds its faults to `findings`. */
export function readTimestamp(value: string, findings: Finding[]): string {
  if (/^\d{1,11}$/.test(value)) return value;
  if (/^\d{12,14}$/.test(value)) {
    findings.push(
      fault(
        'timestamp-in-milliseconds',
        'webhook-timestamp is in milliseconds.',
        'We send seconds since 1970, and seconds are what is signed.',
        'Use the value as sent; compare it with the clock in seconds, in JavaScript Date.now() / 1000.',
      ),
    );
    return value.slice(0, -3);
  }
  findings.push(
    fault(
      'timestamp-malformed',
      `webhook-timestamp is "${value.slice(0, 40)}", which is no whole number.`,
      'We send seconds since 1970 in digits. Something parsed and wrote it again.',
      'Use the header as it was sent, as text.',
    ),
  );
  const number = Number(value);
  const moment = Number.isFinite(number) ? number : Math.floor(Date.parse(value) / 1000);
  return Number.isFinite(moment) ? String(Math.floor(moment)) : value;
}

/** The time of receipt is unknown, but the timestamp belongs to an attempt, so it arrived within seconds. */
export function receiptUnknown(): Finding {
  return note(
    'receipt-untold',
    'The time of receipt was not given, so the receiver’s clock was not checked.',
    'Libraries refuse a timestamp more than five minutes away from their clock.',
    'Give the time of receipt by the receiver’s clock: --received-at.',
  );
}

/** Checks whether a receiver accepts the timestamp at this moment. */
export function compareClock(timestamp: string, now: Date): Finding | undefined {
  const behind = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (!Number.isFinite(behind)) return undefined;
  const moments = `It says ${moment(Number(timestamp) * 1000)}, and it was received at ${moment(now.getTime())}.`;
  if (behind > TOLERANCE_SECONDS)
    return fault(
      'timestamp-old',
      `The timestamp is ${duration(behind)} older than the moment of receipt. ${moments}`,
      'The receiver’s clock is ahead, or the delivery waited in a queue, or it is a replay. Libraries refuse it after five minutes.',
      'Set the clock by NTP; verify at receipt, before anything is queued. If you only diagnose an old capture, say when it was received: --received-at.',
    );
  if (behind < -TOLERANCE_SECONDS)
    return fault(
      'timestamp-in-the-future',
      `The timestamp is ${duration(-behind)} ahead of the moment of receipt. ${moments}`,
      'The receiver’s clock is behind. Libraries refuse more than five minutes.',
      'Set the clock by NTP. If you diagnose a capture from another time, say when it was received: --received-at.',
    );
  return good('timestamp-in-time', `The timestamp is ${duration(Math.abs(behind))} from the moment of receipt.`);
}

function moment(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'no date' : date.toISOString().replace('.000', '');
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
