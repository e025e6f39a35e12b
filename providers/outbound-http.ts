import { request } from 'undici';
import type { AddressPolicy } from '../core/caller-address.ts';
import { checkLiteralHost, guardedAgent, RefusedAddress } from './guarded-connection.ts';
import type { OutboundHttp } from './providers.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
export const ATTEMPT_TIMEOUT_MS = 15_000;
const READ_LIMIT_BYTES = 16 * 1024;
const CONNECTIONS_PER_ORIGIN = 4;

/** Why no answer came, in words that an integrator may read. */
export class OutboundError extends Error {}

/**
 * POSTs to addresses that callers gave us: the whole attempt is bounded in time and size, redirects are not followed,
 * and the address that a name resolves to is checked when it is connected to, so that a name cannot change its mind.
 */
export function createOutboundHttp(policy: AddressPolicy): OutboundHttp {
  const agent = guardedAgent(policy, {
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    connections: CONNECTIONS_PER_ORIGIN,
    maxResponseSize: READ_LIMIT_BYTES,
  });
  const underWay = new Map<string, number>();
  const count = (url: string, by: 1 | -1) => {
    const { origin } = new URL(url);
    const sum = (underWay.get(origin) ?? 0) + by;
    if (sum === 0) underWay.delete(origin);
    else underWay.set(origin, sum);
  };
  return {
    isBusy: (url) => (underWay.get(new URL(url).origin) ?? 0) >= CONNECTIONS_PER_ORIGIN,
    async post(url, headers, body) {
      const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
      count(url, 1);
      try {
        checkLiteralHost(url, policy);
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent, signal });
        // The status is all that counts; reading the rest frees the connection, and failing to changes nothing.
        await answer.body.dump({ limit: READ_LIMIT_BYTES, signal }).catch(() => {});
        return { statusCode: answer.statusCode };
      } catch (error) {
        throw signal.aborted
          ? new OutboundError(`no answer within ${ATTEMPT_TIMEOUT_MS / 1000} s`)
          : outboundError(error);
      } finally {
        count(url, -1);
      }
    },
    async close() {
      await agent.destroy();
    },
  };
}

function outboundError(error: unknown): OutboundError {
  if (error instanceof RefusedAddress) return new OutboundError(error.message);
  const code = error instanceof Error ? ('code' in error && error.code) || error.name : 'unknown failure';
  return new OutboundError(`no answer (${code})`, { cause: error });
}
