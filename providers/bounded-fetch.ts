import type { CustomFetchOptions } from 'openid-client';
import { ProviderUnavailable } from './providers.ts';

/** More than the claims of anybody with their documents embedded. */
const ANSWER_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * `fetch` for a provider we chose: redirects are not followed, and the whole answer is read at once, bounded in size. Time is
 * bounded by the signal given. Messages never name what was asked: its address may carry a token.
 * @throws ProviderUnavailable when no answer came, and when it says that the provider is not itself (5xx, 429)
 */
export async function boundedFetch(url: string, options: Partial<CustomFetchOptions>): Promise<Response> {
  const answer = await fetch(url, { ...options, body: options.body ?? null, redirect: 'manual' }).catch(noAnswer);
  if (answer.status >= 500 || answer.status === 429) {
    await answer.body?.cancel();
    throw new ProviderUnavailable(`The provider answered ${answer.status}.`);
  }
  const body = await readWhole(answer);
  return new Response(body.length > 0 ? body : null, { status: answer.status, headers: answer.headers });
}

async function readWhole({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const part of body ?? []) {
      parts.push(part);
      sizeBytes += part.byteLength;
      if (sizeBytes > ANSWER_LIMIT_BYTES) throw new ProviderUnavailable('The provider sent more than may be read.');
    }
  } catch (error) {
    noAnswer(error);
  }
  return Buffer.concat(parts);
}

function noAnswer(error: unknown): never {
  if (error instanceof ProviderUnavailable) throw error;
  const late = error instanceof Error && error.name === 'TimeoutError';
  throw new ProviderUnavailable(late ? 'The provider did not answer in time.' : 'The provider cannot be reached.');
}
