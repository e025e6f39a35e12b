import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Ends connections that make no progress while we wait for the caller: for the rest of a request, for a reader of the answer, or for the
 * next request. While we work on a complete request, the connection is silent because of us, and no timer applies: each wait of ours has
 * its own limit.
 * @param latestOf the latest response of a connection
 * @param refuseLate called instead of closing while the rest of a request is missing
 */
export function cutStalled(
  server: Server,
  stallMs: number,
  latestOf: (socket: Socket) => ServerResponse | undefined,
  refuseLate: (socket: Socket) => void = (socket) => socket.destroy(),
): void {
  server.timeout = stallMs;
  // With a listener, Node leaves the decision to us.
  server.on('timeout', (socket: Socket) => {
    const res = latestOf(socket);
    const isReaderSlow = socket.writableLength > 0;
    if (!res || res.writableFinished || isReaderSlow) socket.destroy();
    else if (!res.req.complete) refuseLate(socket);
  });
}
