import { createForensicEngine } from '@tenant-screening/forensics/analyse';
import { HANDED_IN, handedFile } from '@tenant-screening/forensics-corpus/sets/handed-in.ts';
import { expect } from 'chai';
import sharp from 'sharp';
import type { LandlordSettings } from '../../core/rules/landlord-settings.ts';
import { answersOn, type HandedIn } from '../../core/rules/upload-answers.ts';
import { DAY_MS } from '../../core/time.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { databases } from '../../harness/database/dialect.ts';
import { send } from '../../harness/service/client.ts';
import { inspectedTogether } from '../../harness/service/inspected-together.ts';
import { invitationPath, look, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { deleteRemovedUploads } from '../../jobs/documents/removed-uploads.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { judgedAnswers } from '../../scripts/answers/judged-answers.ts';

databases('either');

/** One file of each case that needs no OCR, in several languages. */
const SAMPLE = [0, 2, 4, 5, 10, 14, 47];

describe('a person who hands in a document', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false', MAX_UPLOADS_PER_PERSON: '3' });
  inspectedTogether(() => test);
  afterEach(() => test.setNow(new Date()));

  const settings = (change: Partial<LandlordSettings>) =>
    inTransaction(test.service.runtime.db, (trx) => setLandlordSettings(trx, test.landlords.ours, change));
  const person = async () => {
    const email = `hands-in-${++serial}@mail.example`;
    const tenants = [email, `lead-of-${email}`].map((one) => ({ email: one, is_lead: one !== email }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const path = await invitationPath(test, application_id, email);
    await submit(test, path, { answer: 'accept' });
    await submit(test, path, { name: 'Jonas Weber' });
    return { email, path, page: `${path}/documents` };
  };
  const hand = async (page: string, type: string, bytes: Uint8Array, accept = 'text/html') => {
    const body = new FormData();
    body.append('type', type);
    body.append('file', new Blob([new Uint8Array(bytes)]), 'file.pdf');
    const answer = await fetch(test.service.url + page, {
      method: 'POST',
      body,
      headers: { accept },
      redirect: 'manual',
    });
    return { status: answer.status, text: await answer.text() };
  };
  const shown = async (page: string) => (await look(test, page)).text;
  const ids = (page: string, what: string) =>
    [...page.matchAll(new RegExp(`documents/([\\w-]+)/${what}"`, 'g'))].map(([, id]) => id ?? '');

  it('reads the right answer about each of a few mixed files, of the right kind, old, cut short or expired', async () => {
    const engine = createForensicEngine();
    try {
      for await (const { file, answers, isRight } of judgedAnswers(engine, 'suite', SAMPLE))
        expect(isRight, `${file.name}: ${JSON.stringify(answers)}`).to.equal(true);
    } finally {
      await engine.close();
    }
  });

  it('reads on the page, and in the answer to the script, that it looks like another kind, and may correct that', async () => {
    const { email, page } = await person();
    const { bytes } = await handedFile('suite', 2);
    expect((await hand(page, 'bank_statement', bytes)).status).to.equal(303);
    const text = await shown(page);
    expect(text)
      .to.include('This looks like another kind of document: Payslip.')
      .and.include('You can leave the document as it is.');
    const scripted = JSON.parse(
      (await hand(page, 'identity', Buffer.concat([bytes, Buffer.from('\n% two')]), 'application/json')).text,
    );
    expect(scripted).to.deep.equal({ faults: [], answers: ['This looks like another kind of document: Payslip.'] });
    const [first = ''] = ids(text, 'kind');
    await submit(test, `${page}/${first}/kind`, { type: 'payslip' });
    await submit(test, `${page}/${first}/kind`, { type: 'poem' });
    const other = await person();
    await submit(test, `${other.page}/${first}/kind`, { type: 'other' });
    const rows = await test.service.runtime
      .db('documents')
      .join('tenants', 'tenants.id', 'tenant_id')
      .where({ email })
      .orderBy('documents.created_at')
      .pluck('type');
    // Both were accepted: an answer is no refusal.
    expect(rows.sort()).to.deep.equal(['identity', 'payslip']);
  });

  it('reads that it is too old for the landlord’s list, that pages are missing, and that a picture is worse than the file', async () => {
    await settings({ documents: 'bank_statement:1:3, payslip:3:3' });
    const { page } = await person();
    const [old, cut] = [await handedFile('suite', 4), await handedFile('suite', 5)];
    for (const { says, bytes } of [old, cut]) await hand(page, says, bytes);
    const grey = await sharp({ create: { width: 300, height: 400, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    await hand(page, 'payslip', grey);
    const text = await shown(page);
    expect(text).to.match(
      /The newest date in it is \d+ \w+ 20\d\d\. The landlord wants one that is no older than 3 months\./,
    );
    expect(text).to.include(`Page ${cut.lost[0]} is missing.`).and.include('This is a picture of a document.');
    await settings({ documents: null });
  });

  it('sees a small picture of each document, which no other person sees', async () => {
    const { page } = await person();
    await hand(page, 'payslip', (await handedFile('suite', 0)).bytes);
    const [id = ''] = ids(await shown(page), 'picture');
    const answer = await fetch(`${test.service.url}${page}/${id}/picture`);
    expect(answer.headers.get('content-type')).to.equal('image/png');
    const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([Math.max(width, height), Math.min(width, height) > 100]).to.deep.equal([192, true]);
    const other = await person();
    for (const path of [`${other.page}/${id}/picture`, `${other.page}/absent/picture`])
      expect((await send(test.service.url, 'GET', path, {})).status).to.equal(404);
    const row = await test.service.runtime.db('document_glances').where({ document_id: id }).first();
    expect(`${row?.sealed_glance}`).to.not.include('payslip');
  });

  it('brings back for a day what they removed; then it is gone, with its bytes', async () => {
    const { db, providers } = test.service.runtime;
    const { email, page } = await person();
    const bytes = sampleDocument([`Payslip of ${email}`]);
    await hand(page, 'payslip', bytes);
    const [id = ''] = ids(await shown(page), 'remove');
    const tenant = (await db('tenants').where({ email }).first('id'))?.id ?? '';
    const key = (await db('documents').where({ id }).first('api_key_id'))?.api_key_id;
    const listed = async () => (await db('documents').where({ tenant_id: tenant, api_key_id: key ?? '' })).length;
    await submit(test, `${page}/${id}/remove`, {});
    expect([await listed(), await shown(page)].map(String)[1])
      .to.include('Bring back')
      .and.include('Nothing handed in yet.');
    expect(await listed()).to.equal(0);
    const other = await person();
    await submit(test, `${other.page}/${id}/restore`, {});
    expect(await listed()).to.equal(0);
    await submit(test, `${page}/${id}/restore`, {});
    expect(await listed()).to.equal(1);
    await submit(test, `${page}/${id}/remove`, {});
    test.setNow(new Date(Date.now() + DAY_MS + 1000));
    await submit(test, `${page}/${id}/restore`, {});
    expect([await listed(), (await shown(page)).includes('Bring back')]).to.deep.equal([0, false]);
    const [{ sha256 } = { sha256: '' }] = await db('documents').where({ id }).select('sha256');
    await deleteRemovedUploads({ ...test.service.runtime, now: () => new Date(Date.now() + 2 * DAY_MS) });
    expect(await db('documents').where({ id })).to.deep.equal([]);
    const kept = await Array.fromAsync(providers.documents.kept());
    expect(kept.map((one) => one.sha256)).to.not.include(sha256);
  });

  it('brings back what they replaced, too', async () => {
    const { email, page } = await person();
    await hand(page, 'payslip', sampleDocument([`First of ${email}`]));
    const [id = ''] = ids(await shown(page), 'remove');
    const body = new FormData();
    for (const [name, value] of Object.entries({ type: 'payslip', replaces: id })) body.append(name, value);
    body.append('file', new Blob([new Uint8Array(sampleDocument([`Second of ${email}`]))]), 'second.pdf');
    await fetch(test.service.url + page, { method: 'POST', body, redirect: 'manual' });
    expect(ids(await shown(page), 'restore')).to.deep.equal([id]);
    await submit(test, `${page}/${id}/restore`, {});
    expect(ids(await shown(page), 'remove')).to.have.length(2);
  });

  it('cannot bring back more than fits, nor hold more removed documents than they may hand in', async () => {
    const { db } = test.service.runtime;
    const { email, page } = await person();
    for (let number = 0; number < 4; number += 1) {
      await hand(page, 'other', sampleDocument([`Letter ${number} of ${email}`]));
      const [id = ''] = ids(await shown(page), 'remove');
      await submit(test, `${page}/${id}/remove`, {});
    }
    const removed = await db('documents')
      .join('tenants', 'tenants.id', 'tenant_id')
      .where({ email })
      .whereNotNull('removed_at')
      .pluck('documents.id');
    expect(removed).to.have.length(3);
    for (let number = 6; number < 9; number += 1)
      await hand(page, 'other', sampleDocument([`Letter ${number} of ${email}`]));
    const answer = await submit(test, `${page}/${removed[0]}/restore`, {});
    expect([answer.status, answer.text.includes('No more documents fit.')]).to.deep.equal([400, true]);
  });

  it('reads of no missing page which another of their files has, and learns that a file came twice', () => {
    const seen = { possible: [], numbers: [1], missing: [2], count: 1, isPicture: true };
    const photo = (id: string, numbers: number[], missing: number[]): HandedIn => ({
      ...{ id, type: 'bank_statement', media_type: 'image/jpeg', sha256: id },
      seen: { ...seen, numbers, missing },
    });
    const both = [photo('a', [1], [2]), photo('b', [2], [1])];
    const told = (all: HandedIn[]) =>
      all.map((one) => answersOn(one, all, { wanted: [], today: HANDED_IN }).map(({ kind }) => kind));
    expect(told(both)).to.deep.equal([['photo'], ['photo']]);
    expect(told(both.slice(0, 1))).to.deep.equal([['pages', 'photo']]);
    expect(told([...both, { ...photo('a', [1], [2]), id: 'c' }])[2]).to.deep.equal(['same']);
  });
});
