import { setTimeout } from 'node:timers/promises';
import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set();
const app = express();

// Before any app.use(express.json()): this route needs the raw body, and more than the default of 100 kB.
app.post('/hook', express.raw({ type: 'application/json', limit: '1mb' }), (req, res) => {
  let event;
  try {
    event = webhook.verify(req.body, req.headers);
  } catch {
    return res.sendStatus(400);
  }
  const id = req.headers['webhook-id'];
  const isNew = !seen.has(id);
  seen.add(id);
  res.sendStatus(204);
  if (isNew) work(id, event);
});
app.listen(process.env.PORT ?? 4000, '127.0.0.1');

/** Your own work, after the answer. In production, a job in a queue. */
async function work(id, { event }) {
  await setTimeout(Number(process.env.WORK_SECONDS ?? 0) * 1000);
  console.log(id, event);
}
