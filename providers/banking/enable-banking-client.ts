import { setTimeout as delay } from 'node:timers/promises';
import type * as v from '@badrap/valita';
import jwt from 'jsonwebtoken';
import { on, ProviderUnavailable } from '../../core/errors.ts';
import type { EnableBankingSettings } from '../../core/settings/bank-settings.ts';
import { boundedFetch } from '../outbound/bounded-fetch.ts';
import { readAnswer } from './enable-banking-answers.ts';
import { refusalOf } from './enable-banking-errors.ts';

const TIMEOUT_MS = 30_000;
const RETRY_AFTER_MS = 500;
/** A token is at most a day old; a short one is worth little to a thief. */
const TOKEN_SECONDS = 300;
const TOKEN_PARTIES = { iss: 'enablebanking.com', aud: 'api.enablebanking.com' };

export interface ClientOptions {
  timeoutMs?: number;
  retryAfterMs?: number;
}

export type Client = <Answer>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  type: v.Type<Answer>,
  body?: object,
) => Promise<Answer>;

/**
 * Calls Enable Banking with a token of our application. Requests that are idempotent by their method are retried once; the queue retries
 * the work. No address of the person is sent, because each account is read once, within what a bank allows without them.
 */
export function createClient(settings: EnableBankingSettings, options: ClientOptions = {}): Client {
  const { timeoutMs = TIMEOUT_MS, retryAfterMs = RETRY_AFTER_MS } = options;
  const ask: Client = async (method, path, type, body) => {
    const answer = await boundedFetch(addressOf(settings.apiBase, path), {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${tokenOf(settings)}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw refusalOf(answer.status, text);
    return readAnswer(type, text);
  };
  return (method, path, type, body) => {
    if (method === 'POST') return ask(method, path, type, body);
    const retry = on(ProviderUnavailable, async () => {
      await delay(retryAfterMs);
      return ask(method, path, type, body);
    });
    return ask(method, path, type, body).catch(retry);
  };
}

function addressOf(base: URL, path: string): string {
  return `${base.href.replace(/\/$/, '')}${path}`;
}

function tokenOf({ applicationId, privateKey }: EnableBankingSettings): string {
  const issuedAt = Math.floor(Date.now() / 1000);
  const claims = { ...TOKEN_PARTIES, iat: issuedAt, exp: issuedAt + TOKEN_SECONDS };
  return jwt.sign(claims, privateKey, { algorithm: 'RS256', keyid: applicationId });
}
