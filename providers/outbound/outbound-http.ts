import { type AddressPolicy, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { guardedAgent } from './guarded-connection.ts';
import { type AttemptLimits, OutboundAttempt } from './outbound-attempt.ts';
import { OutboundError } from './outbound-error.ts';
import type { OutboundAnswer, OutboundHttp } from './port.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
export const ATTEMPT_TIMEOUT_MS = 15_000;
const HEADERS_LIMIT_BYTES = 16 * 1024;

/**
 * How long an idle connection is kept. What is sent while the other side closes is lost, and some servers close theirs after
 * two seconds without having said so.
 */
const IDLE_TIMEOUT_MS = 1_500;

/**
 * POSTs to addresses that callers gave us. The address is judged anew each time, by its text and by what its name leads to.
 * The whole attempt is bounded in time and size, and redirects are not followed. How many are under way at once is the
 * business of whoever calls.
 */
export function createOutboundHttp(
  policy: AddressPolicy,
  options: Partial<AttemptLimits> & { dnsServers?: readonly string[] } = {},
): OutboundHttp {
  const limits = { connectTimeoutMs: CONNECT_TIMEOUT_MS, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS, ...options };
  const agent = guardedAgent(policy, {
    connectTimeoutMs: limits.connectTimeoutMs,
    dnsServers: options.dnsServers,
    // The attempt counts its time itself: undici's clock is right to about a second only.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: HEADERS_LIMIT_BYTES,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
  });
  return {
    post(address, headers, body) {
      return new Promise<OutboundAnswer>((resolve, reject) => {
        const { url, fault } = readCallerAddress(address, policy);
        if (!url) return reject(new OutboundError('refused-address', `refused to connect: the address ${fault}`));
        agent.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method: 'POST',
            headers: { ...headers, 'accept-encoding': 'identity' },
            body,
          },
          new OutboundAttempt(limits, resolve, reject),
        );
      });
    },
    close: () => agent.destroy(),
  };
}
