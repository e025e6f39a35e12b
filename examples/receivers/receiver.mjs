import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const LIMIT_BYTES = 1_000_000;
const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set();

/** The raw body; throws when it is too large or breaks off. */
async function read(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  let event;
  try {
    event = webhook.verify(await read(request), request.headers);
  } catch {
    return response.writeHead(400).end();
  }

  const id = request.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  response.writeHead(204).end();
  if (isNew) console.log(id, event.event, event.data);
});
server.listen(process.env.PORT ?? 4000, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
