import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { Log } from '../../core/log.ts';
import { LogBudget } from '../../core/log-budget.ts';
import { REFUSALS } from '../../core/messages.ts';
import type { Config } from '../../core/settings/config.ts';
import { type ConnectionSettings, readConnections } from '../../core/settings/connection-settings.ts';
import { boundShares } from './address-share.ts';
import { boundRest, isOverLimit, mayBeLong } from './bounded-body.ts';
import { CLOSED, httpsOnly } from './fixed-headers.ts';
import { hasValidHost, originForm } from './host.ts';
import { Pipelines } from './pipelines.ts';
import {
  endSoon,
  isEnding,
  lingerAtEnd,
  logUnreadable,
  MAX_HEAD_BYTES,
  NO_TUNNEL,
  REQUEST_TIMEOUT,
  refuse,
  unreadable,
} from './raw-refusal.ts';
import { cutStalled, isMoving } from './stalled.ts';
import { writeJson } from './write-json.ts';

/** Loaded through `require`: an ES import also loads Node's WebSocket client, which takes a tenth of a start. */
const http = process.getBuiltinModule('node:http');

/** Longer than the idle time of common load balancers, so that they close a connection before we do. */
const KEEP_ALIVE_MS = 65_000;

/** How often Node checks for connections that have timed out. */
const CHECK_EVERY_MS = 1000;

/** Connections over the limit are logged at most this often. */
const DROP_LOG_MS = 60_000;

interface ServerSettings {
  connections: ConnectionSettings;
  publicUrl: Config['publicUrl'];
  trustedProxies: Config['trustedProxies'];
  /** Aborted once the process is to stop: each later answer is the last on its connection. */
  stopping?: AbortSignal | undefined;
}

/** The latest request of a connection, and the request before it. */
interface Turn {
  res: ServerResponse;
  before: ServerResponse | undefined;
  /** How many bytes of the connection had been read when the request's head was parsed. */
  bytesRead: number;
}

/**
 * An HTTP server whose protocol errors use the common envelope too: unparsable requests, oversized headers, not exactly one valid Host, an
 * unsupported expectation. Unparsable bytes after a request end the connection after its answer. Silent and slow connections are closed.
 * Absolute-form targets (RFC 9112, section 3.2.2) are converted to origin form.
 */
