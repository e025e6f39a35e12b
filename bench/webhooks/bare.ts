import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { SECRET } from './endpoint.ts';

const agent = new Agent();
const webhook = new Webhook(SECRET);

/** Only signs and posts, over keep-alive connections. */
export async function signedPost(url: string, id: string, body: string): Promise<void> {
  const { body: answer } = await request(url, { method: 'POST', headers: headers(id, body), body, dispatcher: agent });
  await answer.dump();
}

/** The same with `fetch`. */
export async function signedFetch(url: string, id: string, body: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: headers(id, body), body });
  await answer.arrayBuffer();
}

function headers(id: string, body: string): Record<string, string> {
  const sentAt = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': webhook.sign(id, sentAt, body),
  };
}
