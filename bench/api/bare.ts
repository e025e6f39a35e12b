/** Bare `node:http`: the minimum cost of an answer to an unauthenticated caller. Its answers are as long as the service's. */
import { createServer } from 'node:http';

const BODY = JSON.stringify({
  status: 'error',
  message: 'Send an access token as Authorization: Bearer <ACCESS_TOKEN>.',
});
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Request-Id': '00000000-0000-4000-8000-000000000000',
  'WWW-Authenticate': 'Bearer realm="api"',
  'Content-Type': 'application/json',
  'Content-Length': BODY.length,
};

createServer(({ url }, res) => {
  // The bench waits for a 200 from there before it measures.
  res.writeHead(url?.startsWith('/api/v1/applications/') ? 200 : 401, HEADERS).end(BODY);
}).listen(Number(process.env['PORT']), '127.0.0.1');
