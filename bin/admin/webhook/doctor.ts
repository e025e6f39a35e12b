import { styleText } from 'node:util';
import { type Capture, parseHeaders, parseRequest } from '@tenant-screening/webhook-tools/capture';
import {
  diagnose,
  type Finding,
  type KnownSecret,
  verifies,
  webhookId,
  worstFirst,
} from '@tenant-screening/webhook-tools/diagnose';
import type { Command } from 'commander';
import { unsealJson, unsealText } from '../../../core/secrets/secrets.ts';
import { isStorableText } from '../../../core/text.ts';
import { ALL_LANDLORDS } from '../../../db/connection/queries/scope.ts';
import { deliveryState, findDeliveryHistory } from '../../../db/webhooks/delivery-lists.ts';
import { findEvent } from '../../../db/webhooks/events.ts';
import { listFormerSecrets } from '../../../db/webhooks/webhook-secrets.ts';
import type { Runtime } from '../../../jobs/runtime.ts';
import { UsageError } from '../cli/faults.ts';
import { auditRead } from '../cli/operator.ts';
import { plain } from '../cli/output.ts';
import { readGivenFile, readSecretFile } from '../cli/read-file.ts';
import { example, withRuntime } from '../cli/run-command.ts';
import { parseMoment } from '../cli/values.ts';

interface Options {
  headers?: string;
  body?: string;
  request?: string;
  secretFile?: string;
  receivedAt?: Date;
}

const SECRET_VARIABLE = 'WEBHOOK_SECRET';

const EXPLANATION = `
The secret is never an argument, which would stay in the shell's history: pass
it as ${SECRET_VARIABLE}, in a file, or on standard input with --secret-file -. It
is not printed. Nothing is changed or sent.

Exit codes: 0 it verifies, 1 it does not or that is unknown, 2 not understood.`;

export function addWebhookDoctor(webhook: Command): void {
  webhook
    .command('doctor')
    .description('explain why a received delivery does not verify')
    .option('--headers <file>', 'the headers: lines of "name: value", JSON, or as a program printed them')
    .option('--body <file>', 'the body, the exact bytes')
    .option('--request <file>', 'both in one: a raw HTTP request')
    .option('--secret-file <file>', 'the receiver’s secret, or - for standard input')
    .option(
      '--received-at <moment>',
      'when it was received, by the receiver’s clock; shows whether that is wrong',
      parseMoment,
    )
    .addHelpText('after', EXPLANATION)
    .addHelpText('after', example('webhook doctor --headers headers.txt --body body.json --secret-file secret.txt'))
    .action(examine);
}

const examine = withRuntime(async ({ db, keys, now }, options: Options) => {
  const { headers, body } = await readCapture(options);
  const { secret, notes } = await readSecret(options);
  const id = webhookId(headers);
  const known = id === undefined || !isStorableText(id) ? undefined : await findDelivery({ db, keys, now }, id);
  const diagnosis = diagnose({
    headers,
    body,
    secrets: secret === undefined ? [] : [secret],
    receivedAt: options.receivedAt,
    now: now(),
    sent: known?.sent,
  });
  const isAccepted = verifies(diagnosis);
  const isFaulty = diagnosis.some(({ level }) => level === 'fault');
  const json = {
    // Cannot be decided without the receiver's secret, unless another fault was found.
    verifies: secret === undefined && !isFaulty ? null : isAccepted,
    webhook_id: id ?? null,
    delivery: known?.delivery ?? null,
    findings: worstFirst([...diagnosis, ...notes]),
  };
  return { json, text: reportText(json), ...(isAccepted ? {} : { exitCode: 1 as const }) };
});

async function readCapture({ headers, body, request }: Options): Promise<Capture> {
  if (request !== undefined && headers === undefined && body === undefined)
    return parseRequest(await readGivenFile(request));
  if (request !== undefined || headers === undefined || body === undefined)
    throw new UsageError('Give --headers and --body, or --request alone.');
  const list = parseHeaders((await readGivenFile(headers)).toString());
  return { headers: list, body: await readGivenFile(body) };
}

