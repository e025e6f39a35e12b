/** The baseline: Node's own HTTP server and the statements, without any validation. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createdAnswer, foundAnswer, notFound, unauthenticated } from './answers.ts';
import { openData } from './open-data.ts';
import { createKeyCheck } from './tokens.ts';

const APPLICATIONS = '/api/v1/applications/';
const CREATE = `${APPLICATIONS}create-application`;

const data = openData();
const keyOf = createKeyCheck(data);

createServer((req, res) => {
  answer(req, res).catch(() => write(res, 500, { status: 'error', message: 'Something went wrong.' }));
}).listen(Number(process.env['PORT']), '127.0.0.1');

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method, url = '' } = req;
  const keyId = await keyOf(req.headers.authorization);
  if (keyId === undefined) return write(res, 401, unauthenticated);
  if (method === 'GET' && url.startsWith(APPLICATIONS)) {
    const found = await data.findApplication(keyId, url.slice(APPLICATIONS.length));
    return found ? write(res, 200, foundAnswer(found, new Date())) : write(res, 404, notFound);
  }
  if (method === 'POST' && url === CREATE) {
    const body = JSON.parse(await bodyOf(req));
    return write(res, 200, createdAnswer(await data.createApplication(keyId, body, new Date())));
  }
  write(res, 404, notFound);
}

function bodyOf(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.once('end', () => resolve(Buffer.concat(chunks).toString()));
    req.once('error', reject);
  });
}

function write(res: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}
