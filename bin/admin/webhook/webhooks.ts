import { type Command, Option } from 'commander';
import { canonicalId } from '../../../core/ids.ts';
import { apiKeyState } from '../../../db/access/api-key-states.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import {
  type ListedWebhook,
  listWebhooks,
  MAX_COUNTED,
  type WebhookNumbers,
  type WebhookState,
  webhookNumbers,
  webhookStates,
} from '../../../db/webhooks/delivery-lists.ts';
import { MAX_COUNTED as MAX_WAITING } from '../../../db/work/work-lists.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { pause, resume } from '../../../jobs/webhooks/webhook-care.ts';
import { operator } from '../cli/operator.ts';
import { filled, list, record, shortMoment } from '../cli/output.ts';
import { commandLine, example, withRuntime } from '../cli/run-command.ts';
import { limitOption, parseText } from '../cli/values.ts';
import { withReads } from '../cli/with-reads.ts';
import { addCreateCommand, addDeleteCommand } from './create-delete.ts';
import { addWebhookDoctor } from './doctor.ts';
import { namedWebhook, webhookFields } from './named.ts';
import { addRotateCommand } from './rotate-secret.ts';
import { addTestCommand } from './send-test.ts';

export function addWebhookCommands(webhook: Command): void {
  webhook
    .command('list')
    .description('list the addresses that integrations registered for events, newest first')
    .addOption(new Option('--status <status>', 'those in one state').choices(webhookStates))
    .option('--client-id <client_id>', 'those of one API key', parseText)
    .addOption(limitOption())
    .addHelpText('after', example('webhook list --status paused'))
    .action(listAll);
  webhook
    .command('pause')
    .description(
      'hold the deliveries of a webhook until it is resumed; nothing is lost, and its integration sees no difference',
    )
    .argument('<webhook>', 'the id of the webhook', canonicalId)
    .option('--reason <reason>', 'why, for other operators', parseText, 'paused by an operator')
    .addHelpText('after', example('webhook pause <webhook id> --reason "Moves on Monday"'))
    .action(pauseOne);
  webhook
    .command('resume')
    .description('end a pause; held deliveries are sent at once, as fast as the endpoint accepts them')
    .argument('<webhook>', 'the id of the webhook', canonicalId)
    .addHelpText('after', example('webhook resume <webhook id>'))
    .action(resumeOne);
  addCreateCommand(webhook);
  addDeleteCommand(webhook);
  addTestCommand(webhook);
  addRotateCommand(webhook);
  addWebhookDoctor(webhook);
}

interface ListOptions {
  status?: WebhookState;
  clientId?: string;
  limit: number;
}

const listAll = withReads(async ({ reads: db, now }, { status, clientId, limit }: ListOptions) => {
  const found = await listWebhooks(db, ALL_LANDLORDS, { state: status, clientId }, limit + 1);
  const ids = found.map(({ id }) => id);
  const numbersOf = await webhookNumbers(db, ids, now());
  const rows = found.map((webhook) => view(webhook, numbersOf(webhook.id)));
  const notes = rows
    .slice(0, limit)
    .filter((row) => row.former_secrets_until !== null)
    .map(noteOnSecrets);
  return list(rows, {
    columns: ['webhook_id', 'address', 'state', 'signed', 'waiting', 'failed', 'triggered'],
    cut: ['address', 'state'],
    drop: ['triggered', 'signed', 'failed', 'waiting'],
    limit,
    note: notes.join('\n'),
    empty: 'There are no such webhooks. Integrations register them with the API.',
    forPeople: (row) => ({
      ...row,
      address: row.url.replace(/^https?:\/\//i, ''),
      state: wordsFor(row, now()),
      waiting: orMore(row.pending + row.held),
      failed: orMore(row.failed),
      triggered: shortMoment(row.last_triggered_at, now()),
    }),
  });
});

const pauseOne = withRuntime(async (runtime, id: string, { reason }: { reason: string }) => {
  await namedWebhook(runtime.db, id);
  const changed = await pause(runtime, id, reason, operator());
  const sentence = changed
    ? 'The webhook was paused. Its deliveries are held; those under way end.'
    : 'The webhook was paused before; nothing changed.';
  const fields = await viewNow(runtime, id);
  return {
    ...record(sentence, filled(fields), `To send what is held:\n  ${commandLine(`webhook resume ${id}`)}`),
    json: fields,
  };
});

/** Idempotent: resuming an active webhook is a no-op. */
const resumeOne = withRuntime(async (runtime, id: string) => {
  await namedWebhook(runtime.db, id);
  const resumed = await resume(runtime, id, operator());
  const sentence =
    resumed === undefined
      ? 'The webhook was not paused; nothing changed.'
      : `The webhook was resumed. Deliveries that were held and are sent now: ${orMore(resumed, MAX_WAITING)}.`;
  const fields = { ...(await viewNow(runtime, id)), resumed: resumed ?? 0 };
  const next = `To follow them:\n  ${commandLine(`delivery list --webhook ${id}`)}`;
  return { ...record(sentence, filled(fields), resumed ? next : undefined), json: fields };
});

async function viewNow({ db, now }: Pick<Runtime, 'db' | 'now'>, id: string) {
  const numbersOf = await webhookNumbers(db, [id], now());
  return view(await namedWebhook(db, id), numbersOf(id));
}

function view(webhook: ListedWebhook, { pending, held, failed, formerSecretsUntil }: WebhookNumbers) {
  return {
    ...webhookFields(webhook, formerSecretsUntil),
    landlord_id: webhook.landlord_id,
    pending,
    held,
    failed,
    counted_to: MAX_COUNTED,
    last_triggered_at: webhook.last_triggered_at,
    created_at: webhook.created_at,
  };
}

function orMore(count: number, max = MAX_COUNTED): number | string {
  return count >= max ? `${max} or more` : count;
}

function noteOnSecrets({ webhook_id, former_secrets_until }: ReturnType<typeof view>): string {
  return `${webhook_id}: a replaced secret signs until ${former_secrets_until?.slice(0, 16).replace('T', ' ')}Z.`;
}

/** The state and its reason, in one column. */
function wordsFor({ status, failing_since, pause_reason, ...key }: ReturnType<typeof view>, now: Date): string {
  const keyState = apiKeyState({ revoked_at: key.api_key_revoked_at, expires_at: key.api_key_expires_at }, now);
  if (keyState === 'revoked' || keyState === 'expired') return `API key ${keyState}`;
  if (status === 'paused') return `paused: ${pause_reason}`;
  return status === 'failing' ? `failing since ${failing_since?.slice(0, 10)}` : status;
}
