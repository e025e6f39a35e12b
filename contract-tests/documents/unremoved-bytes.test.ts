import { expect } from 'chai';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { startBucket } from '../../harness/peers/bucket.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { pieces } from '../../harness/service/document-stores.ts';
import { look, submit } from '../../harness/service/links.ts';
import { startTestService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { retain } from '../../jobs/privacy/retain.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

const DAY_MS = 86_400_000;
const AS_SCRIPT = { accept: 'application/json' };

describe('what a person does while the store of documents takes new bytes and refuses to remove any', () => {
  const bucket = suiteFixture(() => startBucket('heeded'));
  const test = suiteFixture(() =>
    startTestService({ ...bucket.env, RUN_WORKERS: 'false', DOCUMENT_LIMIT_MIB: '1', MAX_UPLOADS_PER_PERSON: '1' }),
  );
  let isRefusing = true;
  let refused = 0;
  let serial = 0;
  const refuseRemovals = () =>
    bucket.beforeNext('DELETE', async () => {
      refuseRemovals();
      refused += isRefusing ? 1 : 0;
      return isRefusing ? { status: 403 } : undefined;
    });
  before(async () => {
    // The first removal probes whether the server honours conditional requests.
    await (await test.service.runtime.providers.documents.put(pieces('first of all'))).discard();
    refuseRemovals();
  });
  beforeEach(() => {
    [isRefusing, refused] = [true, 0];
  });
  /** All bytes without a document go once the store removes again. */
  afterEach(async () => {
    expect(refused).to.be.above(0);
    isRefusing = false;
    const { runtime } = test.service;
    test.setNow(new Date(Date.now() + 2 * DAY_MS));
    await retain(runtime);
    test.setNow(undefined);
    const needed = await runtime.db('documents').distinct('sha256').pluck('sha256');
    expect((await bucket.keys()).map((key) => key.slice(3))).to.have.members(needed);
    expect(await runtime.db('document_moves')).to.deep.equal([]);
  });

  const person = () => BankPerson.of(test, `uploads-${++serial}@mail.example`);
  const send = async ({ link }: BankPerson, content: Uint8Array) => {
    const body = new Uint8Array(content);
    const answer = await fetch(`${test.service.url}${link}/documents/pieces`, { method: 'POST', body });
    return String(JSON.parse(await answer.text()).ticket);
  };
  const add = async ({ link }: BankPerson, fields: Record<string, string | Blob>, headers = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ type: 'payslip', ...fields })) body.append(name, value);
    const request = { method: 'POST', body, headers, redirect: 'manual' } as const;
    const answer = await fetch(`${test.service.url}${link}/documents`, request);
    return { status: answer.status, text: await answer.text() };
  };
  const fileOf = (...lines: string[]) => new File([new Uint8Array(sampleDocument(lines))], 'payslip.pdf');
  const namesOf = async (one: BankPerson) => (await one.documents()).map(({ name, source }) => `${name} by ${source}`);

  it('a file sent in pieces is added, and the person learns it', async () => {
    const one = await person();
    const ticket = await send(one, sampleDocument(['Payslip January']));
    const { status, text } = await add(one, { name: 'payslip.pdf', ticket }, AS_SCRIPT);
    expect([status, JSON.parse(text).faults]).to.deep.equal([200, []]);
    expect(await namesOf(one)).to.deep.equal(['payslip.pdf by applicant']);
  });

  it('a file sent in pieces that is refused is refused with its reason', async () => {
    const one = await person();
    const ticket = await send(one, Buffer.from('no document at all'));
    const { status, text } = await add(one, { name: 'letter.txt', ticket }, AS_SCRIPT);
    expect(status).to.equal(200);
    expect(JSON.parse(text).faults[0].message).to.include('PDF');
  });

  it('a document is replaced and removed', async () => {
    const one = await person();
    const shown = async () =>
      /documents\/([\w-]+)\/remove"/.exec((await look(test, `${one.link}/documents`)).text)?.[1] ?? '';
    for (const month of ['January', 'February', 'March'])
      expect((await add(one, { replaces: await shown(), file: fileOf(`Payslip ${month}`) })).status, month).to.equal(
        303,
      );
    expect((await submit(test, `${one.link}/documents/${await shown()}/remove`, {})).status).to.equal(303);
    expect(await shown()).to.equal('');
  });

  it('a bank statement is withdrawn', async () => {
    const one = await person();
    await one.consent({ code: 'salary' });
    await workOn(test.service.runtime, 'fetch-bank', (await one.latest()).id);
    expect((await one.act('hand-in')).status).to.equal(303);
    expect(await one.documents()).to.have.length(1);
    expect((await one.act('withdraw')).status).to.equal(303);
    expect(await one.documents()).to.deep.equal([]);
  });
});
