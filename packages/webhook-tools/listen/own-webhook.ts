import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolFault } from '../faults.ts';
import { newWebhookSecret } from '../signatures.ts';

/** The webhook of one API key at one port. */
export interface OwnWebhook {
  client_id: string;
  port: number;
  id: string;
  url: string;
  secret: string;
}

export interface Found extends OwnWebhook {
  isNew: boolean;
  /** Why it was registered beside earlier ones; undefined when an earlier webhook is reused or none is known. */
  beside: string | undefined;
}

/**
 * The webhook registered at an earlier start, or a new one. No operation deletes webhooks, so they are reused. The data folder
 * records them by API key: another database has other keys, so its webhooks are never mistaken for ours.
 * @param register registers an address and returns the id of its webhook
 */
export async function ownWebhook(
  file: string,
  { clientId, port, secret: asked }: { clientId: string; port: number; secret: string | undefined },
  register: (url: string, secret: string) => Promise<string>,
): Promise<Found> {
  const { known, isWhole } = await remembered(file);
  const isOurs = (webhook: OwnWebhook) => webhook.client_id === clientId && webhook.port === port;
  const kept = known.findLast((webhook) => isOurs(webhook) && (asked === undefined || webhook.secret === asked));
  if (kept) return { ...kept, isNew: false, beside: undefined };
  // The path separates this webhook's deliveries from those of another one that used the port before.
  const url = `http://127.0.0.1:${port}/listen-${randomBytes(4).toString('hex')}`;
  const secret = asked ?? newWebhookSecret();
  const made = { client_id: clientId, port, id: await register(url, secret), url, secret };
  await remember(file, [...known, made]);
  return { ...made, isNew: true, beside: isWhole ? difference(known, made) : `${file} could not be read` };
}

function difference(known: readonly OwnWebhook[], { client_id, port }: OwnWebhook): string | undefined {
  const ours = known.filter((webhook) => webhook.client_id === client_id);
  if (ours.length === 0) return undefined;
  return ours.some((webhook) => webhook.port === port) ? 'The secret is another' : `The port ${port} is another`;
}

/** An unreadable record counts as empty; the caller reports it. */
async function remembered(file: string): Promise<{ known: OwnWebhook[]; isWhole: boolean }> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    const known = Array.isArray(read) ? read.filter(isOwnWebhook) : [];
    return { known, isWhole: Array.isArray(read) && known.length === read.length };
  } catch (error) {
    return { known: [], isWhole: error instanceof Error && 'code' in error && error.code === 'ENOENT' };
  }
}

/** Writes a temporary file and renames it: a crash leaves the earlier record. @throws ToolFault */
async function remember(file: string, webhooks: readonly OwnWebhook[]): Promise<void> {
  const unfinished = `${file}.${randomUUID()}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(unfinished, `${JSON.stringify(webhooks, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(unfinished, file);
  } catch (error) {
    throw new ToolFault(writeFault(error));
  }
}

function writeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const advice =
    code === 'EACCES' ? 'a file or folder may not be used; check the rights of DATA_DIR' : 'the system refuses';
  return `${advice} (${error.message})`;
}

function isOwnWebhook(value: unknown): value is OwnWebhook {
  const { client_id, port, id, url, secret } = Object(value);
  return [client_id, id, url, secret].every((text) => typeof text === 'string') && typeof port === 'number';
}
