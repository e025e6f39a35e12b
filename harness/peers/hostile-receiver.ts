import { type Behaviour, type ReceiverOptions, ScriptedReceiver } from '@tenant-screening/webhook-tools/receivers';
import { signal } from '../process/signals.ts';

/** A receiver whose requests wake the tests that wait for them. */
export class HostileReceiver extends ScriptedReceiver {
  static override start(behaviour: Behaviour, options: ReceiverOptions = {}): Promise<ScriptedReceiver> {
    return ScriptedReceiver.start((socket, request) => {
      signal();
      return behaviour(socket, request);
    }, options);
  }
}

/** Writes an answer with a body of known length. */
export function answer(status: string, headers: Record<string, string> = {}, body: string | Buffer = ''): Behaviour {
  const lines = Object.entries({ 'content-length': String(Buffer.byteLength(body)), ...headers });
  const head = [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return (socket) => socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]));
}

/** Writes one byte after another until the other side has had enough. */
export function drip(start: string, rest: string, everyMs: number): Behaviour {
  return (socket) => {
    socket.write(start);
    let index = 0;
    const timer = setInterval(() => socket.write(rest[index++ % rest.length] ?? ''), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Writes as fast as the client reads, forever or up to a size. */
export function flood(start: string, chunk: Buffer, upToBytes = Number.POSITIVE_INFINITY): Behaviour {
  return (socket) => {
    socket.write(start);
    let sent = 0;
    const more = () => {
      while (sent < upToBytes && !socket.destroyed) {
        sent += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', more);
    more();
  };
}
