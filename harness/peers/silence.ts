import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Accepts connections, as the kernel does for a process that hangs, and never answers. */
export async function startSilence(): Promise<{ port: number; stop(): Promise<unknown> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
