import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { addTenant } from '../../db/applications/tenants.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { eventually } from '../../harness/process/signals.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { sendStream } from '../../http/edge/send-stream.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { startLoggedService } from '../edge/logged-service.ts';

databases('either');

const GUEST = 'leaves@mail.example';

describe('a transfer that ends early', () => {
  const logged = suiteFixture(() => startLoggedService({ RUN_WORKERS: 'false' }));
  const link = suiteFixture(async () => {
    const { client } = logged;
    await client.authenticate();
    const tenants = ['lead@mail.example', GUEST].map((email, index) => ({ email, is_lead: index === 0 }));
    const { application_id } = (await client.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const path = await invitationPath(logged, application_id, GUEST);
    expect((await submit(logged, path, { answer: 'accept' })).status).to.equal(303);
    return { path };
  });

  /** @returns the messages of the log since the request that was cut off, which has ended */
  const afterCutOff = async (leave: () => Promise<void>) => {
    const before = logged.lines().length;
    const since = () => logged.lines().slice(before);
    await leave();
    await eventually('the request has ended', () => since().some(({ status }) => status === 'aborted'));
    await submit(logged, link.path, {});
    return since().map(({ msg }) => msg);
  };

  it('is no failure of the service when a piece of a file does not arrive whole', async () => {
    const { hostname, port, host } = new URL(logged.service.url);
    const messages = await afterCutOff(async () => {
      const socket = connect(Number(port), hostname);
      const head = [
        `POST ${link.path}/documents/pieces HTTP/1.1`,
        ...[`Host: ${host}`, 'Content-Length: 300000', 'Expect: 100-continue'],
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      const [begun] = await once(socket, 'data');
      expect(String(begun)).to.match(/^HTTP\/1.1 100 /);
      socket.write('x'.repeat(1000));
      socket.destroy();
    });
    expect(messages).to.not.include('request failed');
  });

  it('is no failure of the service when a reader leaves the copy of their data', async () => {
    const { runtime } = logged.service;
    const document = { name: 'long.pdf', content: Readable.from([randomBytes(8 * 1024 * 1024)]) };
    await storingDocuments(runtime, [document], async (trx, stored) => {
      const { tenant } = await addTenant(trx, { email: GUEST, name: 'Guest' }, new Date());
      await addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenant.id), stored, 'operator', new Date());
    });
    const messages = await afterCutOff(async () => {
      const leaving = new AbortController();
      const answer = await fetch(`${logged.service.url}${link.path}/data/copy`, {
        method: 'POST',
        body: new URLSearchParams(),
        signal: leaving.signal,
      });
      expect(answer.status).to.equal(200);
      leaving.abort();
    });
    expect(messages).to.not.include('request failed');
  });
});

describe('a download', () => {
  /** Sends content to a reader who never reads. @returns how it ended */
  const sendTo = async (content: () => AsyncIterable<Uint8Array>, mostMs: number) => {
    const ended = Promise.withResolvers<string>();
    const server = createServer((_req, res) => {
      sendStream(res, content(), mostMs).then(
        () => ended.resolve('ended'),
        (error) => ended.resolve(String(error)),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('It listens at no port.');
    const socket = connect(address.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const outcome = await ended.promise;
    socket.destroy();
    server.close();
    return outcome;
  };

  it('ends after its time when its reader has stopped reading', async () => {
    async function* endless() {
      for (;;) yield Buffer.alloc(64 * 1024);
    }
    expect(await sendTo(endless, 50)).to.equal('ended');
  });

  it('throws the errors of its content', async () => {
    async function* broken() {
      yield Buffer.from('begins');
      throw new Error('cannot be read');
    }
    expect(await sendTo(broken, 60_000)).to.equal('Error: cannot be read');
  });
});
