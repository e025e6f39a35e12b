import { OVERDUE, overdueBefore } from '../../core/rules/overdue.ts';
import { sentence } from '../../core/text.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time.ts';
import { isInForce, whyNotInForce } from '../../db/access/api-key-states.ts';
import { type DeliveryHistory, deliveryState } from '../../db/webhooks/delivery-lists.ts';

/** The state of a delivery in words, and the command to run next. */
export interface Advice {
  explanation: string;
  hint: string;
  command: string | null;
}

/** The schedule has a jitter of 20 %. */
const LONGER_THAN_PLANNED = 1.25;

const nothing = { hint: '', command: null };

export function adviseOn(history: DeliveryHistory, retryDelaysMs: readonly number[], now: Date): Advice {
  const { delivery, webhook } = history;
  const again = { hint: 'To deliver it again:', command: `delivery redeliver ${delivery.id}` };
  const repeat = delivery.payload_expired || !isInForce(webhook, now) ? nothing : again;
  switch (deliveryState(delivery)) {
    case 'delivered':
      return {
        explanation: `It was delivered at attempt ${delivery.attempts}. ${remark(history, now)}`.trimEnd(),
        ...repeat,
        hint: repeat.hint && 'If the receiver lost it, to deliver it again:',
      };
    case 'failed':
      return {
        explanation:
          `${sentence(`It failed: ${delivery.last_error ?? 'for no known reason'}`)} ${remark(history, now)}`.trimEnd(),
        ...repeat,
      };
    case 'held':
      if (webhook.paused_at === null)
        return {
          explanation: 'Its webhook was resumed, so it is sent once the service reaches it, or it was set aside.',
          hint: 'To see what was set aside:',
          command: 'work set-aside',
        };
      return {
        explanation: `It is held: its webhook was paused (${webhook.pause_reason}). Nothing is lost.`,
        hint: 'When the endpoint works again, to send the held deliveries:',
        command: `webhook resume ${webhook.id}`,
      };
    case 'pending':
      return adviseOnPending(history, retryDelaysMs, now);
  }
}

/** Why it cannot be redelivered, or that no attempts are left. */
function remark({ delivery, webhook }: DeliveryHistory, now: Date): string {
  const keyEnd = whyNotInForce(webhook, now);
  if (keyEnd !== undefined) return `Its webhook gets nothing further: ${keyEnd}.`;
  if (delivery.payload_expired) return 'Its body is no longer kept, so it cannot be delivered again.';
  return delivery.status === 'failed' ? 'No attempt is left.' : '';
}

function adviseOnPending(history: DeliveryHistory, retryDelaysMs: readonly number[], now: Date): Advice {
  const { delivery, webhook } = history;
  if (webhook.paused_at !== null)
    return {
      explanation: `Its webhook was paused (${webhook.pause_reason}), so it will be held when it is due.`,
      hint: 'When the endpoint works again, to send the held deliveries:',
      command: `webhook resume ${webhook.id}`,
    };
  const due = new Date(delivery.due_at ?? now);
  if (due.toISOString() < overdueBefore(now))
    return {
      explanation: OVERDUE,
      hint: 'To see whether other deliveries wait too:',
      command: 'delivery list --status pending',
    };
  const wait = waitInWords(history, retryDelaysMs, due);
  const explain = (sentence: string) => `${sentence} ${wait}`.trimEnd();
  if (delivery.leased_by !== null || due <= now)
    return { explanation: explain('It is being attempted now, or will be in a moment.'), ...nothing };
  return {
    explanation: explain('It waits for its next attempt.'),
    hint: 'To have it tried at once:',
    command: `delivery redeliver ${delivery.id}`,
  };
}

/** When the next attempt is due, and why. */
function waitInWords({ delivery, attempts }: DeliveryHistory, retryDelaysMs: readonly number[], due: Date): string {
  const last = attempts.at(-1);
  const failed = delivery.attempts - delivery.schedule_from;
  const planned = retryDelaysMs[failed - 1];
  const again = delivery.schedule_from > 0 ? ' The schedule restarted when it was redelivered.' : '';
  if (failed === 0 || planned === undefined || !last) return again.trimStart();
  const endedAt = new Date(last.started_at).getTime() + last.duration_ms;
  const isLonger = due.getTime() - endedAt > planned * LONGER_THAN_PLANNED;
  const reason = isLonger ? '; it is later because the endpoint asked for it (Retry-After) or was busy' : '';
  return `Attempt ${failed} of ${retryDelaysMs.length + 1} failed; the next follows after about ${inWords(planned)}${reason}.${again}`;
}

const UNITS: [string, number][] = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', 1000],
];

function inWords(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => milliseconds % size === 0) ?? ['ms', 1];
  return `${milliseconds / size} ${unit}`;
}