async function readSecret({ secretFile }: Options): Promise<{ secret: string | undefined; notes: Finding[] }> {
  if (secretFile === undefined) return { secret: process.env[SECRET_VARIABLE], notes: [] };
  const { secret, hadLineBreak } = await readSecretFile(secretFile);
  return { secret, notes: hadLineBreak ? [LAST_LINE_BREAK] : [] };
}

const LAST_LINE_BREAK: Finding = {
  level: 'note',
  code: 'secret-file-newline',
  found: 'The secret was given with a line break at its end, which was ignored.',
  why: 'If the receiver reads the same file, the line break becomes part of its secret.',
  fix: 'Let the receiver remove it, or write the file with printf %s.',
};

/** The body that was sent, and the delivery's fields in the output. */
async function findDelivery({ db, keys, now }: Pick<Runtime, 'db' | 'keys' | 'now'>, id: string) {
  const history = await findDeliveryHistory(db, ALL_LANDLORDS, id);
  if (!history) return undefined;
  const { delivery, webhook, attempts } = history;
  const { event, tenant_id, webhook_id, url } = delivery;
  const sentEvent = await findEvent(db, delivery.event_id);
  const sealed = sentEvent?.body ?? null;
  // Findings quote the body, so the read is audited.
  if (sealed !== null) await auditRead(db, 'event.read', delivery.event_id, now());
  // Expired ones included: a receiver may still have one.
  const former = await listFormerSecrets(db, webhook_id);
  const secrets: KnownSecret[] = [
    ...(webhook.sealed_secret === null ? [] : [{ sealed: webhook.sealed_secret, until: undefined }]),
    ...former.map(({ sealed_secret, expires_at }) => ({ sealed: sealed_secret, until: new Date(expires_at) })),
  ].map(({ sealed, until }) => ({ secret: unsealText(sealed, keys.encryption), until }));
  const attemptedAt = attempts.map(({ started_at }) => new Date(started_at));
  return {
    sent: { body: sealed === null ? null : unsealJson(sealed, keys.encryption), attemptedAt, secrets },
    delivery: { event, tenant_id, webhook_id, url, status: deliveryState(delivery), attempts: delivery.attempts },
  };
}

interface Report {
  /** Null when it depends on the receiver's secret, which was not given. */
  verifies: boolean | null;
  webhook_id: string | null;
  delivery: NonNullable<Awaited<ReturnType<typeof findDelivery>>>['delivery'] | null;
  findings: Finding[];
}

const MARKS = { fault: 'FAULT', note: 'NOTE ', good: 'OK   ' } as const;
const COLOURS = { fault: 'red', note: 'yellow', good: 'green' } as const;

function reportText({ verifies: isAccepted, webhook_id, delivery, findings }: Report): string {
  const about = delivery
    ? `${webhook_id} is our ${delivery.event} to ${delivery.url}: ${delivery.status}, ${delivery.attempts} ${delivery.attempts === 1 ? 'attempt' : 'attempts'}.`
    : `${webhook_id ?? 'A delivery without an id'} is not known to this service, so only the request itself was examined.`;
  return [verdictOn(isAccepted, findings), plain(about), ...findings.map(paragraph)].join('\n\n');
}

function verdictOn(isAccepted: boolean | null, findings: Finding[]): string {
  if (isAccepted !== null) return isAccepted ? 'It verifies.' : 'It does not verify.';
  return findings.some(({ code }) => code === 'signature-ours')
    ? 'Nothing is wrong with the request: it is what we sent. Check the receiver’s secret, and how it reads it.'
    : 'Whether it verifies is unknown: give the receiver’s secret.';
}

function paragraph({ level, code, found, why, fix }: Finding): string {
  const head = `${styleText(COLOURS[level], MARKS[level])} ${styleText('bold', plain(found))} (${code})`;
  return [head, ...[why, fix].filter(Boolean).map((line) => `      ${plain(line)}`)].join('\n');
}
