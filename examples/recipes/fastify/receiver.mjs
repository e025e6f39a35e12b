import { setTimeout } from 'node:timers/promises';
import Fastify from 'fastify';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set();
const app = Fastify();

// The raw body instead of an object, for the routes of this instance.
app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: 2 ** 20 }, (_request, body, done) => {
  done(null, body);
});

app.post('/hook', async (request, reply) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers);
  } catch {
    return reply.code(400).send();
  }
  const id = request.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  if (isNew) work(id, event);
  return reply.code(204).send();
});
await app.listen({ port: Number(process.env.PORT ?? 4000), host: '127.0.0.1' });

/** Your own work, after the answer. In production, a job in a queue. */
async function work(id, { event }) {
  await setTimeout(Number(process.env.WORK_SECONDS ?? 0) * 1000);
  console.log(id, event);
}
