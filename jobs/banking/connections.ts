import { correlationId, narrowParty } from '../../core/correlation.ts';
import { Conflict, NotFound, Overloaded, ProviderUnavailable } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { partyOfKey } from '../../core/party.ts';
import { hashSecret, matchesHash, randomSecret } from '../../core/secrets/secrets.ts';
import { DAY_MS, isoAfter, MINUTE_MS } from '../../core/time.ts';
import { addTenant, lockTenantOfKey } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import {
  type BankConnectionRow,
  changeBankConnection,
  countConnectionsSince,
  endBankConnection,
  endBankConnectionsOfKey,
  findBankConnectionByState,
  insertBankConnection,
} from '../../db/banking/bank-connections.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { dueAt } from '../../db/work/work.ts';
import type { Bank, BankProvider, ConsentOutcome } from '../../providers/banking/port.ts';
import { lockUploader, type Uploader } from '../documents/uploads.ts';
import type { Runtime } from '../runtime.ts';
import { type Memory, openMemory, sealMemory } from './memory.ts';

export type Connecting = Pick<
  Runtime,
  'db' | 'queue' | 'providers' | 'keys' | 'publicUrl' | 'flowLifetimeMs' | 'bankHistoryDays' | 'now' | 'log'
>;

/** A person tries again a few times; a program that starts consents is stopped. */
const MAX_STARTS_A_DAY = 20;
/** Longer than a return takes. After that its process has died, or could not store how it went. */
const MAX_RETURN_MS = 2 * MINUTE_MS;

/** @throws NotFound while banking connectivity is off */
export function bankOf({ providers }: Pick<Runtime, 'providers'>): BankProvider {
  if (!providers.bank) throw new NotFound('Page');
  return providers.bank;
}

export interface Consent {
  bank: Bank;
  /** The text that the person agreed to. */
  agreedTo: string;
  /** The page to which they return. */
  back: string;
  language: string;
  name: string;
}

/**
 * Sends a person to their bank. Earlier open connections of the person end. The row comes before the call, so that each start counts.
 * @returns the bank's address, and the secret that binds the return to this browser
 * @throws NotFound, Conflict after too many starts, ProviderUnavailable, Overloaded
 */
