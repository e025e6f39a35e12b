import { lookup } from 'node:dns/promises';
import { type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import { hostOf } from '../../core/addresses/caller-address.ts';
import { connectToFirst } from './happy-eyeballs.ts';
import { noConnection } from './outbound-error.ts';
import { proxyOf, proxyPort, tunnel } from './proxy.ts';

/** Where to connect: a host without brackets, its port, and whether by TLS. */
export interface Target {
  host: string;
  port: number;
  isTls: boolean;
}

export interface Connecting {
  /** Covers name resolution and the TLS handshake. */
  connectTimeoutMs: number;
  /** The addresses that a host may be reached at. */
  addressesOf(host: string): Promise<string[]>;
}

/** @param ended breaks off the attempts that are no longer needed */
export type Connect = (target: Target, ended: AbortSignal) => Promise<Socket>;

/** Bounds the TLS sessions kept for resumption. */
const MAX_SESSIONS = 100;

/**
 * Opens connections in these steps, all within `connectTimeoutMs`:
 * 1. resolve the name once;
 * 2. connect to the first of its addresses that accepts, or to the proxy, which connects to the first address;
 * 3. shake hands by TLS, verified whatever the environment says. HTTP/1.1 only: one request per connection, so none blocks another.
 * The result throws OutboundError at the timeout, the errors of `addressesOf`, and the socket's.
 */
export function createConnect({ connectTimeoutMs, addressesOf }: Connecting): Connect {
  const sessions = new Map<string, Buffer>();
  return async (target, ended) => {
    // Not AbortSignal.any: Node keeps such a signal for as long as it has a listener, although nothing else refers to it.
    const opening = new AbortController();
    const { signal } = opening;
    const timer = setTimeout(() => opening.abort(noConnection(connectTimeoutMs)), connectTimeoutMs);
    const end = () => opening.abort(ended.reason);
    ended.addEventListener('abort', end);
    if (ended.aborted) end();
    try {
      const addresses = await unlessAborted(addressesOf(target.host), signal);
      const proxy = proxyOf(target);
      const socket = proxy
        ? await throughProxy(proxy, { host: addresses[0] ?? target.host, port: target.port }, signal)
        : await connectToFirst(addresses, target.port, signal);
      return target.isTls ? await secure(socket, target, signal, sessions) : socket;
    } finally {
      clearTimeout(timer);
      ended.removeEventListener('abort', end);
    }
  };
}

async function throughProxy(proxy: URL, target: { host: string; port: number }, signal: AbortSignal): Promise<Socket> {
  const addresses = await unlessAborted(anyAddresses(hostOf(proxy)), signal);
  return tunnel(await connectToFirst(addresses, proxyPort(proxy), signal), proxy, target, signal);
}

/** The addresses of a host that the operator configured: as the machine resolves names, `/etc/hosts` included. */
export async function anyAddresses(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/**
 * Agents for the clients of configured providers, whose packages bring an HTTP client of their own. They have no limit, at which all would wait
 * in one line: parties take turns at the calls.
 */
export function providerAgents(connectTimeoutMs: number) {
  const connect = createConnect({ connectTimeoutMs, addressesOf: anyAddresses });
  return agentsOf(connect, new AbortController().signal, { keepAlive: true });
}

function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  if (signal.aborted) reject(signal.reason);
  return Promise.race([work, promise]);
}

function secure(
  socket: Socket,
  { host, port }: Target,
  signal: AbortSignal,
  sessions: Map<string, Buffer>,
): Promise<TLSSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<TLSSocket>();
  // A session resumes for the same port only: the server of another port has a certificate of its own.
  const place = `${host}:${port}`;
  const session = sessions.get(place);
  const servername = isIP(host) === 0 ? host.replace(/\.$/, '') : '';
  const options = { socket, host, servername, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] };
  const secured = tlsConnect(session ? { ...options, session } : options);
  secured.on('session', (fresh) => {
    sessions.delete(place);
    const oldest = sessions.size < MAX_SESSIONS ? undefined : sessions.keys().next().value;
    if (oldest !== undefined) sessions.delete(oldest);
    sessions.set(place, fresh);
  });
  const abort = () => secured.destroy(signal.reason);
  const end = () => signal.removeEventListener('abort', abort);
  const fail = (error: Error) => {
    end();
    sessions.delete(place);
    reject(error);
  };
  secured.once('error', fail);
  secured.once('secureConnect', () => {
    end();
    secured.off('error', fail);
    resolve(secured);
  });
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  return promise;
}

/** A connector for undici, with connections by `connect`. */
export function connectorOf(connect: Connect, ended: AbortSignal): buildConnector.connector {
  return ({ hostname, port, protocol }, callback) => {
    const isTls = protocol === 'https:';
    const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isTls ? 443 : 80)), isTls };
    connect(target, ended).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };
}

/** Agents for Node's HTTP clients, with connections by `connect`. `ended` breaks off the attempts in flight. */
export function agentsOf(connect: Connect, ended: AbortSignal, options: AgentOptions) {
  type Create = HttpAgent['createConnection'];
  const create = (isTls: boolean, [{ host, port }, callback]: Parameters<Create>): undefined => {
    connect({ host: host ?? '', port: Number(port), isTls }, ended).then(
      (socket) => callback?.(null, socket),
      // The type requires a stream beside the error.
      (error) => callback?.(error, new Duplex()),
    );
  };
  class PlainAgent extends HttpAgent {
    override createConnection(...given: Parameters<Create>): undefined {
      return create(false, given);
    }
  }
  class TlsAgent extends HttpsAgent {
    override createConnection(...given: Parameters<Create>): undefined {
      return create(true, given);
    }
  }
  return { http: new PlainAgent(options), https: new TlsAgent(options) };
}
