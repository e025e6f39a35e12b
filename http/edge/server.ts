import { randomUUID } from 'node:crypto';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { correlated } from '../../core/correlation.ts';
import type { Log } from '../../core/log.ts';

/** Longer than the idle time of common load balancers, so that they close a connection before we do. */
const KEEP_ALIVE_MS = 65_000;

/**
 * An HTTP server whose protocol errors use the common envelope too: unparsable requests, oversized headers, a missing Host, an
 * unsupported expectation. Absolute-form targets (RFC 9112, section 3.2.2) are converted to origin form.
 */
export function createApiServer(app: Express, log: Log): Server {
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    // Draining: close the connection after the response.
    if (!server.listening) res.shouldKeepAlive = false;
    if (req.url && !req.url.startsWith('/')) req.url = originForm(req.url);
    // RFC 9112, section 3.2: refuse HTTP/1.1 without Host. Node would respond without a body.
    if (req.httpVersion === '1.1' && req.headers.host === undefined) refuse(req.socket, 'HostMissing', log);
    else app(req, res);
  };
  const server = createServer({ requireHostHeader: false, ...classesOf(app) }, serve);
  server.on('checkExpectation', serve);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && error.code !== 'ECONNRESET') refuse(socket, error.code, log);
    else socket.destroy();
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
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

function originForm(target: string): string {
  const url = URL.parse(target);
  return url ? `${url.pathname}${url.search}` : `/${target}`;
}

/** Responds on the raw socket and closes it. */
function refuse(socket: Duplex, code: string | undefined, log: Log): void {
  const timedOut = code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = timedOut ? '408 Request Timeout' : '400 Bad Request';
  const message = timedOut ? 'The request took too long to arrive.' : 'The request cannot be read as HTTP.';
  const body = JSON.stringify({ status: 'error', message });
  const id = randomUUID();
  correlated(id, () => log.info({ status, code }, 'unreadable request'));
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
