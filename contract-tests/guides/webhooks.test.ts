import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type SignatureHeaders, signatureHeaders } from '@tenant-screening/webhook-tools/signatures';
import { expect } from 'chai';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import { parse } from 'yaml';
import { databases } from '../../harness/database/dialect.ts';
import { workDone } from '../../harness/database/open-work.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { type Received, Receiver } from '../../harness/peers/receiver.ts';
import { eventually } from '../../harness/process/signals.ts';
import { startTestService } from '../../harness/service/service.ts';
import { MAX_EVENT_BYTES } from '../../jobs/documents/forensic-result.ts';
import { blocksOf, blockUnder, exampleFile, readGuide } from './guide.ts';
import { Reader } from './reader.ts';

databases('sqlite');

const GUIDE = 'webhooks.md';
const RECEIVER = exampleFile('examples/receivers/receiver.mjs');
const BY_HAND = 'webhooks-by-hand.md';

interface Vector {
  name: string;
  secret: string;
  /** Former secrets, which sign beside `secret`. */
  former_secrets?: string[];
  headers: SignatureHeaders;
  body: string;
}

const file = new URL('../../docs/guides/webhook-test-vectors.json', import.meta.url);
const vectors: Vector[] = JSON.parse(readFileSync(file, 'utf8'));
const sentAt = ({ headers }: Vector) => Number(headers['webhook-timestamp']) * 1000;

const secretsOf = ({ secret, former_secrets = [] }: Vector) => [secret, ...former_secrets];

const isComplete = (secret: string) =>
  /^(whsec_)?(?:[A-Za-z0-9+/]{4})+$/.test(secret.replace(/={1,2}$/, (pad) => 'A'.repeat(pad.length)));

/** The keys that the guide derives from a secret. */
function keysOf(secret: string): Buffer[] {
  const base64 = secret.replace(/^whsec_/, '').replaceAll('\n', '');
  const decoded = Buffer.from(base64, 'base64');
  if (secret.startsWith('whsec_') && isComplete(secret)) return [decoded];
  const isBase64 = decoded.length > 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  return isBase64 ? [decoded, Buffer.from(secret)] : [Buffer.from(secret)];
}

