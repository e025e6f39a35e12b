import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { addTenant } from '../../db/applications/tenants.ts';
import { databases } from '../../harness/database/dialect.ts';
import { until } from '../../harness/process/until.ts';
import type { Client } from '../../harness/service/client.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

/** More than the kernel buffers of a connection. */
const SIZE = 12 * 1024 * 1024;
const COPIES = 20;
/** Twice as many as are inspected at once. */
const UPLOADS = 4;
/** How many copies of one person may wait for the one under way. */
const MAX_COPIES_WAITING = 100;

describe('one landlord’s applicants leave those of another their share', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false', DOCUMENT_LIMIT_MIB: '25', FORENSIC_PARALLEL: '2' });
  const open = new Set<Socket>();
  afterEach(() => {
    for (const socket of open) socket.destroy();
  });

  const accepted = async (client: Client) => {
    const email = `guest-${++serial}@mail.example`;
    const tenants = [`lead-of-${email}`, email].map((address) => ({ email: address, is_lead: address !== email }));
    const { application_id } = (await client.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const path = await invitationPath(test, application_id, email);
    expect((await submit(test, path, { answer: 'accept' })).status).to.equal(303);
    return { email, path, applicationId: application_id };
  };
  /** All of them have the same large document, for the key of their application. */
  const giveDocument = async (people: readonly { email: string; applicationId: string }[]) => {
    const { runtime } = test.service;
    const document = { name: 'long.pdf', content: Readable.from([randomBytes(SIZE)]) };
    await storingDocuments(runtime, [document], async (trx, stored) => {
      for (const { email, applicationId } of people) {
        const application = await trx('applications').where({ id: applicationId }).first('api_key_id');
        const { tenant } = await addTenant(trx, { email, name: 'Guest' }, new Date());
        const of = { tenant_id: tenant.id, api_key_id: application?.api_key_id ?? '' };
        await addDocuments(trx, runtime.queue, of, stored, 'operator', new Date());
      }
    });
  };

  /** Reads none of it. */
  const askForCopy = (path: string) => {
    const { hostname, port } = new URL(test.service.url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    socket.write([`POST ${path}/data/copy HTTP/1.1`, 'Host: api', 'Content-Length: 0', '', ''].join('\r\n'));
    return socket;
  };

  /** The addresses of the requests whose answers were handed to the kernel completely. */
  const answered = new Set<string>();
  const note = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('request' in message)) return;
    if (message.request instanceof IncomingMessage) answered.add(message.request.url ?? '');
  };
  before(() => subscribe('http.server.response.finish', note));
  after(() => unsubscribe('http.server.response.finish', note));

  it('when twenty ask for copies of their data and read none', async () => {
    const ours = await Promise.all(
      Array.from({ length: COPIES }, (_, at) => accepted(at % 2 === 0 ? test.alice : test.bob)),
    );
    // The second one shares a key with ten of the twenty: applicants who do not read must not even hold the turns of their own key.
    const others = [await accepted(test.charlie), await accepted(test.bob)];
    await giveDocument([...ours, ...others]);
    for (const { path } of ours) askForCopy(path);
    for (const { path } of others) {
      const answer = await fetch(`${test.service.url}${path}/data/copy`, { method: 'POST' });
      expect(answer.status).to.equal(200);
      expect((await answer.arrayBuffer()).byteLength).to.be.above(SIZE);
    }
    expect(open.size, 'the others have read nothing yet').to.equal(COPIES);
    // Express leaves out what its routers have matched.
    const whole = ({ path }: { path: string }) =>
      [...answered].some((address) => address.endsWith(`${path.slice(path.lastIndexOf('/'))}/data/copy`));
    expect(others.every(whole), 'these copies were sent').to.equal(true);
    expect(ours.filter(whole), 'and none of the others fits the kernel’s buffers').to.deep.equal([]);
  });

  it('and a person who is refused meanwhile reads when to ask again, in their language', async () => {
    const person = await accepted(test.alice);
    await giveDocument([person]);
    await once(askForCopy(person.path), 'readable');
    for (let copy = 0; copy < MAX_COPIES_WAITING; copy++) askForCopy(person.path);
    const ask = (accept: string) =>
      fetch(`${test.service.url}${person.path}/data/copy`, {
        method: 'POST',
        headers: { accept, 'accept-language': 'de' },
      });
    const page = await ask('text/html');
    expect([page.status, page.headers.get('retry-after')]).to.deep.equal([503, '1']);
    const text = await page.text();
    expect(text).to.include('<html lang="de"').and.include('Im Moment ist hier sehr viel los');
    expect(text, 'a form is not sent again automatically').to.not.include('http-equiv="refresh"');
    const envelope = await ask('application/json');
    expect([envelope.status, envelope.headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(await envelope.json()).to.have.property('status', 'error');
  });

  it('when their files take long to inspect', async () => {
    const { forensics } = test.service.runtime;
    const { inspect } = forensics;
    const held = Promise.withResolvers<void>();
    let [asked, underWay, most] = [0, 0, 0];
    async function* slowly(content: AsyncIterable<Uint8Array>) {
      underWay += 1;
      most = Math.max(most, underWay);
      await held.promise;
      yield* content;
      underWay -= 1;
    }
    forensics.inspect = (document, ...rest) => {
      asked += 1;
      const isSlow = document.name === 'slow.pdf';
      return inspect(isSlow ? { ...document, read: () => slowly(document.read()) } : document, ...rest);
    };
    const upload = async (path: string, name: string) => {
      const body = new FormData();
      body.append('type', 'payslip');
      body.append('file', new Blob([new Uint8Array(sampleDocument([`Payslip of ${path}`]))]), name);
      return (await fetch(`${test.service.url}${path}/documents`, { method: 'POST', body, redirect: 'manual' })).status;
    };
    try {
      const ours = await Promise.all(Array.from({ length: UPLOADS }, () => accepted(test.alice)));
      const slow = ours.map(({ path }) => upload(path, 'slow.pdf'));
      await until('one is inspected, and the others wait for it', () => underWay > 0 && asked === UPLOADS);
      const other = await accepted(test.charlie);
      expect(await upload(other.path, 'quick.pdf')).to.equal(303);
      held.resolve();
      expect(await Promise.all(slow)).to.deep.equal(Array<number>(UPLOADS).fill(303));
      expect(most, 'inspections of one key at once').to.equal(1);
    } finally {
      forensics.inspect = inspect;
    }
  });
});
