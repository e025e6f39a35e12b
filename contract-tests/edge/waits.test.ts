import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { addTenant } from '../../db/applications/tenants.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { type TestService, useService } from '../../harness/service/service.ts';
import { ofTheirKey } from '../../harness/service/tenant-of-key.ts';
import { addDocuments, storingDocuments } from '../../jobs/documents/add-document.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

const GUEST = 'waits@mail.example';
const MIB = 1024 * 1024;
/** More than the kernel buffers of a connection. */
const SIZE = 24 * MIB;

const open = new Set<Socket>();

function closeAll(): void {
  for (const socket of open) socket.destroy();
}

/** @param isHalfOpen whether the caller may send after the service has ended its side */
function begin({ service }: TestService, text: string, isHalfOpen = false): Socket {
  const { hostname, port } = new URL(service.url);
  const where = { port: Number(port), host: hostname, allowHalfOpen: isHalfOpen };
  const socket = connect(where).on('error', () => {});
  socket.setMaxListeners(0).write(text);
  open.add(socket);
  return socket;
}

const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));
const head = (path: string, ...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: api', ...lines, '', ''].join('\r\n');

/** The link of a guest who agreed. */
async function linkOf(test: TestService): Promise<{ path: string }> {
  const tenants = ['lead@mail.example', GUEST].map((email, index) => ({ email, is_lead: index === 0 }));
  const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
  const path = await invitationPath(test, application_id, GUEST);
  expect((await submit(test, path, { answer: 'accept' })).status).to.equal(303);
  return { path };
}

describe('waiting', () => {
  const test = useService({
    RUN_WORKERS: 'false',
    HTTP_BODY_SECONDS: '600',
    HTTP_STALL_SECONDS: '1',
    DOCUMENT_LIMIT_MIB: '25',
  });
  const link = suiteFixture(() => linkOf(test));
  afterEach(closeAll);

  /** The service's side of the next connection. */
  const acceptedNext = () =>
    new Promise<Socket>((resolve) => {
      const accept = (message: unknown) => {
        unsubscribe('net.server.socket', accept);
        const { socket } = Object(message);
        if (socket instanceof Socket) resolve(socket);
      };
      subscribe('net.server.socket', accept);
    });
  /** How the service ends a caller who stops sending, which takes as long as any stall. */
  const stalledUpload = async (): Promise<string> => {
    const socket = begin(test, `${head(`${link.path}/documents/pieces`, 'Content-Length: 300000')}%PDF-`);
    const text = Readable.from(socket.setEncoding('utf8')).toArray();
    return (await text).join('');
  };

  it('ends an upload that makes no progress, with an answer', async () => {
    expect(await stalledUpload()).to.match(/^HTTP\/1\.1 408 /);
  });

  it('ends a download whose reader has stopped reading', async () => {
    const { runtime } = test.service;
    const document = { name: 'long.pdf', content: Readable.from([randomBytes(SIZE)]) };
    await storingDocuments(runtime, [document], async (trx, stored) => {
      const { tenant } = await addTenant(trx, { email: GUEST, name: 'Guest' }, new Date());
      await addDocuments(trx, runtime.queue, await ofTheirKey(trx, tenant.id), stored, 'operator', new Date());
    });
    const type = 'Content-Type: application/x-www-form-urlencoded';
    const ofService = acceptedNext();
    const socket = begin(test, head(`${link.path}/data/copy`, type, 'Content-Length: 0'));
    await new Promise((resolve) => socket.once('readable', resolve));
    await closed(await ofService);
    let bytes = 0;
    socket.on('data', ({ length }) => {
      bytes += length;
    });
    await closed(socket);
    expect(bytes).to.be.within(1, SIZE - 1);
  });

  it('for the service itself ends no request, however long a file is inspected', async () => {
    const { forensics } = test.service.runtime;
    const { inspect } = forensics;
    const begun = Promise.withResolvers<void>();
    const inspected = Promise.withResolvers<void>();
    forensics.inspect = async () => {
      begun.resolve();
      await inspected.promise;
      return {};
    };
    try {
      const body = new FormData();
      body.append('type', 'payslip');
      body.append('file', new Blob([new Uint8Array(sampleDocument(['Payslip']))]), 'payslip.pdf');
      const upload = fetch(`${test.service.url}${link.path}/documents`, { method: 'POST', body, redirect: 'manual' });
      const status = upload.then(
        (answer) => answer.status,
        (error) => String(error.cause ?? error),
      );
      await begun.promise;
      for (let stalls = 0; stalls < 3; stalls++) await stalledUpload();
      inspected.resolve();
      expect(await status).to.equal(303);
    } finally {
      forensics.inspect = inspect;
    }
  });
});

/** Between the pieces of an upload by a slow line, which takes longer than the service waits for a caller who is silent. */
const PAUSE_MS = 120;

/** With the default waits: where this process stands still, its own side of the connection is silent, too. */
describe('the rest of a refused upload', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const link = suiteFixture(() => linkOf(test));
  afterEach(closeAll);

  it('is read, so that its sender can read the answer', async () => {
    for (const path of [`${link.path}/documents/pieces`, '/invitation/unknown/documents']) {
      const length = 20 * MIB;
      const socket = begin(test, head(path, `Content-Length: ${length}`, 'Upload-Ticket: forged'));
      const failures: Error[] = [];
      socket.on('error', (error) => failures.push(error));
      const answer: string[] = [];
      // Like a browser, which reads no answer before it has sent everything.
      const piece = Buffer.alloc(MIB);
      for (let sent = 0; sent < length; sent += piece.length)
        await new Promise((resolve) => {
          socket.once('close', resolve);
          setTimeout(() => socket.write(piece, resolve), PAUSE_MS);
        });
      expect(failures.map(String), path).to.deep.equal([]);
      socket.setEncoding('utf8').on('data', (text) => answer.push(String(text)));
      await closed(socket);
      expect(failures.map(String), path).to.deep.equal([]);
      expect(answer.join(''), path).to.match(/^HTTP\/1\.1 4(04|09) /);
    }
  });
});

describe('a caller who still sends after the answer', () => {
  const test = useService({ RUN_WORKERS: 'false', HTTP_HEADER_SECONDS: '1', HTTP_BODY_SECONDS: '1' });
  afterEach(closeAll);

  const framings: Record<string, [header: string, piece: string]> = {
    'of a long body': [`Content-Length: ${MIB}`, 'x'],
    'of a short body': ['Content-Length: 1000', 'x'],
    'of a body in chunks': ['Transfer-Encoding: chunked', '1\r\nx\r\n'],
    'of a body in chunks before the connection closes': [
      'Connection: close\r\nTransfer-Encoding: chunked',
      '1\r\nx\r\n',
    ],
    'of a chunk without an end': ['Transfer-Encoding: chunked', '0'],
  };
  for (const [what, [header, piece]] of Object.entries(framings))
    it(`has the time of a request for the rest ${what}, and no more`, async () => {
      const socket = begin(test, head('/invitation/unknown/documents', header), true);
      socket.resume();
      const dripping = setInterval(() => socket.write(piece), PAUSE_MS);
      await closed(socket).finally(() => clearInterval(dripping));
      expect(socket.bytesWritten).to.be.below(MIB);
    }).timeout(15_000);
});