describe('the test vectors in the webhooks guide', () => {
  it('begin with the delivery of the shell recipe', () => {
    const recipe = blocksOf(BY_HAND).find(({ text }) => text.startsWith('secret='))?.text ?? '';
    const [secret, id, timestamp, body] = [...recipe.matchAll(/^\w+='(.*)'$/gm)].map(([, value]) => value);
    expect(vectors[0]).to.include({ secret, body });
    expect(vectors[0]?.headers).to.include({ 'webhook-id': id, 'webhook-timestamp': timestamp });
  });

  for (const vector of vectors)
    it(`match the service and a computation by hand: ${vector.name}`, () => {
      const { headers, body } = vector;
      const id = headers['webhook-id'];
      const at = new Date(sentAt(vector));
      expect(signatureHeaders(id, at, body, secretsOf(vector))).to.deep.equal(headers);
      const signed = secretsOf(vector)
        .flatMap(keysOf)
        .map((key) => createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${body}`))
        .map((hmac) => `v1,${hmac.digest('base64')}`);
      expect(signed).to.deep.equal(headers['webhook-signature'].split(' '));
    });
});

describe('the delivery shown in the contract', () => {
  it('is the first vector: its headers, its body and the webhook’s secret belong together', () => {
    const { components, paths } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
    const { requestBody, callbacks } = paths['/webhooks/create-webhook'].post;
    const event = callbacks.EID_SUCCESS['{$request.body#/url}'].post.requestBody.content['application/json'].examples;
    const shown = ['WebhookIdHeader', 'WebhookTimestampHeader', 'WebhookSignatureHeader'].map((name) => {
      const { name: header, example } = components.parameters[name];
      return [header, example];
    });
    expect({
      secret: requestBody.content['application/json'].examples.signed.value.secret,
      headers: Object.fromEntries(shown),
      body: JSON.stringify(event.eidSuccess.value),
    }).to.deep.equal({ secret: vectors[0]?.secret, headers: vectors[0]?.headers, body: vectors[0]?.body });
  });
});

describe('the recipes in the webhooks guide', () => {
  const reader = suiteFixture(() => Reader.create());

  it('for the shell print one of each vector’s signatures', async () => {
    await expectSignaturesFrom(reader);
  });

  it('for the shell do so without openssl, too', async () => {
    const other = await Reader.create(['openssl']);
    try {
      await expectSignaturesFrom(other);
    } finally {
      await other.stop();
    }
  });

  it('for Node without a library accept each vector, and none that is modified or expired', async () => {
    await reader.save('verify.mjs', blockUnder(BY_HAND, 'In Node', 'js'));
    const { verify } = await import(pathToFileURL(join(reader.folder, 'verify.mjs')).href);
    for (const vector of vectors) {
      const { body, headers, secret } = vector;
      const now = sentAt(vector);
      for (const bytes of [body, Buffer.from(body)])
        for (const valid of secretsOf(vector))
          expect(verify(bytes, headers, valid, now)).to.deep.equal(JSON.parse(body));
      verify(body, headers, secret, now + 299_000);
      verify(body, headers, secret, now - 299_000);
      const changed = [
        [`${body} `, headers, secret, now],
        [body, { ...headers, 'webhook-id': 'msg_other' }, secret, now],
        [body, { ...headers, 'webhook-timestamp': String(now / 1000 + 1) }, secret, now],
        [body, headers, 'another secret', now],
        [body, headers, secret, now + 301_000],
        [body, headers, secret, now - 301_000],
        [body, { ...headers, 'webhook-signature': 'v1,' }, secret, now],
        [body, { ...headers, 'webhook-timestamp': 'soon' }, secret, now],
        [body, {}, secret, now],
      ];
      for (const parts of changed)
        expect(() => verify(...parts), JSON.stringify(parts)).to.throw(/delivery|signature/i);
    }
  });

  it('for Node accept a real delivery once, and refuse it when it was tampered with', async () => {
    const secret = JSON.parse(blockUnder(GUIDE, 'Register a URL', 'json')).secret;
    const running = await reader.serve([RECEIVER], { WEBHOOK_SECRET: secret });
    const url = `http://localhost:${running.port}/hook`;
    const count = (text: string) => running.printed().split(text).length - 1;
    const delivery = await realDelivery(url, secret);
    await eventually('the receiver of the guide took it', () => count('KYC_VERIFICATION_DATA') === 1);

    // The same event for another webhook with the same secret: a delivery with a different id.
    expect(await post(url, delivery, delivery.body.replace('verified', 'rejected'))).to.equal(400);
    expect(await post(url, delivery, `${delivery.body} `)).to.equal(400);
    expect(await post(url, { headers: {} }, delivery.body)).to.equal(400);
    expect(count('KYC_VERIFICATION_DATA')).to.equal(1);
    for (let times = 0; times < 2; times++) expect(await post(url, delivery, delivery.body)).to.equal(204);
    // The output is ordered, so this line comes after all earlier ones.
    const last = '{"event":"EID_SUCCESS","data":null}';
    expect(await post(url, { headers: signatureHeaders('msg_last', new Date(), last, [secret]) }, last)).to.equal(204);
    await eventually('the receiver of the guide printed the last', () => count('msg_last') === 1);
    expect(count(String(delivery.headers['webhook-id']))).to.equal(1);
    expect(count('KYC_VERIFICATION_DATA')).to.equal(2);
  });

  it('for Node survive a body that breaks off and an oversized one', async () => {
    const [vector] = vectors;
    const secret = vector?.secret ?? '';
    const running = await reader.serve([RECEIVER], { WEBHOOK_SECRET: secret });
    const url = `http://127.0.0.1:${running.port}/hook`;
    await breakOff(url);
    // The connection is reset during the upload, or the request is refused.
    const tooLarge = await post(url, { headers: {} }, 'a'.repeat(2_000_000)).catch(() => 400);
    expect(tooLarge).to.equal(400);
    const body = vector?.body ?? '';
    expect(await post(url, { headers: signatureHeaders('msg_after', new Date(), body, [secret]) }, body)).to.equal(204);
  });
});

describe('the largest event that is sent', () => {
  const reader = suiteFixture(() => Reader.create());
  const body = largestEvent();
  const secret = vectors[0]?.secret ?? '';
  const signed = () => ({ headers: signatureHeaders('msg_largest', new Date(), body, [secret]) });

  it('has 256 KiB', () => {
    expect(Buffer.byteLength(body)).to.equal(MAX_EVENT_BYTES);
    expect(readGuide(GUIDE)).to.include('which has at most 256 KiB');
  });

  for (const [what, file] of Object.entries({
    'the receiver for Node of the guide': RECEIVER,
    'examples/webhook-receiver.ts': exampleFile('examples/webhook-receiver.ts'),
  }))
    it(`is taken by ${what}`, async () => {
      const running = await reader.serve([file], { WEBHOOK_SECRET: secret });
      expect(await post(`http://127.0.0.1:${running.port}/hook`, signed(), body)).to.be.within(200, 299);
    });

  it('is taken by Express as the guide sets it up, and not without that', async () => {
    const [, options = ''] = /`express[.]raw\((\{.*?\})\)`/.exec(readGuide(GUIDE)) ?? [];
    const [, limit] = /limit: '(\w+)'/.exec(options) ?? [];
    expect(options).to.equal(`{ type: 'application/json', limit: '${limit}' }`);
    const taken = async (settings: Parameters<typeof express.raw>[0]) => {
      const app = express();
      // Its error handler logs in every other.
      app.set('env', 'test');
      app.post('/hook', express.raw(settings), (req, res) => {
        new Webhook(secret).verify(req.body, { ...signed().headers });
        res.sendStatus(204);
      });
      const server = app.listen(0, '127.0.0.1');
      try {
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        return await post(`http://127.0.0.1:${port}/hook`, signed(), body);
      } finally {
        server.close();
      }
    };
    const type = 'application/json';
    expect(await taken({ type, ...(limit && { limit }) })).to.equal(204);
    expect(await taken({ type })).to.equal(413);
  });

  it('is verified by the recipes without a library, in Node and in the shell', async () => {
    await reader.save('verify-largest.mjs', blockUnder(BY_HAND, 'In Node', 'js'));
    const { verify } = await import(pathToFileURL(join(reader.folder, 'verify-largest.mjs')).href);
    const { headers } = signed();
    expect(verify(body, headers, secret)).to.deep.equal(JSON.parse(body));
    await reader.save('largest.json', body);
    const [recipe = ''] = blocksOf(BY_HAND)
      .filter(({ heading, language }) => heading === 'In the shell' && language === 'sh')
      .map(({ text }) => text);
    const values = { secret, id: headers['webhook-id'], timestamp: headers['webhook-timestamp'] };
    let script = recipe.replace(/^body=.*$/m, 'body=$(cat largest.json)');
    for (const [variable, value] of Object.entries(values))
      script = script.replace(new RegExp(`^${variable}=.*$`, 'm'), () => `${variable}='${value}'`);
    expect(headers['webhook-signature'].split(' ')).to.include(`v1,${(await reader.paste([script]))[0]}`);
  });

  it('is within the limits that the receivers for other languages set', () => {
    const limits = {
      'receiver.py': /LIMIT_BYTES = ([\d_]+)/,
      'main.go': /MaxBytesReader\(w, r[.]Body, (1<<20)\)/,
    };
    for (const [name, pattern] of Object.entries(limits)) {
      const [, limit = ''] = pattern.exec(readFileSync(exampleFile(`examples/receivers/${name}`), 'utf8')) ?? [];
      expect(limit === '1<<20' ? 2 ** 20 : Number(limit.replaceAll('_', '')), name).to.be.at.least(MAX_EVENT_BYTES);
    }
  });
});

/** An event whose JSON has exactly the largest size. */
function largestEvent(): string {
  const sized = (length: number) =>
    JSON.stringify({ event: 'FORENSIC_ANALYSIS_DATA', data: { text: 'x'.repeat(length) } });
  return sized(MAX_EVENT_BYTES - sized(0).length);
}

/** Sends the beginning of a request and ends the connection. */
async function breakOff(url: string): Promise<void> {
  const broken = request(url, { method: 'POST', headers: { 'content-length': 10 } });
  await new Promise((resolve) => {
    broken.on('error', resolve).on('close', resolve);
    broken.write('abc', () => broken.destroy());
  });
}

async function expectSignaturesFrom(reader: Reader): Promise<void> {
  const [recipe = '', keyOfText = ''] = blocksOf(BY_HAND)
    .filter(({ heading, language }) => heading === 'In the shell' && language === 'sh')
    .map(({ text }) => text);
  for (const vector of vectors) {
    const { name, secret, headers, body } = vector;
    const values = { secret, id: headers['webhook-id'], timestamp: headers['webhook-timestamp'], body };
    let script = recipe;
    for (const [variable, value] of Object.entries(values))
      script = script.replace(new RegExp(`^${variable}=.*$`, 'm'), () => `${variable}='${value}'`);
    if (!isComplete(secret)) script = script.replace(/^key=.*$/m, () => keyOfText);
    const [signature] = await reader.paste([script]);
    expect(headers['webhook-signature'].split(' '), name).to.include(`v1,${signature}`);
  }
}

/** Makes the service send a real event to `url` and to our own receiver, and returns what the latter received. */
async function realDelivery(url: string, secret: string): Promise<Received> {
  const test = await startTestService();
  const ours = await Receiver.start();
  try {
    const { id: tenantId } = await test.tenant('marta.ruiz+kyc-verified@mail.example');
    const tenants = [{ email: 'marta.ruiz+kyc-verified@mail.example', is_lead: true }];
    await test.alice.ok('createApplication', { body: { title: 'Flat', tenants } });
    for (const address of [url, ours.url]) await test.alice.ok('createWebhook', { body: { url: address, secret } });
    await test.alice.ok('initiateKyc', { params: { tenantId } });
    const [delivery] = await ours.next('KYC_VERIFICATION_DATA');
    if (!delivery) throw new Error('No delivery.');
    // The other one may still wait, and a service that stops starts nothing more.
    await workDone(test.service.runtime.db);
    return delivery;
  } finally {
    await ours.stop();
    await test.stop();
  }
}

async function post(url: string, { headers }: Pick<Received, 'headers'>, body: string): Promise<number> {
  const signature = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
  const sent = { 'content-type': 'application/json', ...Object.fromEntries(signature) };
  const answer = await fetch(url, { method: 'POST', headers: sent, body });
  return answer.status;
}
