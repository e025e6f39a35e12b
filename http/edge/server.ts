import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { correlated } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';
import { LogBudget } from '../../core/log-budget.ts';
import type { Config } from '../../core/settings/config.ts';
import { type ConnectionSettings, readConnections } from '../../core/settings/connection-settings.ts';
import { hasValidHost, originForm } from './host.ts';
import { writeJson } from './write-json.ts';

/** Longer than the idle time of common load balancers, so that they close a connection before we do. */
const KEEP_ALIVE_MS = 65_000;

/** From the last answer of a connection until it is destroyed. */
const LINGER_MS = 1000;

/** Node looks for connections that are late this often. */
const CHECK_EVERY_MS = 1000;

/** Connections over the limit are logged at most this often. */
const DROP_LOG_MS = 60_000;

/** What browsers ought to remember; a year, as is usual. */
const ONLY_HTTPS = 'max-age=31536000';

interface ServerSettings {
  connections: ConnectionSettings;
  publicUrl: Config['publicUrl'];
  /** Aborted once the process is to stop: each further answer is the last of its connection. */
  stopping?: AbortSignal | undefined;
}

/** The latest request of a connection, and the one before it. */
interface Turn {
  res: ServerResponse;
  before: ServerResponse | undefined;
}

/**
 * An HTTP server whose protocol errors use the common envelope too: unparsable requests, oversized headers, not exactly one valid
 * Host, an unsupported expectation. They are answered after the requests before them on the connection. It ends connections that are
 * silent or slow. Absolute-form targets (RFC 9112, section 3.2.2) are converted to origin form.
 */
export function createApiServer(
  app: Express,
  log: Log,
  { connections, publicUrl, stopping }: ServerSettings = { connections: readConnections({}, []), publicUrl: undefined },
): Server {
  const headers: Record<string, string> = { 'X-Content-Type-Options': 'nosniff' };
  if (publicUrl !== undefined && /^https:/i.test(publicUrl)) headers['Strict-Transport-Security'] = ONLY_HTTPS;
  const latest = new Map<Duplex, Turn>();
  const refused = new WeakSet<Duplex>();
  stopping?.addEventListener('abort', () => {
    for (const { res } of latest.values()) if (!res.headersSent) res.shouldKeepAlive = false;
  });
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    latest.set(req.socket, { res, before: latest.get(req.socket)?.res });
    if (stopping?.aborted || !server.listening) res.shouldKeepAlive = false;
    for (const name in headers) res.setHeader(name, headers[name] ?? '');
    const target = originForm(req.url ?? '');
    // RFC 9112, section 3.2. Node would respond without a body, and take the first of several.
    if (target === undefined || !hasValidHost(req)) return refuseHost(res, log);
    req.url = target;
    app(req, res);
  };
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: connections.headerMs,
      requestTimeout: connections.requestMs,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      ...classesOf(app),
    },
    serve,
  );
  server.maxConnections = connections.connections;
  server.on('connection', (socket) => socket.once('close', () => latest.delete(socket)));
  server.on('checkExpectation', serve);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return socket.destroy();
    // One for each piece of what cannot be read.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { res, before } = latest.get(socket) ?? {};
    // The rest of a request that was answered before it was read: the caller would take a second answer for the next one's.
    const isAnswered = res?.headersSent && !res.req.complete;
    const respond = () => (isAnswered ? end(socket) : refuse(socket, error.code, headers, log));
    const awaited = isAnswered || res?.req.complete ? res : before;
    if (awaited && !awaited.writableFinished) awaited.once('close', respond);
    else respond();
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  // For those who do not read their responses.
  server.timeout = KEEP_ALIVE_MS;
  const drops = new LogBudget({ lines: 1, everyMs: DROP_LOG_MS }, (dropped) => logDrop(log, dropped));
  server.on('drop', () => drops.spend() && logDrop(log, 1));
  server.once('close', () => drops.report());
  return server;
}

/** Creates requests and responses with Express's prototypes; Express would change the prototype per request, which is slow. */
function classesOf(app: Express) {
  class Request extends IncomingMessage {}
  class Answer extends ServerResponse<Request> {}
  app.request = Object.setPrototypeOf(Request.prototype, app.request);
  app.response = Object.setPrototypeOf(Answer.prototype, app.response);
  return { IncomingMessage: Request, ServerResponse: Answer };
}

function refuseHost(res: ServerResponse, log: Log): void {
  const id = randomUUID();
  logUnreadable(log, id, { status: 400, code: 'InvalidHost' });
  res.setHeader('X-Request-Id', id);
  writeJson(res, 400, { status: 'error', message: 'The request needs exactly one Host header, with a valid host.' });
}

/** Responds on the raw socket and closes it. */
function refuse(socket: Duplex, code: string | undefined, headers: Record<string, string>, log: Log): void {
  if (!socket.writable) return;
  const timedOut = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = timedOut ? '408 Request Timeout' : '400 Bad Request';
  const message = timedOut ? 'The request took too long to arrive.' : 'The request cannot be read as HTTP.';
  const body = JSON.stringify({ status: 'error', message });
  const id = randomUUID();
  logUnreadable(log, id, { status, code });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  end(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
}

function logUnreadable(log: Log, id: string, why: { status: number | string; code: string | undefined }): void {
  if (log.strangers.spend()) correlated(id, () => log.info(why, 'unreadable request'));
}

/** Leaves the caller time to read. One that never closes its side would keep the connection for ever. */
function end(socket: Duplex, text = ''): void {
  socket.end(text);
  const linger = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(linger));
}

function logDrop(log: Log, dropped: number): void {
  log.warn({ dropped }, 'too many connections: closed; see HTTP_CONNECTIONS');
}
