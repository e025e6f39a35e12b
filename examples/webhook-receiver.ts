/** Takes the service's events, believes only what carries a right signature, and handles each delivery once. */
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import type { components } from '../generated/openapi.d.ts';

type Schemas = components['schemas'];
type Event = Schemas['EidSuccessEvent'] | Schemas['KycVerificationDataEvent'] | Schemas['ForensicAnalysisDataEvent'];

const { WEBHOOK_SECRET, PORT = '4000', HOST = '127.0.0.1' } = process.env;
if (!WEBHOOK_SECRET) {
  console.error('Set WEBHOOK_SECRET to the secret that you create the webhook with.');
  process.exit(1);
}

const LIMIT_BYTES = 1_000_000;
const webhook = new Webhook(WEBHOOK_SECRET);
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const id = headers['webhook-id'] ?? '';
  let body = '';
  try {
    body = await read(request);
    webhook.verify(body, headers);
  } catch {
    return response.writeHead(400).end();
  }
  response.writeHead(204).end();
  if (handled.has(id)) return;
  handled.add(id);
  handle(JSON.parse(body));
});

/** The raw body. @throws when it is too large or breaks off */
async function read(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function handle({ event, data }: Event): void {
  console.log(event, JSON.stringify(data));
}

server.listen(Number(PORT), HOST, () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`Listening on http://${HOST}:${address?.port}`);
});
