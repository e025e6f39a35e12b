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
  return ofProvider(fetchWhole(url, options));
}

/** The same for an address from the provider's response, which must be allowed. @throws RefusedAddress too */
export function boundedGuardedFetch(
  url: string,
  { policy, ...options }: FetchOptions & { policy: AddressPolicy },
): Promise<Response> {
  const addressesOf = (host: string) => guardedAddresses(host, policy, { connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return ofProvider(fetchWhole(url, options, addressesOf));
}

/**
 * `fetch` with the service's own connections: Happy Eyeballs, and its one rule for proxies. Follows no redirect.
 * @throws OversizedAnswer, and the errors of `fetch`
 */
export async function fetchWhole(
  url: string,
  { method = 'GET', headers, body = null, signal = null }: FetchOptions,
  addressesOf: Connecting['addressesOf'] = anyAddresses,
): Promise<Response> {
  const ended = new AbortController();
  const connect = createConnect({ connectTimeoutMs: CONNECT_TIMEOUT_MS, addressesOf });
  const dispatcher = new Agent({ allowH2: false, connect: connectorOf(connect, ended.signal) });
  try {
    const given = { method, headers: [...new Headers(headers)], body, signal };
    const answer = await fetch(url, { ...given, dispatcher, redirect: 'manual' });
    const content = await readWhole(answer.body ?? []);
    const sent = { status: answer.status, headers: new Headers([...answer.headers.entries()]) };
    return new Response(content.length > 0 ? content : null, sent);
  } finally {
    ended.abort();
    await dispatcher.destroy();
  }
}

class OversizedAnswer extends Error {}

async function readWhole(body: AsyncIterable<Uint8Array> | Iterable<never>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of body) {
    parts.push(part);
    sizeBytes += part.byteLength;
    if (sizeBytes > MAX_ANSWER_BYTES) throw new OversizedAnswer();
  }
  return Buffer.concat(parts);
}

async function ofProvider(answering: Promise<Response>): Promise<Response> {
  const answer = await answering.catch(noAnswer);
  if (answer.status >= 500 || answer.status === 429)
    throw new ProviderUnavailable(`The provider answered ${answer.status}.`);
  return answer;
}

function noAnswer(error: unknown): never {
  if (error instanceof OversizedAnswer) throw new ProviderUnavailable('The provider sent more than may be read.');
  if (error instanceof Error && error.cause instanceof RefusedAddress) throw error.cause;
  const late = error instanceof Error && error.name === 'TimeoutError';
  throw new ProviderUnavailable(late ? 'The provider did not answer in time.' : 'The provider cannot be reached.');
}
