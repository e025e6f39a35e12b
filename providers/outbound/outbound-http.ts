import { type AddressPolicy, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { guardedAgent } from './guarded-connection.ts';
import { type AttemptLimits, OutboundAttempt } from './outbound-attempt.ts';
import { OutboundError } from './outbound-error.ts';
import type { OutboundAnswer, OutboundHttp } from './port.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
export const ATTEMPT_TIMEOUT_MS = 15_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** A request sent while the server closes is lost, and some close after two seconds without notice. */
const IDLE_TIMEOUT_MS = 1_500;

/**
 * POSTs to caller-supplied addresses. Each attempt checks the address again, by its text and by what its name resolves to, and is
 * bounded in time and size. Redirects are not followed. Callers limit the concurrency.
 */
export function createOutboundHttp(
  policy: AddressPolicy,
  options: Partial<AttemptLimits> & { dnsServers?: readonly string[] } = {},
): OutboundHttp {
  const limits = { connectTimeoutMs: CONNECT_TIMEOUT_MS, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS, ...options };
  const agent = guardedAgent(policy, {
    connectTimeoutMs: limits.connectTimeoutMs,
    dnsServers: options.dnsServers,
    // The attempt has its own timer: undici's are accurate to about a second.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: IDLE_TIMEOUT_MS,
  });
  return {
    post(address, headers, body) {
      return new Promise<OutboundAnswer>((resolve, reject) => {
        const { url, fault, remedy = '' } = readCallerAddress(address, policy);
        if (!url)
          return reject(new OutboundError('refused-address', `refused to connect: the address ${fault}${remedy}`));
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
