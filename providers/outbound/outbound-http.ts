import { type AddressPolicy, hostOf, readCallerAddress } from '../../core/addresses/caller-address.ts';
import { agentsOf, createConnect } from './connections.ts';
import { guardedAddresses } from './guarded-addresses.ts';
import { OutboundError, RefusedAddress } from './outbound-error.ts';
import type { OutboundAnswer, OutboundHttp } from './port.ts';
import { type AttemptLimits, PostAttempt } from './post-attempt.ts';
import type { Resolving } from './resolve-name.ts';

export const CONNECT_TIMEOUT_MS = 5_000;
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** How long a registration waits for name servers; resolving takes a part of it. */
const REGISTRATION_TIMEOUT_MS = 1_000;

/** A request sent while the server closes is lost, and some close after two seconds without notice. */
const IDLE_TIMEOUT_MS = 1_500;

/**
 * POSTs to caller-supplied addresses. Each attempt checks the address again, by its text and by what its name resolves to, and is
 * bounded in time and size. Redirects are not followed. Callers limit the concurrency.
 */
export function createOutboundHttp(
  policy: AddressPolicy,
  options: Partial<AttemptLimits & Resolving> = {},
): OutboundHttp {
  const limits = { connectTimeoutMs: CONNECT_TIMEOUT_MS, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS, ...options };
  const { connectTimeoutMs } = limits;
  const connect = createConnect({
    connectTimeoutMs,
    addressesOf: (host) => guardedAddresses(host, policy, { ...options, connectTimeoutMs }),
  });
  const closing = new AbortController();
  const agents = agentsOf(connect, closing.signal, { keepAlive: true, timeout: IDLE_TIMEOUT_MS });
  const post: OutboundHttp['post'] = (address, headers, body) =>
    new Promise<OutboundAnswer>((resolve, reject) => {
      if (closing.signal.aborted) return reject(closing.signal.reason);
      const { url, fault, remedy = '' } = readCallerAddress(address, policy);
      if (!url)
        return reject(new OutboundError('refused-address', `refused to connect: the address ${fault}${remedy}`));
      const agent = url.protocol === 'https:' ? agents.https : agents.http;
      const attempt = new PostAttempt(limits, closing.signal, resolve, reject);
      attempt.send({ agent, host: hostOf(url), url, headers, body });
    });
  return {
    post,
    deliver: post,
    async isKnownPrivate(address) {
      const { url } = readCallerAddress(address, policy);
      if (!url) return false;
      const resolving = { ...options, connectTimeoutMs: Math.min(connectTimeoutMs, REGISTRATION_TIMEOUT_MS) };
      return guardedAddresses(hostOf(url), policy, resolving).then(
        () => false,
        (error) => error instanceof RefusedAddress,
      );
    },
    async close() {
      closing.abort(new OutboundError('ours', 'the service was stopping'));
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