export function createApiServer(
  app: Express,
  log: Log,
  { connections, publicUrl, trustedProxies, stopping }: ServerSettings = {
    connections: readConnections({}, []),
    publicUrl: undefined,
    trustedProxies: [],
  },
): Server {
  const headers = { ...CLOSED, ...(publicUrl === undefined ? {} : httpsOnly(publicUrl)) };
  const fixed = Object.entries(headers);
  const latest = new Map<Duplex, Turn>();
  const refused = new WeakSet<Duplex>();
  stopping?.addEventListener('abort', () => {
    for (const { res } of latest.values()) if (!res.headersSent) res.shouldKeepAlive = false;
  });
  const pipelines = new Pipelines((req, res) => {
    if (mayBeLong(req)) boundRest(req, res);
    if (stopping?.aborted || !server.listening) res.shouldKeepAlive = false;
    for (const [name, value] of fixed) res.setHeader(name, value);
    const target = originForm(req.url ?? '');
    // RFC 9112, section 3.2. Node would respond without a body, and take the first of several.
    if (target === undefined || !hasValidHost(req)) return refuseHost(res, log);
    req.url = target;
    app(req, res);
  });
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    latest.set(req.socket, { res, before: latest.get(req.socket)?.res, bytesRead: req.socket.bytesRead });
    pipelines.take(req, res);
  };
  const server = http.createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: connections.headerMs,
      requestTimeout: connections.requestMs,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      ...classesOf(app),
    },
    serve,
  );
  boundConnections(server, log, { connections, trustedProxies });
  cutStalled(
    server,
    connections.stallMs,
    (socket) => latest.get(socket)?.res,
    (socket) => server.emit('clientError', Object.assign(new Error('stalled'), { code: REQUEST_TIMEOUT }), socket),
  );
  server.on('connection', (socket) => socket.once('close', () => latest.delete(socket)));
  server.on('checkExpectation', serve);
  server.on('checkContinue', (req, res) => {
    if (!isOverLimit(req)) res.writeContinue();
    serve(req, res);
  });
  const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET') return socket.destroy();
    // Its caller was answered, and had the time of a whole request for the rest.
    if (error.code === REQUEST_TIMEOUT && isEnding(socket)) return socket.destroy();
    // Once per connection, however many unparsable pieces arrive. A closing connection still has its last answer to send.
    if (!socket.writable || refused.has(socket)) return;
    refused.add(socket);
    if (!(socket instanceof Socket)) return socket.destroy();
    lingerAtEnd(socket);
    const refusal = () => refuse(socket, unreadable(error.code), headers, log);
    const { res, before, bytesRead } = latest.get(socket) ?? {};
    if (!res || (res.req.complete && isOver(res) && socket.bytesRead !== bytesRead)) return refusal();
    // Tells the caller that the connection ends, so that it does not mistake a second answer for the next request's.
    if (!res.headersSent) res.shouldKeepAlive = false;
    after(res, () => endSoon(socket));
    if (!res.req.complete) whenRead(res.req, () => !res.headersSent && after(before, refusal));
  };
  server.on('clientError', async (error: NodeJS.ErrnoException, socket) => {
    if (error.code !== REQUEST_TIMEOUT || !(socket instanceof Socket)) return refuseUnreadable(error, socket);
    const before = latest.get(socket)?.res;
    const isBodyMissing = before?.req.complete === false;
    if (!(await isMoving(socket))) return refuseUnreadable(error, socket);
    // Node forgets its deadline for this request, so the rest has one of ours, unless it has just arrived.
    const isWhole = () => {
      const { res } = latest.get(socket) ?? {};
      return (isBodyMissing || res !== before) && res?.req.complete === true;
    };
    const late = setTimeout(() => !isWhole() && refuseUnreadable(error, socket), connections.requestMs);
    socket.once('close', () => clearTimeout(late));
  });
  server.on('connect', (_req, socket) => {
    // Node hands the socket over to us.
    socket.on('error', () => socket.destroy());
    after(latest.get(socket)?.res, () => refuse(socket, NO_TUNNEL, headers, log));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  return server;
}

/** Closes connections beyond the limits, of all callers and of one. */
function boundConnections(
  server: Server,
  log: Log,
  { connections, trustedProxies }: Pick<ServerSettings, 'connections' | 'trustedProxies'>,
): void {
  server.maxConnections = connections.connections;
  const reporting = (message: string) => {
    const report = (dropped: number) => log.warn({ dropped }, message);
    const budget = new LogBudget({ lines: 1, everyMs: DROP_LOG_MS }, report);
    server.once('close', () => budget.report());
    return () => void (budget.spend() && report(1));
  };
  server.on('drop', reporting('connection limit reached: connections dropped; see HTTP_CONNECTIONS'));
  const ofOne = 'one address holds a tenth of the connections: more dropped; see HTTP_CONNECTIONS and TRUSTED_PROXIES';
  boundShares(server, trustedProxies, reporting(ofOne));
}

/** Creates requests and responses with Express's prototypes; Express would change the prototype per request, which is slow. */
function classesOf(app: Express) {
  class Request extends http.IncomingMessage {}
  class Answer extends http.ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request);
  app.response = Object.setPrototypeOf(Answer.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Answer };
}

function refuseHost(res: ServerResponse, log: Log): void {
  const id = randomUUID();
  logUnreadable(log, id, { status: 400, code: 'InvalidHost' });
  res.setHeader('X-Request-Id', id);
  writeJson(res, 400, { status: 'error', message: REFUSALS.badHost });
}

/** Node detaches a response once it is sent; one that is queued still has bytes left. */
function isOver(res: ServerResponse): boolean {
  return res.writableFinished && res.socket === null;
}

/** A reader of a broken body never sees its end, while a handler that ignores the body responds. */
function whenRead(req: IncomingMessage, refuseBody: () => void): void {
  if (req.listenerCount('data') > 0) refuseBody();
  req.on('newListener', (event) => {
    if (event === 'data') refuseBody();
  });
}

/** Lets earlier requests on the connection get their answers first. */
function after(awaited: ServerResponse | undefined, respond: () => void): void {
  if (awaited && !isOver(awaited)) awaited.once('close', respond);
  else respond();
}
