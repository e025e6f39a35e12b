import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Whether bytes arrive or leave in the next turn of the event loop. Timers come before them: after this process itself stood still, they have
 * been waiting for us.
 */
export async function isMoving(socket: Socket): Promise<boolean> {
  const { bytesRead, bytesWritten, writableLength } = socket;
  // The first turn may have begun with this timer; the second reads what waits.
  for (let turns = 0; turns < 2; turns++) await new Promise((resolve) => setImmediate(resolve));
  const isRead = socket.bytesRead !== bytesRead;
  return isRead || socket.bytesWritten !== bytesWritten || socket.writableLength < writableLength;
}

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
  server.on('timeout', async (socket: Socket) => {
    if (await isMoving(socket)) return;
    const res = latestOf(socket);
    const isReaderSlow = socket.writableLength > 0;
    if (!res || res.writableFinished || isReaderSlow) socket.destroy();
    else if (!res.req.complete) refuseLate(socket);
  });
}
