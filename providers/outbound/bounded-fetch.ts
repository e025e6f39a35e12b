import { Agent, fetch } from 'undici';
import type { AddressPolicy } from '../../core/addresses/caller-address.ts';
import { ProviderUnavailable } from '../../core/errors.ts';
import { anyAddresses, type Connecting, connectorOf, createConnect } from './connections.ts';
import { guardedAddresses } from './guarded-addresses.ts';
import { RefusedAddress } from './outbound-error.ts';

/** Exceeds any person's claims with embedded documents. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;

interface FetchOptions extends Pick<RequestInit, 'method' | 'headers' | 'signal'> {
  body?: string | URLSearchParams | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array> | null | undefined;
}

/**
 * `fetch` for a configured provider: no redirects, and a response of bounded size. The given signal bounds the time. Messages never
 * contain the URL, which may carry a token.
 * @throws ProviderUnavailable without a response, and for 5xx and 429
 */
export function boundedFetch(url: string, options: FetchOptions): Promise<Response> {
  return fetchBy(anyAddresses, url, options);
}

/** The same for an address from the provider's response, which must be allowed. @throws RefusedAddress too */
export function boundedGuardedFetch(
  url: string,
  { policy, ...options }: FetchOptions & { policy: AddressPolicy },
): Promise<Response> {
  return fetchBy((host) => guardedAddresses(host, policy, { connectTimeoutMs: CONNECT_TIMEOUT_MS }), url, options);
}

async function fetchBy(addressesOf: Connecting['addressesOf'], url: string, options: FetchOptions): Promise<Response> {
  const ended = new AbortController();
  const connect = createConnect({ connectTimeoutMs: CONNECT_TIMEOUT_MS, addressesOf });
  const dispatcher = new Agent({ allowH2: false, connect: connectorOf(connect, ended.signal) });
  try {
    const { method = 'GET', headers, body = null, signal = null } = options;
    const given = { method, headers: [...new Headers(headers)], body, signal };
    return await whole(await fetch(url, { ...given, dispatcher, redirect: 'manual' }).catch(noAnswer));
  } finally {
    ended.abort();
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
