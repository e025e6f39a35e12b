import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { EICAR, type ScannerFault, VirusScanner } from '../../harness/peers/virus-scanner.ts';
import { Admin } from '../../harness/service/admin.ts';
import { startEidWorld } from '../../harness/service/eid-world.ts';
import { inspectedTogether } from '../../harness/service/inspected-together.ts';
import { invitationPath, submit } from '../../harness/service/links.ts';
import { workOn } from '../../harness/service/work.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

/** Those that answer at once; `providers/clamd` shows that silence ends in the same way. */
const FAULTS: readonly (ScannerFault | 'absent')[] = ['ends', 'no memory', 'nonsense', 'absent'];
const AWAY = 'Wir können Dateien gerade nicht prüfen';
const PIECE = { 'content-type': 'application/octet-stream' };

describe('with a virus scanner', () => {
  const scanner = suiteFixture(() => VirusScanner.start());
  const world = suiteFixture(() => startEidWorld({ ...scanner.env, RUN_WORKERS: 'false', EID_ACR_VALUES: '' }));
  inspectedTogether(() => world.test);
  let serial = 0;

  const accepted = async (as = world.test.alice) => {
    const [lead, email] = [`lead-${++serial}@mail.example`, `guest-${serial}@mail.example`];
    const tenants = [lead, email].map((one) => ({ email: one, is_lead: one === lead }));
    const { application_id } = (await as.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const link = await invitationPath(world.test, application_id, email);
    await submit(world.test, link, { answer: 'accept' });
    return { email, page: `${world.test.service.url}${link}/documents` };
  };
  const post = (page: string, fields: Record<string, string | Blob>, headers: Record<string, string> = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, value, 'payslip.pdf');
    const accept = { accept: 'text/html', 'accept-language': 'de' };
    return fetch(page, { method: 'POST', body, headers: { ...accept, ...headers }, redirect: 'manual' });
  };
  const pdf = () => new Uint8Array(sampleDocument([`Payslip of month ${++serial}`]));
  const upload = (page: string, bytes: Uint8Array<ArrayBuffer> = pdf()) =>
    post(page, { type: 'payslip', file: new Blob([bytes]) });
  const rowsOf = (email: string) =>
    world.test.service.runtime
      .db('documents')
      .join('tenants', 'tenants.id', 'documents.tenant_id')
      .where({ email })
      .select('documents.id');
  const stored = async () =>
    (await readdir(join(world.test.folder, 'documents'), { recursive: true })).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    );
  const failing = async (fault: ScannerFault | 'absent', work: () => Promise<void>) => {
    if (fault === 'absent') await scanner.stop();
    else scanner.fault = fault;
    try {
      await work();
    } finally {
      if (fault === 'absent') await scanner.listen();
      scanner.fault = undefined;
    }
  };

  it('a document is accepted once the scanner has read all of it', async () => {
    const { email, page } = await accepted();
    const bytes = pdf();
    expect((await upload(page, bytes)).status).to.equal(303);
    expect(scanner.scanned.at(-1)?.equals(Buffer.from(bytes))).to.equal(true);
    expect(await rowsOf(email)).to.have.length(1);
  });

  it('the EICAR file is refused to the person in their language and leaves nothing behind', async () => {
    const { email, page } = await accepted();
    const before = await stored();
    const answer = await upload(page, new TextEncoder().encode(EICAR));
    expect(answer.status).to.equal(400);
    expect(await answer.text()).to.include('Ein Virenscanner beanstandet diese Datei');
    expect(await rowsOf(email)).to.deep.equal([]);
    expect(await stored()).to.deep.equal(before);
  });

  for (const fault of FAULTS)
    it(`no document is accepted while the scanner is: ${fault}; the person is asked to try again later, and can`, async () => {
      const { email, page } = await accepted();
      const before = await stored();
      const bytes = pdf();
      await failing(fault, async () => {
        const answer = await upload(page, bytes);
        expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '60']);
        expect(await answer.text()).to.include(AWAY);
        expect(await rowsOf(email)).to.deep.equal([]);
        expect(await stored()).to.deep.equal(before);
      });
      expect((await upload(page, bytes)).status).to.equal(303);
      expect(await rowsOf(email)).to.have.length(1);
    });

  it('an upload in pieces keeps them while the scanner is absent, and ends once it is back', async () => {
    const { email, page } = await accepted();
    const sent = await fetch(`${page}/pieces`, { method: 'POST', body: pdf(), headers: PIECE });
    const { ticket } = JSON.parse(await sent.text());
    const finish = () => post(page, { type: 'payslip', name: 'payslip.pdf', ticket }, { accept: 'application/json' });
    await failing('absent', async () => {
      expect((await finish()).status).to.equal(503);
    });
    const answer = await finish();
    expect([answer.status, JSON.parse(await answer.text()).faults]).to.deep.equal([200, []]);
    expect(await rowsOf(email)).to.have.length(1);
  });

  it('a party that uploads much leaves the others half of the scans', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: full, resolve: filled } = Promise.withResolvers<void>();
    let waiting = 0;
    const pages = await Promise.all(Array.from({ length: 6 }, () => accepted()));
    const other = await accepted(world.test.charlie);
    scanner.onScan = () => {
      if (++waiting === 2) filled();
      return released;
    };
    const flood = pages.map(({ page }) => upload(page));
    await full;
    scanner.onScan = undefined;
    expect((await upload(other.page)).status).to.equal(303);
    expect(waiting, 'scans of the party that floods').to.equal(2);
    release();
    for (const { status } of await Promise.all(flood)) expect(status).to.equal(303);
  });

  it('documents of a national eID are scanned: a failure of the scanner delays the event, a virus ends the flow without it', async () => {
    const { runtime } = world.test.service;
    const work = async (tenantId: string) => {
      const { id = '' } = (await world.flow(tenantId)) ?? {};
      await runtime.db('eid_flows').where({ id }).update({ due_at: '2026-01-01T00:00:00.000Z', leased_by: null });
      await workOn(runtime, 'complete-eid', id);
    };
    const one = await world.person();
    await one.authorize();
    await failing('absent', () => work(one.tenantId));
    expect(await world.documents(one.tenantId)).to.deep.equal([]);
    expect(await world.events(one.tenantId)).to.deep.equal([]);
    await work(one.tenantId);
    expect(await world.documents(one.tenantId)).to.have.length(1);
    expect(await world.events(one.tenantId)).to.deep.equal(['EID_SUCCESS']);
    const other = await world.person();
    await other.authorize();
    scanner.signatures.push('Ada Lovelace');
    await work(other.tenantId);
    scanner.signatures.pop();
    expect(await world.status(other.tenantId)).to.equal('failed');
    expect(await world.documents(other.tenantId)).to.deep.equal([]);
    expect(await world.events(other.tenantId)).to.deep.equal([]);
  });

  it('the command line stores nothing, and says why', async () => {
    const { id } = await world.test.tenant('cli@mail.example', { of: world.test.alice });
    const admin = new Admin(world.test, { ...scanner.env });
    const add = () => admin.refused(1, ['document', 'add', id, 'README.md']);
    scanner.signatures.push('# Tenant Screening');
    expect(await add()).to.include('The virus scanner found');
    scanner.signatures.pop();
    await failing('absent', async () => {
      expect(await add()).to.include('The virus scanner does not answer (ECONNREFUSED)');
    });
  });
});
