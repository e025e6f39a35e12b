import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * What Node answers before Express sees a request, in the common envelope: what cannot be parsed, headers that are too
 * large, an expectation nobody has. Also brings absolute-form targets (RFC 9112, section 3.2.2) into the usual form.
 */
export function hardenServer(server: Server): Server {
  const [serve] = server.listeners('request');
  if (!serve) throw new Error('The server has no request listener.');
  const normalised = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url && !req.url.startsWith('/')) req.url = originForm(req.url);
    serve.call(server, req, res);
  };
  server.removeAllListeners('request');
  server.on('request', normalised);
  server.on('checkExpectation', normalised);
  server.on('clientError', answerClientError);
  return server;
}

function originForm(target: string): string {
  const url = URL.parse(target);
  return url ? `${url.pathname}${url.search}` : `/${target}`;
}

function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = timedOut ? '408 Request Timeout' : '400 Bad Request';
  const message = timedOut ? 'The request took too long to arrive.' : 'The request cannot be read as HTTP.';
  const body = JSON.stringify({ status: 'error', message });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
