import { fetch as guardedFetch } from 'undici';
import type { AddressPolicy } from '../../core/addresses/caller-address.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import { guardedAgent } from './guarded-connection.ts';
import { RefusedAddress } from './outbound-error.ts';

/** Exceeds any person's claims with embedded documents. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;

type FetchOptions = Omit<RequestInit, 'body'> & { body?: RequestInit['body'] | undefined };

/**
 * `fetch` for a configured provider: no redirects, and a response of bounded size. The given signal bounds the time. Messages never
 * contain the URL, which may carry a token.
 * @throws ProviderUnavailable without a response, and for 5xx and 429
 */
export async function boundedFetch(url: string, options: FetchOptions): Promise<Response> {
  return whole(await fetch(url, { ...options, body: options.body ?? null, redirect: 'manual' }).catch(noAnswer));
}

/** The same for an address from the provider's response, which must be allowed. @throws RefusedAddress too */
export async function boundedGuardedFetch(
  url: string,
  { headers, signal, policy }: { headers: Record<string, string>; signal: AbortSignal; policy: AddressPolicy },
): Promise<Response> {
  const dispatcher = guardedAgent(policy, { connectTimeoutMs: CONNECT_TIMEOUT_MS });
  try {
    return await whole(await guardedFetch(url, { headers, signal, dispatcher, redirect: 'manual' }).catch(noAnswer));
  } finally {
    await dispatcher.destroy();
  }
}

interface Answer {
  status: number;
  headers: { entries(): Iterable<[string, string]> };
  body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
}

async function whole(answer: Answer): Promise<Response> {
  if (answer.status >= 500 || answer.status === 429) {
    await answer.body?.cancel();
    throw new ProviderUnavailable(`The provider answered ${answer.status}.`);
  }
  const body = await readWhole(answer);
  const headers = new Headers([...answer.headers.entries()]);
  return new Response(body.length > 0 ? body : null, { status: answer.status, headers });
}

async function readWhole({ body }: Answer): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const part of body ?? []) {
      parts.push(part);
      sizeBytes += part.byteLength;
      if (sizeBytes > MAX_ANSWER_BYTES) throw new ProviderUnavailable('The provider sent more than may be read.');
    }
  } catch (error) {
    noAnswer(error);
  }
  return Buffer.concat(parts);
}

function noAnswer(error: unknown): never {
  if (error instanceof ProviderUnavailable) throw error;
  if (error instanceof Error && error.cause instanceof RefusedAddress) throw error.cause;
  const late = error instanceof Error && error.name === 'TimeoutError';
  throw new ProviderUnavailable(late ? 'The provider did not answer in time.' : 'The provider cannot be reached.');
}
