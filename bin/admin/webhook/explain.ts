import type { Command } from 'commander';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import type { DeliveryAttemptRow } from '../../../db/webhooks/deliveries.ts';
import {
  type DeliveryHistory,
  deliveryState,
  findDeliveryHistory,
  findListedWebhook,
} from '../../../db/webhooks/delivery-lists.ts';
import { findFormerSecrets } from '../../../db/webhooks/webhook-secrets.ts';
import { adviseOn } from '../../../jobs/webhooks/delivery-advice.ts';
import { OperatorError } from '../cli/faults.ts';
import { expectFound } from '../cli/named.ts';
import { filled, list, record } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { webhookFields } from './named.ts';

export function addExplainCommand(delivery: Command): void {
  delivery
    .command('explain')
    .description('show what happened to a delivery, and what comes next')
    .argument('<delivery>', 'the id of the delivery, which receivers get as the header webhook-id')
    .addHelpText('after', example('delivery explain msg_0d9c8b7a65f44e3d2c1b0a9f8e7d6c5b'))
    .action(explain);
}

const explain = withRuntime(async ({ db, now, webhooks }, id: string) => {
  const moment = now();
  const history = await namedDelivery(db, id);
  const [former] = await findFormerSecrets(db, history.webhook.id, moment);
  const advice = adviseOn(history, webhooks.retryDelaysMs, moment);
  const fields = view(history, former?.expires_at ?? null);
  const { text } = record(advice.explanation, filled(fields));
  const parts = [
    text,
    historyText(history),
    ...(advice.command ? [`${advice.hint}\n  ${commandLine(advice.command)}`] : []),
  ];
  const json = {
    ...fields,
    explanation: advice.explanation,
    next_command: advice.command === null ? null : commandLine(advice.command),
    history: history.attempts.map(attemptView),
  };
  return { json, text: parts.join('\n\n') };
});

/** @throws OperatorError when there is no such delivery */
export async function namedDelivery(
  db: Parameters<typeof findDeliveryHistory>[0],
  id: string,
): Promise<DeliveryHistory> {
  const history = await findDeliveryHistory(db, ALL_LANDLORDS, id);
  if (history) return history;
  const webhook = await findListedWebhook(db, ALL_LANDLORDS, id);
  if (webhook)
    throw new OperatorError(
      `"${id}" is a webhook; list its deliveries with ${commandLine(`delivery list --webhook ${id}`)}`,
    );
  return expectFound<DeliveryHistory>(history, 'delivery', id, 'delivery list');
}

function view({ delivery, webhook }: DeliveryHistory, formerSecretsUntil: string | null) {
  const { webhook_id, url, status: webhook_status, ...others } = webhookFields(webhook, formerSecretsUntil);
  return {
    delivery_id: delivery.id,
    status: deliveryState(delivery),
    event: delivery.event,
    tenant_id: delivery.tenant_id,
    created_at: delivery.created_at,
    attempts: delivery.attempts,
    next_attempt_at: delivery.due_at,
    finished_at: delivery.finished_at,
    payload_expired: delivery.payload_expired,
    webhook_id,
    url,
    webhook_status,
    ...others,
  };
}

function attemptView({ number, started_at, duration_ms, status_code, error, response_excerpt }: DeliveryAttemptRow) {
  return { number, started_at, duration_ms, status_code, error, response_excerpt };
}

function historyText({ attempts }: DeliveryHistory): string {
  const rows = attempts.map(({ number, started_at, duration_ms, status_code, error, response_excerpt }) => ({
    attempt: number,
    started_at,
    took: `${(duration_ms / 1000).toFixed(2)} s`,
    outcome: error ?? `answered ${status_code}`,
    answer: response_excerpt,
  }));
  return list(rows, {
    columns: ['attempt', 'started_at', 'took', 'outcome', 'answer'],
    cut: ['answer', 'outcome'],
    empty: 'No attempt was recorded.',
  }).text;
}
