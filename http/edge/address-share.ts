import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Network } from '../../core/addresses/address-ranges.ts';
import { isProxy, partyOfAddress } from '../../core/addresses/client-address.ts';

/** The part of all connections that one caller may hold. */
const SHARE = 10;

/**
 * Closes the connections of one caller (an IPv4 address, an IPv6 /64) beyond a tenth of the server's limit. A trusted proxy carries many
 * callers and limits each of them.
 * @param dropped called for each connection that is closed
 */
export function boundShares(server: Server, trustedProxies: readonly Network[], dropped: () => void): void {
  const held = new Map<string, number>();
  // Before Node's own listener, which creates a parser per connection.
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address, trustedProxies)) return;
    const caller = partyOfAddress(address).name;
    const count = held.get(caller) ?? 0;
    if (count >= Math.ceil(server.maxConnections / SHARE)) {
      // Without an answer: one that waits to be read would hold the connection that is refused.
      socket.destroy();
      return dropped();
    }
    held.set(caller, count + 1);
    socket.once('close', () => {
      const left = (held.get(caller) ?? 1) - 1;
      if (left > 0) held.set(caller, left);
      else held.delete(caller);
    });
  });
}