export async function startConnection(
  runtime: Connecting,
  who: Uploader,
  { bank, agreedTo, back, language, name }: Consent,
): Promise<{ address: string; browser: string }> {
  const { db, now, flowLifetimeMs } = runtime;
  const provider = bankOf(runtime);
  const moment = now();
  const [state, browser] = [randomSecret(), randomSecret()];
  const validUntil = new Date(moment.getTime() + flowLifetimeMs);
  const begun = await inTransaction(db, async (trx) => {
    const invited = await lockUploader(trx, who);
    const { tenant } = await addTenant(trx, { email: invited.email, name: invited.name }, moment);
    const of = { tenant_id: tenant.id, api_key_id: who.apiKeyId };
    await lockTenantOfKey(trx, of);
    if ((await countConnectionsSince(trx, who.participantId, isoAfter(moment, -DAY_MS))) >= MAX_STARTS_A_DAY)
      throw new Conflict('Too many bank connections were begun today.');
    await endBankConnectionsOfKey(trx, of, { status: 'expired', failure: 'Another one was begun.' }, moment);
    const row: BankConnectionRow = {
      id: newId(),
      ...of,
      participant_id: who.participantId,
      provider: provider.name,
      status: 'pending',
      ends_as: null,
      bank: bank.name,
      country: bank.country,
      state_hash: hashSecret(state),
      browser_hash: hashSecret(browser),
      sealed_memory: sealMemory({ back, holder: name }, runtime),
      sealed_statement: null,
      document_id: null,
      agreed_at: moment.toISOString(),
      agreed_to: agreedTo,
      expires_at: validUntil.toISOString(),
      // Then `fetch-bank.ts` ends it.
      ...dueAt(validUntil),
      correlation_id: correlationId() ?? null,
      failures: 0,
      expiries: 0,
      failure: null,
      created_at: moment.toISOString(),
      finished_at: null,
    };
    await insertBankConnection(trx, row);
    await recordAudit(trx, { kind: 'person', id: who.participantId }, 'bank.consent', row.id, moment);
    return row;
  });
  const request = { state, callbackUrl: callbackUrl(runtime), bank, validUntil, language, holder: name };
  try {
    const { address } = await provider.startConsent(request);
    return { address, browser };
  } catch (error) {
    await endBankConnection(db, begun, { status: 'failed', failure: reasonOf(error) }, now());
    throw error;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function callbackUrl({ publicUrl }: Pick<Runtime, 'publicUrl'>): string {
  return `${publicUrl()}/verify/bank/callback`;
}

/** Where a person goes who returns from their bank; undefined for a browser that did not set out. */
export interface Return {
  back: string | undefined;
}

/**
 * Finishes the consent of a person who returns from their bank. The state counts once, and only in the browser that set out: otherwise
 * someone could send another person to a bank, and get their accounts. After each error the person can continue:
 * 1. A call that was refused before it began, because the key has too many under way, does not count: the same address works again.
 * 2. After any other error of the call, the connection has failed, and the person starts again on their page.
 * 3. If the outcome cannot be stored, or the process dies, the same address leads to the person's page, and the connection, which is due
 *    after minutes, fails (`fetch-bank.ts`).
 * @throws NotFound for an unknown or used state, Overloaded
 */
export async function handleBankCallback(
  runtime: Connecting,
  params: URLSearchParams,
  browser: string | undefined,
): Promise<Return> {
  const row = await findByState(runtime, params.get('state') ?? '');
  if (browser === undefined || row.browser_hash === null || !matchesHash(browser, row.browser_hash))
    return { back: undefined };
  const memory = openMemory(row, runtime);
  if (!memory) throw new NotFound('Connection');
  // Claimed first: a code is worth one session, so only one of two concurrent returns may ask for it.
  const limit = isoAfter(runtime.now(), MAX_RETURN_MS);
  const claim = { status: 'returning' as const, ...dueAt(limit < row.expires_at ? limit : row.expires_at) };
  if (row.status === 'pending' && (await changeBankConnection(runtime.db, row, claim)))
    await finish(runtime, { ...row, ...claim }, memory, params);
  return { back: memory.back };
}

/** A connection whose person has not returned, or whose return is not finished. @throws NotFound */
export async function findByState({ db }: Pick<Runtime, 'db'>, state: string): Promise<BankConnectionRow> {
  const row = await findBankConnectionByState(db, hashSecret(state));
  if (!row) throw new NotFound('Connection');
  await narrowParty(partyOfKey(row.api_key_id, row.participant_id));
  return row;
}

async function finish(
  runtime: Connecting,
  row: BankConnectionRow,
  memory: Memory,
  params: URLSearchParams,
): Promise<void> {
  const { db, now, log } = runtime;
  const provider = bankOf(runtime);
  const bank = { name: row.bank, country: row.country };
  const failed = async (err: unknown): Promise<ConsentOutcome> => {
    if (err instanceof Overloaded) {
      await changeBankConnection(db, row, { status: 'pending', ...dueAt(row.expires_at) });
      throw err;
    }
    const level = err instanceof ProviderUnavailable ? 'warn' : 'error';
    log[level]({ err, bank_id: row.id }, 'consent at a bank not finished');
    return { state: 'failed', reason: reasonOf(err) };
  };
  const outcome = await provider.finishConsent(params, { bank, holder: memory.holder }).catch(failed);
  const moment = now();
  if (outcome.state !== 'granted')
    return void (await endBankConnection(db, row, { status: outcome.state, failure: outcome.reason }, moment));
  const { grant, accounts } = outcome;
  let isKept = false;
  try {
    isKept = await inTransaction(db, (trx) => keepGrant(trx, runtime, row, { ...memory, grant, accounts }, moment));
  } finally {
    // The person withdrew or was erased in the meantime, or it cannot be stored. The consent also ends at the bank on its own.
    if (!isKept)
      await provider
        .endConsent(grant)
        .catch((err: unknown) => log.warn({ err, bank_id: row.id }, 'consent at a bank not ended'));
  }
}

/** With one account there is nothing to choose. @returns false when the connection is over */
async function keepGrant(
  trx: Transaction,
  runtime: Connecting,
  row: BankConnectionRow,
  memory: Memory,
  now: Date,
): Promise<boolean> {
  const { accounts = [] } = memory;
  const [only, ...others] = accounts;
  if (!only) return endWith(trx, runtime, row, memory, 'failed', now);
  const chosen = others.length === 0 ? { chosen: [only.id] } : {};
  const isKept = await changeBankConnection(trx, row, {
    status: others.length === 0 ? 'fetching' : 'choosing',
    state_hash: null,
    sealed_memory: sealMemory({ ...memory, ...chosen }, runtime),
    ...dueAt(others.length === 0 ? now : row.expires_at),
  });
  if (isKept && others.length === 0) await runtime.queue.send(trx, 'fetch-bank', [row.id]);
  return isKept;
}

/** Has the consent ended at the provider first, in the background. */
export async function endWith(
  trx: Transaction,
  runtime: Pick<Runtime, 'queue' | 'keys'>,
  row: BankConnectionRow,
  memory: Memory,
  ends_as: NonNullable<BankConnectionRow['ends_as']>,
  now: Date,
): Promise<boolean> {
  const sealed_memory = sealMemory(memory, runtime);
  const change = { status: 'ending' as const, ends_as, sealed_memory, ...dueAt(now) };
  const isEnding = await changeBankConnection(trx, row, change);
  if (isEnding) await runtime.queue.send(trx, 'fetch-bank', [row.id]);
  return isEnding;
}
