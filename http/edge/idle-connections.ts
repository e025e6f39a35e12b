import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Lets at most `max` connections wait for a request: the oldest of them is closed for each further one, so that connections held open
 * keep no new caller away. A connection with a request under way is never closed here.
 */
export function boundIdle(server: Server, max: number): void {
  const idle = new Set<Socket>();
  const rest = (socket: Socket) => {
    if (socket.destroyed) return;
    idle.add(socket);
    const [oldest] = idle;
    if (idle.size > max) oldest?.destroy();
  };
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => idle.delete(socket));
    rest(socket);
  });
  server.on('request', ({ socket }, res) => {
    idle.delete(socket);
    res.once('close', () => rest(socket));
  });
}
