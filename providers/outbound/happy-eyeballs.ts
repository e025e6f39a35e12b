import { connect, isIPv6, type Socket } from 'node:net';

/** RFC 8305, section 5: the Connection Attempt Delay. */
const ATTEMPT_DELAY_MS = 250;

/** Bounds the sockets of one connection: a name may have any number of addresses. */
const MAX_ATTEMPTS = 16;

/** TCP keep-alive probes begin after a minute of silence. */
const KEEP_ALIVE_DELAY_MS = 60_000;

/**
 * Connects to the first address that accepts (RFC 8305, Happy Eyeballs): a further attempt starts beside those in flight whenever none
 * has succeeded within 250 ms, or at once when one fails. Node's own `autoSelectFamily` abandons each attempt before it starts the next,
 * so it never reaches hosts whose handshake takes longer.
 * @param signal ends all attempts and becomes the reason of the rejection
 * @throws the first attempt's error when every address fails
 */
export function connectToFirst(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const waiting = interleaved(addresses).slice(0, MAX_ATTEMPTS);
  const inFlight = new Set<Socket>();
  let firstError: Error | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    for (const socket of inFlight) socket.destroy();
  };
  const abort = () => {
    end();
    reject(signal.reason);
  };
  const attempt = (address: string) => {
    const socket = connect({ host: address, port, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_DELAY_MS });
    inFlight.add(socket);
    const fail = (error: Error) => {
      inFlight.delete(socket);
      firstError ??= error;
      next();
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      inFlight.delete(socket);
      socket.off('error', fail);
      end();
      resolve(socket);
    });
  };
  const next = () => {
    clearTimeout(timer);
    const address = waiting.shift();
    if (address !== undefined) attempt(address);
    else if (inFlight.size === 0) {
      end();
      reject(firstError ?? new Error('There is no address to connect to.'));
    }
    if (waiting.length > 0) timer = setTimeout(next, ATTEMPT_DELAY_MS);
  };
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  else next();
  return promise;
}

/** Alternates the families (RFC 8305, section 4), IPv4 first: receivers' allow-lists name the service's IPv4 addresses. */
function interleaved(addresses: readonly string[]): string[] {
  const v6 = addresses.filter((address) => isIPv6(address));
  const v4 = addresses.filter((address) => !isIPv6(address));
  return Array.from({ length: Math.max(v6.length, v4.length) }, (_, place) =>
    [v4[place], v6[place]].filter((address) => address !== undefined),
  ).flat();
}
