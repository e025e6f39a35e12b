import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { correlated } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';
import { REFUSALS, tooLargeHead } from '../../core/messages.ts';
import { SERVICE } from '../../core/party.ts';
import { isMoving } from './stalled.ts';

/** The request line and the headers, as Node's default. */
export const MAX_HEAD_BYTES = 16 * 1024;

/** The time from the last answer on a connection, or from the last piece of a body that is still read, until the socket is destroyed. */
const LINGER_MS = 1000;

interface RawRefusal {
  status: string;
  message: string;
  /** For the log. */
  code: string | undefined;
  headers?: Record<string, string>;
}

/** RFC 9110, section 9.3.6: for proxies. */
export const NO_TUNNEL: RawRefusal = {
  status: '405 Method Not Allowed',
  message: REFUSALS.noTunnel,
  code: 'CONNECT',
  headers: { Allow: 'DELETE, GET, PATCH, POST' },
};

/** The code of Node's error for a request that does not end in time. */
export const REQUEST_TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT';

/** @param code of Node's error */
export function unreadable(code: string | undefined): RawRefusal {
  if (code === REQUEST_TIMEOUT) return { status: '408 Request Timeout', message: REFUSALS.tooSlow, code };
  // Cookies of other programs on localhost add up.
  const message = code === 'HPE_HEADER_OVERFLOW' ? tooLargeHead(MAX_HEAD_BYTES) : REFUSALS.notHttp;
  return { status: '400 Bad Request', message, code };
}

/** Responds on the raw socket and closes it. */
export function refuse(socket: Duplex, refusal: RawRefusal, headers: Record<string, string>, log: Log): void {
  if (!socket.writable) return;
  const { status, message, code } = refusal;
  const body = JSON.stringify({ status: 'error', message });
  const id = randomUUID();
  logUnreadable(log, id, { status, code });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    ...Object.entries({ ...headers, ...refusal.headers }).map(([name, value]) => `${name}: ${value}`),
  ];
  endSoon(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

export function logUnreadable(log: Log, id: string, why: { status: number | string; code: string | undefined }): void {
  if (log.unauthenticated.spend()) correlated({ id, party: SERVICE }, () => log.info(why, 'malformed request'));
}

/** Connections that were half-closed, and when they end. */
const ending = new WeakMap<Duplex, NodeJS.Timeout>();
/** Those whose callers are still sending a body, which is read. */
const sending = new WeakSet<Duplex>();

/** Half-closes a connection and gives the caller time to read. Destroys the socket if the caller never closes its side. */
export function end(socket: Duplex, text = ''): void {
  if (ending.has(socket)) return;
  socket.end(text);
  const expire = async () => {
    if (socket instanceof Socket && sending.has(socket) && (await isMoving(socket))) linger.refresh();
    else socket.destroy();
  };
  const linger = setTimeout(expire, LINGER_MS);
  ending.set(socket, linger);
  socket.once('close', () => clearTimeout(linger));
}

/** Half-closes a connection that is late or unreadable. Node may have forgotten its deadline, so nothing that still arrives extends its time. */
export function endSoon(socket: Duplex, text = ''): void {
  end(socket, text);
  const limit = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(limit));
}

export function isEnding(socket: Duplex): boolean {
  return ending.has(socket);
}

/** Gives a caller more time who is still sending: it reads no answer before. The deadline of the whole request still applies. */
export function lingerLonger(socket: Socket): void {
  sending.add(socket);
  if (!socket.destroyed) ending.get(socket)?.refresh();
}

const allRead = new WeakMap<Socket, () => boolean>();

/**
 * Makes Node close the connection the same way after an answer with `Connection: close`, unless everything was read by then: the kernel
 * resets a connection with unread bytes, and the caller may lose the answer.
 */
export function lingerAtEnd(socket: Socket, isAllRead: () => boolean = () => false): void {
  const isSet = allRead.has(socket);
  allRead.set(socket, isAllRead);
  // Wraps once per connection: a wrapper per request would exhaust the stack.
  if (isSet) return;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => (allRead.get(socket)?.() ? destroySoon() : end(socket));
}
