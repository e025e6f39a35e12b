import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import data from './receivers.json' with { type: 'json' };
import { UNTRUSTED } from './untrusted.mjs';

const MEBIBYTE = 1024 * 1024;

/** @type {readonly import('./receiver.d.mts').Receiver[]} */
export const receivers = data.receivers;

/** A server that need not speak HTTP: a script says what it sends. It counts connections and requests. */
export class ScriptedReceiver {
  connections = 0;
  /** @type {string[]} */
  requests = [];
  /** How many bytes of answers were read. */
  sentBytes = 0;
  port = 0;
  /** @type {Promise<void>[]} */
  closed = [];
  #open = new Set();
  #server;

  constructor(behaviour, { tls, atOnce } = {}) {
    const serve = (socket) => this.#serve(socket, behaviour, atOnce);
    this.#server = tls ? createTlsServer(tls, serve) : createServer(serve);
    // With TLS, a handshake that the other side aborts counts as a connection.
    if (tls) this.#server.on('connection', (socket) => this.#welcome(socket));
    this.#server.on('tlsClientError', () => {});
  }

  static async start(behaviour, { host = '127.0.0.1', port = 0, ...options } = {}) {
    const receiver = new ScriptedReceiver(behaviour, options);
    await new Promise((resolve, reject) => {
      receiver.#server.once('error', reject);
      receiver.#server.listen(port, host, resolve);
    });
    receiver.port = receiver.#server.address().port;
    return receiver;
  }

  get url() {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  #serve(socket, behaviour, atOnce) {
    if (!('encrypted' in socket)) this.#welcome(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      this.sentBytes += socket.bytesWritten;
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const bodyAt = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      const isChunked = /transfer-encoding: *chunked/i.test(text.slice(0, bodyAt));
      const isWhole = isChunked ? text.endsWith('0\r\n\r\n') : text.length >= bodyAt + length;
      if (bodyAt < 4 || !isWhole) return;
      this.requests.push(text);
      behaviour(socket, text);
      text = '';
    });
    atOnce?.(socket, '');
  }

  #welcome(socket) {
    this.connections++;
    this.#open.add(socket);
    this.closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
    socket.on('error', () => {});
  }

  async stop() {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Starts one receiver of the list. */
export function startReceiver(receiver, options = {}) {
  const { answer, greeting, tls } = receiver;
  return ScriptedReceiver.start(behaviourOf(answer), {
    ...(greeting && { atOnce: behaviourOf(greeting) }),
    ...(tls === 'untrusted' && { tls: UNTRUSTED }),
    ...options,
  });
}

/** Where a sender reaches a started receiver. */
export function urlOf({ tls }, port) {
  return `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`;
}

function behaviourOf(steps) {
  return async (socket) => {
    for (const step of steps) {
      if (socket.destroyed) return;
      await take(step, socket);
    }
  };
}

async function take(step, socket) {
  const { send, times = 1, flood, drip, waitMs, close, gzipOfZerosMib } = step;
  if (send !== undefined) socket.write(Buffer.from(send.repeat(times), 'latin1'));
  if (gzipOfZerosMib !== undefined) socket.write(gzipSync(Buffer.alloc(gzipOfZerosMib * MEBIBYTE)));
  if (flood !== undefined) pour(socket, chunkOf(step), step.upToBytes);
  if (drip !== undefined) trickle(socket, drip, step.everyMs);
  if (waitMs !== undefined) await new Promise((resolve) => setTimeout(resolve, waitMs));
  if (close === 'end') socket.end();
  if (close === 'destroy') socket.destroySoon();
  if (close === 'reset') socket.resetAndDestroy();
}

function chunkOf({ flood, times = 1, before = '', after = '' }) {
  return Buffer.from(before + flood.repeat(times) + after, 'latin1');
}

/** Writes one byte after another until the other side has had enough. */
function trickle(socket, text, everyMs) {
  let index = 0;
  const timer = setInterval(() => socket.write(text[index++ % text.length]), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the sender reads, forever or up to a size. */
function pour(socket, chunk, upToBytes = Number.POSITIVE_INFINITY) {
  let sent = 0;
  const more = () => {
    while (sent < upToBytes && !socket.destroyed) {
      sent += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', more);
  more();
}
