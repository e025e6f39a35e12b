import { correlationId, narrowParty } from '../../core/correlation.ts';
import { Conflict, NotFound, on, ProviderUnavailable } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { partyOfKey } from '../../core/party.ts';
import { hashSecret, matchesHash, randomSecret } from '../../core/secrets/secrets.ts';
import { DAY_MS, isoAfter } from '../../core/time.ts';
import { addTenant, lockTenantOfKey } from '../../db/applications/tenants.ts';
import { recordAudit } from '../../db/audit/audit.ts';
import {
  type BankConnectionRow,
  changeBankConnection,
  endBankConnection,
  endBankConnectionsOfKey,
  findBankConnectionByState,
  findOwnConnections,
  insertBankConnection,
} from '../../db/banking/bank-connections.ts';
import type { Transaction } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { dueAt } from '../../db/work/work.ts';
import type { Bank, BankProvider } from '../../providers/banking/port.ts';
import { lockUploader, type Uploader } from '../documents/uploads.ts';
import type { Runtime } from '../runtime.ts';
import { type Memory, openMemory, sealMemory } from './memory.ts';

export type Connecting = Pick<
  Runtime,
  'db' | 'queue' | 'providers' | 'keys' | 'publicUrl' | 'flowLifetimeMs' | 'bankHistoryDays' | 'now' | 'log'
>;

/** A person tries again a few times; a program that starts consents is stopped. */
const MAX_STARTS_A_DAY = 20;

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
 * Sends a person to their bank. Earlier open connections of the person end.
 * @returns the bank's address, and the secret that binds the return to this browser
 * @throws NotFound, Conflict after too many starts, ProviderUnavailable
 */
export async function startConnection(
  runtime: Connecting,
  who: Uploader,
  { bank, agreedTo, back, language, name }: Consent,
): Promise<{ address: string; browser: string }> {
  const { db, now, flowLifetimeMs } = runtime;
  const provider = bankOf(runtime);
  const moment = now();
  const recent = (await findOwnConnections(db, who.participantId)).filter(
    ({ created_at }) => created_at > isoAfter(moment, -DAY_MS),
  );
  if (recent.length >= MAX_STARTS_A_DAY) throw new Conflict('Too many bank connections were begun today.');
  const [state, browser] = [randomSecret(), randomSecret()];
  const validUntil = new Date(moment.getTime() + flowLifetimeMs);
  const request = { state, callbackUrl: callbackUrl(runtime), bank, validUntil, language, holder: name };
  const { address } = await provider.startConsent(request);
  await inTransaction(db, async (trx) => {
    const invited = await lockUploader(trx, who);
    const { tenant } = await addTenant(trx, { email: invited.email, name: invited.name }, moment);
    const of = { tenant_id: tenant.id, api_key_id: who.apiKeyId };
    await lockTenantOfKey(trx, of);
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
  });
  return { address, browser };
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
 * someone could send another person to a bank, and get their accounts.
 * @throws NotFound for an unknown or used state
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
  if (await changeBankConnection(runtime.db, row, { status: 'returning', state_hash: null }))
    await finish(runtime, { ...row, status: 'returning' }, memory, params);
  return { back: memory.back };
}

/** @throws NotFound */
export async function findByState({ db }: Pick<Runtime, 'db'>, state: string): Promise<BankConnectionRow> {
  const row = await findBankConnectionByState(db, hashSecret(state));
  if (row?.status !== 'pending') throw new NotFound('Connection');
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
  const outcome = await provider.finishConsent(params, { bank, holder: memory.holder }).catch(
    on(ProviderUnavailable, (err) => {
      log.warn({ err, bank_id: row.id }, 'bank provider unavailable');
      return { state: 'failed' as const, reason: err.message };
    }),
  );
  const moment = now();
  if (outcome.state !== 'granted')
    return void (await endBankConnection(db, row, { status: outcome.state, failure: outcome.reason }, moment));
  const { grant, accounts } = outcome;
  const granted: Memory = { ...memory, grant, accounts };
  const isKept = await inTransaction(db, (trx) => keepGrant(trx, runtime, row, granted, moment));
  // The person withdrew, or was erased, in the meantime. A consent that cannot be ended now ends once it expires.
  if (!isKept)
    await provider
      .endConsent(grant)
      .catch((err: unknown) => log.warn({ err, bank_id: row.id }, 'bank consent not ended'));
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
    sealed_memory: sealMemory({ ...memory, ...chosen }, runtime),
    ...(others.length === 0 ? dueAt(now) : {}),
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
