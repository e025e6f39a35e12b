import { shownData } from '../../harness/contract/named-examples.ts';
import type { Scenario, Scenarios } from './scene.ts';

const send =
  (body: unknown): Scenario =>
  () => ({ body });

const createShown =
  (name: string): Scenario =>
  () => {
    const { url, secret } = shownData('createWebhook', name);
    return { body: { url, secret } };
  };

const url = 'https://letting.example/hooks/screening';

export const webhooks: Scenarios = {
  'createWebhook 200 signed': createShown('signed'),
  'createWebhook 200 unsigned': createShown('unsigned'),
  'createWebhook 400 urlMissing': send({}),
  'createWebhook 400 urlNotAnAddress': send({ url: 'letting' }),
  'createWebhook 400 urlNotHttp': send({ url: 'mailto:hooks@letting.example' }),
  'createWebhook 400 urlNotPublic': send({ url: 'https://10.0.0.5/hooks' }),
  'createWebhook 400 urlWithCredentials': send({ url: 'https://user:secret@letting.example/hooks' }),
  'createWebhook 400 secretEmpty': send({ url, secret: '' }),
  'createWebhook 400 wrongType': send({ url, secret: 42 }),
  'createWebhook 400 unknownField': send({ url, events: ['EID_SUCCESS'] }),
};
