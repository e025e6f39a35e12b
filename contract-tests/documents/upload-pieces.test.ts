import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { startServiceProcess } from '../../harness/process/process.ts';
import { until } from '../../harness/process/until.ts';
import { Admin } from '../../harness/service/admin.ts';
import type { Client } from '../../harness/service/client.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { erasePerson } from '../../jobs/privacy/privacy-erase.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

const DAY_MS = 86_400_000;
const PIECE = new Uint8Array(900 * 1024);
/** Two documents of 1 MiB, twice. */
const LINK_PIECES = 4;
/** `UNFINISHED_UPLOADS_MIB`, as pieces. */
const KEY_PIECES = 7;

const SETTINGS = {
  RUN_WORKERS: 'false',
  DOCUMENT_LIMIT_MIB: '1',
  MAX_UPLOADS_PER_PERSON: '2',
  UNFINISHED_UPLOADS_MIB: '7',
};

describe('pieces of unfinished uploads', () => {
  let serial = 0;
  const test = useService(SETTINGS);
  afterEach(async () => {
    test.setNow(new Date(Date.now() + 2 * DAY_MS));
    await retain(test.service.runtime);
    test.setNow(new Date());
  });

  const invited = async (client: Client = test.alice) => {
    const guest = `sends-${++serial}@mail.example`;
    const tenants = [`lead-of-${guest}`, guest].map((email) => ({ email, is_lead: email !== guest }));
    const { application_id } = (await client.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const path = await invitationPath(test, application_id, guest);
    await submit(test, path, { answer: 'accept' });
    return { guest, page: `${path}/documents` };
  };
  const send = async (page: string, body: Uint8Array = PIECE, base = test.service.url) => {
    const answer = await fetch(`${base}${page}/pieces`, { method: 'POST', body: new Uint8Array(body) });
    return { status: answer.status, ticket: String(JSON.parse(await answer.text()).ticket) };
  };
  const sendAll = async (page: string, count: number, base?: string) => {
    const answers = await Promise.all(Array.from({ length: count }, () => send(page, PIECE, base)));
    expect(answers.every(({ status }) => [200, 409].includes(status))).to.equal(true);
    return answers.filter(({ status }) => status === 200).length;
  };
  const finish = (page: string, ticket: string) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ type: 'payslip', name: 'payslip.pdf', ticket }))
      body.append(name, value);
    return fetch(test.service.url + page, { method: 'POST', body, headers: { accept: 'application/json' } });
  };
  const rows = () => test.service.runtime.db('upload_pieces');
  const kept = async () =>
    (await Array.fromAsync(test.service.runtime.providers.documents.kept())).map(({ sha256 }) => sha256);

  it('are bounded per person, in all processes together', async () => {
    const { page } = await invited();
    const other = await startServiceProcess({ ...new Admin(test).env, ...SETTINGS });
    try {
      const arrived = await Promise.all([sendAll(page, 5), sendAll(page, 5, other.url)]);
      expect(arrived.reduce((sum, count) => sum + count)).to.equal(LINK_PIECES);
    } finally {
      await other.kill();
    }
  });

  it('leave nothing behind when the line breaks before they are read, however often', async () => {
    const { page } = await invited();
    const { hostname, port } = new URL(test.service.url);
    const head = [`POST ${page}/pieces HTTP/1.1`, 'Host: api', `Content-Length: ${PIECE.length}`, '', ''].join('\r\n');
    for (let sent = 0; sent < 5 * LINK_PIECES; sent++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      await new Promise((written) => socket.write(head + 'x'.repeat(1_000), written));
      await setTimeout(sent % 5);
      socket.resetAndDestroy();
    }
    await until('the broken pieces are forgotten', async () => (await rows()).length === 0);
    expect(await sendAll(page, LINK_PIECES)).to.equal(LINK_PIECES);
  });

  it('are bounded per API key, and another key’s are not affected', async () => {
    const links = [await invited(), await invited(), await invited()];
    const arrived = await Promise.all(links.map(({ page }) => sendAll(page, 4)));
    expect(arrived.reduce((sum, count) => sum + count)).to.equal(KEY_PIECES);
    const others = await invited(test.charlie);
    expect(await sendAll(others.page, 4)).to.equal(LINK_PIECES);
  });

  it('make one document, however often their ticket is sent, and then are gone', async () => {
    const { guest, page } = await invited();
    const before = new Set(await kept());
    const { ticket } = await send(page, sampleDocument(['Payslip January']));
    const { forensics } = test.service.runtime;
    const { inspect } = forensics;
    let inspections = 0;
    forensics.inspect = (...document) => {
      inspections += 1;
      return inspect(...document);
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(page, ticket)));
    forensics.inspect = inspect;
    expect(inspections).to.equal(1);
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array<number>(19).fill(409)]);
    const documents = test.service.runtime.db('documents').join('tenants', 'tenants.id', 'documents.tenant_id');
    const stored = await documents.where({ email: guest }).select('sha256');
    expect(stored).to.have.length(1);
    expect(await rows()).to.deep.equal([]);
    expect((await kept()).filter((digest) => !before.has(digest))).to.deep.equal(stored.map(({ sha256 }) => sha256));
  });

  it('make documents of which each is inspected among those of its person only', async () => {
    const { forensics } = test.service.runtime;
    const { inspect } = forensics;
    const persons: string[] = [];
    forensics.inspect = (document, today, person) => {
      persons.push(person);
      return inspect(document, today, person);
    };
    const [one, other] = [await invited(), await invited()];
    for (const { page } of [one, other, one]) {
      const { ticket } = await send(page, sampleDocument(['Payslip March']));
      expect((await finish(page, ticket)).status).to.equal(200);
    }
    forensics.inspect = inspect;
    expect(persons[2]).to.equal(persons[0]);
    expect(persons[1]).to.not.equal(persons[0]);
  });

  it('are removed with a file that is refused', async () => {
    const { page } = await invited();
    const { ticket } = await send(page, Buffer.from('no document at all'));
    const before = (await kept()).length;
    expect(JSON.parse(await (await finish(page, ticket)).text()).faults).to.have.length(1);
    expect(await rows()).to.deep.equal([]);
    expect((await kept()).length).to.equal(before - 1);
  });

  it('can be completed again after a failure of the service', async () => {
    const { page } = await invited();
    const { ticket } = await send(page, sampleDocument(['Payslip February']));
    const { forensics } = test.service.runtime;
    const { inspect } = forensics;
    forensics.inspect = async () => {
      throw new Error('No process can be started.');
    };
    expect((await finish(page, ticket)).status).to.equal(500);
    forensics.inspect = inspect;
    expect((await finish(page, ticket)).status).to.equal(200);
  });

  it('make a document that the person learns of although nothing can be said about it', async () => {
    const { page } = await invited();
    const { ticket } = await send(page, sampleDocument(['Payslip April']));
    const { db, forensics } = test.service.runtime;
    const { inspect } = forensics;
    // Only pages read this table.
    forensics.inspect = async (...document) => {
      await db.schema.renameTable('document_requests', 'unreachable');
      return inspect(...document);
    };
    const answer = await finish(page, ticket).finally(() => db.schema.renameTable('unreachable', 'document_requests'));
    forensics.inspect = inspect;
    expect([answer.status, await answer.json()]).to.deep.equal([200, { faults: [], answers: [] }]);
  });

  it('are removed a day after they arrived, by the periodic duty', async () => {
    const { page } = await invited();
    const before = (await kept()).length;
    expect(await sendAll(page, 2)).to.equal(2);
    const { runtime } = test.service;
    test.setNow(new Date(Date.now() + DAY_MS / 2));
    await retain(runtime);
    expect(await kept()).to.have.length(before + 2);
    test.setNow(new Date(Date.now() + DAY_MS + 60_000));
    await retain(runtime);
    expect(await rows()).to.deep.equal([]);
    expect(await kept()).to.have.length(before);
    test.setNow(new Date());
    expect(await sendAll(page, 5)).to.equal(LINK_PIECES);
  });

  it('are erased with their person, whom a piece under way does not outlive', async () => {
    const { guest, page } = await invited();
    const before = (await kept()).length;
    const { runtime } = test.service;
    const { put } = runtime.providers.documents;
    expect(await sendAll(page, 2)).to.equal(2);
    const erase = () => erasePerson(runtime, guest, { note: async () => {} });
    runtime.providers.documents.put = async (...given) => {
      const stored = await put(...given);
      await erase();
      return stored;
    };
    try {
      expect((await send(page)).status).to.equal(409);
    } finally {
      runtime.providers.documents.put = put;
    }
    expect(await rows()).to.deep.equal([]);
    expect(await kept()).to.have.length(before);
  });
});
