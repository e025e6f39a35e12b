import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { expect } from 'chai';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { databases } from '../../harness/database/dialect.ts';
import { inspectedTogether } from '../../harness/service/inspected-together.ts';
import { invitationPath, look, onboardingPath, submit } from '../../harness/service/links.ts';
import { useService } from '../../harness/service/service.ts';
import { handOverCode } from '../../jobs/invitations/hand-over.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

/** Pixels per module of a QR code. */
const SCALE = 4;

/** The content of the QR code on a page, as a phone's camera reads it. */
function scanned(page: string): string {
  const [, size = '', path = ''] = /class="qr".*?viewBox="0 0 (\d+) .*?<path d="([^"]*)"/s.exec(page) ?? [];
  const width = Number(size) * SCALE;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h/g))
    for (let row = 0; row < SCALE; row++) {
      const start = ((Number(y) * SCALE + row) * width + Number(x) * SCALE) * 4;
      for (let at = start; at < start + SCALE * 4; at += 4) data.fill(0, at, at + 3);
    }
  return decodeQR({ width, height: width, data });
}

const payslip = sampleDocument(['Payslip January', 'Net pay 2,214.35']);
const bank = sampleDocument(['Statement', 'Balance 812.00']);

async function lockedPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage();
  pdf.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
  return pdf.save();
}

/** A PDF whose single stream decompresses to far more than any document. */
function bomb(): Buffer {
  const stream = deflateSync(Buffer.alloc(80 * 1024 * 1024));
  return Buffer.concat([
    Buffer.from(`%PDF-1.4\n1 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
    stream,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

describe('the document page', () => {
  let serial = 0;
  const test = useService({ RUN_WORKERS: 'false', DOCUMENT_LIMIT_MIB: '1', MAX_UPLOADS_PER_PERSON: '3' });
  inspectedTogether(() => test);

  const invite = async () => {
    serial += 1;
    const [lead, guest] = [`lead-${serial}@mail.example`, `guest-${serial}@mail.example`] as const;
    const tenants = [lead, guest].map((email) => ({ email, is_lead: email === lead }));
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const link = await invitationPath(test, application_id, guest);
    return { applicationId: application_id, lead, guest, link, page: `${link}/documents` };
  };
  const accepted = async () => {
    const invited = await invite();
    await submit(test, invited.link, { answer: 'accept' });
    return invited;
  };
  type File = readonly [name: string, content: string | Uint8Array];
  const upload = async (path: string, files: readonly File[], fields: Record<string, string> = { type: 'payslip' }) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    for (const [name, content] of files)
      body.append('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
    const headers = { accept: 'text/html' };
    const answer = await fetch(test.service.url + path, { method: 'POST', body, headers, redirect: 'manual' });
    return { status: answer.status, text: await answer.text() };
  };
  const documents = (email: string) =>
    test.service.runtime
      .db('documents')
      .join('tenants', 'tenants.id', 'documents.tenant_id')
      .where({ email })
      .whereNull('removed_at')
      .orderBy('documents.created_at')
      .select('documents.id', 'documents.name', 'type', 'source', 'api_key_id', 'media_type', 'sha256');

  it('shows progress and missing steps on every page behind the link', async () => {
    const { applicationId, lead, link, page } = await invite();
    expect((await look(test, link)).text)
      .to.include('Step 1 of 3')
      .and.include('Still missing: your answer, your profile and your documents.');
    await submit(test, link, { answer: 'accept' });
    expect((await look(test, link)).text)
      .to.include('Step 2 of 3')
      .and.include('Still missing: your profile and your documents.');
    await submit(test, link, { name: 'Jonas Weber' });
    for (const path of [link, page])
      expect((await look(test, path)).text)
        .to.include('Step 3 of 3')
        .and.include('Still missing: your documents.');
    await upload(page, [['payslip.pdf', payslip]]);
    const { db } = test.service.runtime;
    const settings = (documents: string | null) =>
      inTransaction(db, (trx) => setLandlordSettings(trx, test.landlords.ours, { documents }));
    for (const path of [link, page]) expect((await look(test, path)).text).to.include('Still missing: your documents.');
    await settings('any');
    for (const path of [link, page]) expect((await look(test, path)).text).to.include('Nothing is missing.');
    await settings(null);
    const theirs = await onboardingPath(test, applicationId, lead);
    expect((await look(test, theirs)).text).to.include('Still missing: your profile and your documents.');
    await submit(test, theirs, { name: 'Lea', answer: 'accept' });
    expect((await look(test, theirs)).text).to.include('Still missing: your documents.');
  });

  it('hands over to a phone by a single-use, short-lived QR code that viewing does not use up', async () => {
    const { runtime } = test.service;
    const { link, page } = await accepted();
    const [, kind, token = ''] = link.split('/');
    const shown = new URL(scanned((await look(test, page)).text));
    expect(shown.origin).to.equal(test.service.url);
    const path = shown.pathname;
    expect(path).to.not.include(token);
    for (const _ of [1, 2]) expect((await look(test, path)).text).to.include('Continue on this phone');
    const answers = await Promise.all([1, 2].map(() => submit(test, path, {})));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([303, 404]);
    const { headers } = answers.find(({ status }) => status === 303) ?? {};
    expect(new URL(String(headers?.['location']), shown).pathname).to.equal(page);
    const late = handOverCode(token, { ...runtime, now: () => new Date(Date.now() - 11 * 60_000) });
    for (const dead of [`/${kind}/phone/${late}`, `/${kind}/phone/x`, path.slice(0, -1)])
      expect([(await look(test, dead)).status, (await submit(test, dead, {})).status], dead).to.deep.equal([404, 404]);
  });

  it('hands over before the answer, and for the profile, to the page where the person is', async () => {
    const { link } = await invite();
    for (const step of [{ answer: 'accept' }, { name: 'Jonas Weber' }]) {
      const path = new URL(scanned((await look(test, link)).text)).pathname;
      const { status, headers } = await submit(test, path, {});
      expect([status, new URL(String(headers['location']), test.service.url + path).pathname]).to.deep.equal([
        303,
        link,
      ]);
      await submit(test, link, step);
    }
  });

  it('hands over once, even when a process whose clock is ahead accepted another code in between', async () => {
    const { page } = await accepted();
    const start = Date.now();
    const path = new URL(scanned((await look(test, page)).text)).pathname;
    expect((await submit(test, path, {})).status).to.equal(303);
    test.setNow(new Date(start + 11 * 60_000));
    const other = new URL(scanned((await look(test, page)).text)).pathname;
    expect((await submit(test, other, {})).status).to.equal(303);
    test.setNow(new Date(start));
    expect((await submit(test, path, {})).status).to.equal(404);
    test.setNow(new Date());
  });

  it('refuses a code that has expired by the clock of the database, whatever the process’s clock tells', async () => {
    const { page } = await accepted();
    test.setNow(new Date(Date.now() - 11 * 60_000));
    const path = new URL(scanned((await look(test, page)).text)).pathname;
    expect((await submit(test, path, {})).status).to.equal(404);
    test.setNow(new Date());
  });

  it('accepts files without JavaScript, for the application’s key, and lists them', async () => {
    const { guest, link, page } = await accepted();
    await submit(test, link, { name: 'Jonas Weber' });
    expect((await look(test, link)).text).to.include('/documents#step');
    expect((await look(test, page)).text)
      .to.include('Casa Clara')
      .and.include('Nothing handed in yet');
    const sent = await upload(page, [
      ['payslip.pdf', payslip],
      ['../../etc/february\u202e.pdf', bank],
    ]);
    expect(sent.status, sent.text).to.equal(303);
    const { id } =
      (await test.service.runtime.db('api_keys').where({ client_id: test.alice.clientId }).first('id')) ?? {};
    const rows = await documents(guest);
    expect(rows.map(({ name }) => name).sort()).to.deep.equal(['february.pdf', 'payslip.pdf']);
    for (const row of rows)
      expect(row).to.include({ type: 'payslip', source: 'applicant', api_key_id: id, media_type: 'application/pdf' });
    expect((await look(test, page)).text)
      .to.include('2 documents handed in')
      .and.include('payslip.pdf');
  });

  it('refuses files that are empty, too large, damaged, encrypted, harmful or misnamed, and accepts the rest', async () => {
    const { guest, page } = await accepted();
    const { text, status } = await upload(page, [
      ['empty.pdf', ''],
      ['large.pdf', Buffer.concat([payslip, Buffer.alloc(1024 * 1024)])],
      ['good.pdf', payslip],
    ]);
    expect(status).to.equal(400);
    expect(text)
      .to.include('The file is empty')
      .and.include('The file is too large')
      .and.include('1 document handed in');
    const heic = Buffer.from('000000186674797068656963000000006d69663168656963', 'hex');
    const hostile: (readonly [...File, string])[] = [
      ['words.pdf', 'hello', 'does not match its name'],
      ['words.txt', 'hello', 'not a PDF, JPEG or PNG'],
      ['IMG_0042.HEIC', heic, 'in the format HEIC'],
      ['photo.jpg', heic, 'in the format HEIC'],
      ['picture.png', Buffer.from('52494646240000005745425056503820180000', 'hex'), 'not a PDF, JPEG or PNG'],
      ['damaged.pdf', '%PDF-1.4 and nothing else', 'damaged'],
      ['picture.jpg', Buffer.from('ffd8ffe000104a464946', 'hex'), 'damaged'],
      ['locked.pdf', await lockedPdf(), 'protected by a password'],
      ['bomb.pdf', bomb(), 'cannot open safely'],
    ];
    for (const [name, content, fault] of hostile) {
      const answer = await upload(page, [[name, content]]);
      expect([answer.status, answer.text.includes(fault)], name).to.deep.equal([400, true]);
      // The list of what is wanted calls a screenshot a bad copy.
      expect(answer.text, name).to.not.include('take a screenshot');
    }
    for (const [files, fields, fault] of [
      [[['payslip.pdf', payslip]], {}, 'Choose what kind'],
      [[], { type: 'payslip' }, 'Choose at least one file'],
    ] as const)
      expect(await upload(page, files, fields)).to.satisfy(
        (answer: { status: number; text: string }) => answer.status === 400 && answer.text.includes(fault),
      );
    expect((await documents(guest)).map(({ name }) => name)).to.deep.equal(['good.pdf']);
    const stored = await Array.fromAsync(test.service.runtime.providers.documents.kept());
    const rows = new Set(await test.service.runtime.db('documents').pluck('sha256'));
    expect(stored.filter(({ sha256 }) => !rows.has(sha256))).to.deep.equal([]);
  });

  it('accepts what readers open: bytes before the header of a PDF, and content under another ending, which it replaces', async () => {
    const { guest, page } = await accepted();
    const grey = { create: { width: 400, height: 400, channels: 3, background: '#888' } } as const;
    const png = await sharp(grey).png().toBuffer();
    const files: File[] = [
      ['line-feed.pdf', Buffer.concat([Buffer.from('\n'), payslip])],
      ['header.pdf', Buffer.concat([Buffer.from(`Set-Cookie: a\r\n${' '.repeat(900)}`), payslip])],
      ['photo.jpg', png],
    ];
    for (const file of files) expect((await upload(page, [file])).text, file[0]).to.not.include('class="faults"');
    expect((await documents(guest)).map(({ name, media_type }) => [name, media_type])).to.deep.equal([
      ['line-feed.pdf', 'application/pdf'],
      ['header.pdf', 'application/pdf'],
      ['photo.png', 'image/png'],
    ]);
    const other = await accepted();
    await upload(other.page, [
      ['scan.JPEG', payslip],
      ['page.pdf.exe', png],
      ['PAGE.PNG', await sharp(grey).rotate(90).png().toBuffer()],
    ]);
    expect((await documents(other.guest)).map(({ name }) => name)).to.have.members([
      'scan.pdf',
      'page.pdf.exe.png',
      'PAGE.PNG',
    ]);
  });

  it('lets the person replace and remove their own uploads, up to a number, and nothing else', async () => {
    const { guest, page } = await accepted();
    const three: File[] = [1, 2, 3].map((page) => [`${page}.pdf`, sampleDocument([`Page ${page}`])]);
    await upload(page, three);
    const more = await upload(page, [['4.pdf', sampleDocument(['Page 4'])]]);
    expect(more.text).to.include('No more documents fit');
    const uploaded = await documents(guest);
    const [first, second] = ['1.pdf', '2.pdf'].map((name) => uploaded.find((document) => document.name === name));
    await upload(page, [['new.pdf', sampleDocument(['New'])]], { type: 'other', replaces: first?.id ?? '' });
    expect((await documents(guest)).map(({ name }) => name).sort()).to.deep.equal(['2.pdf', '3.pdf', 'new.pdf']);
    const other = await accepted();
    await submit(test, `${other.page}/${second?.id}/remove`, {});
    await test.service.runtime.db('documents').where({ name: '3.pdf' }).update({ source: 'operator' });
    for (const { id } of await documents(guest)) await submit(test, `${page}/${id}/remove`, {});
    expect((await documents(guest)).map(({ name }) => name)).to.deep.equal(['3.pdf']);
  });

  it('is available to the lead with the operator’s link, and only to people who take part', async () => {
    const { applicationId, lead, page, link } = await invite();
    const refused = await upload(page, [['payslip.pdf', payslip]]);
    expect(refused.status).to.equal(303);
    await submit(test, link, { answer: 'decline' });
    expect((await upload(page, [['payslip.pdf', payslip]])).status).to.equal(303);
    const opened = await onboardingPath(test, applicationId, lead);
    await submit(test, opened, { name: 'Nuria Gil', answer: 'accept' });
    expect((await upload(`${opened}/documents`, [['payslip.pdf', payslip]])).status).to.equal(303);
    expect(await documents(lead)).to.have.length(1);
    expect((await look(test, '/invitation/guessed/documents')).status).to.equal(404);
    test.setNow(new Date(Date.now() + 365 * 86_400_000));
    await upload(`${opened}/documents`, [['payslip.pdf', bank]]);
    test.setNow(new Date());
    expect(await documents(lead)).to.have.length(1);
  });

  it('has the documents analysed once the identity is verified', async () => {
    const { guest, page } = await accepted();
    await upload(page, [['payslip.pdf', payslip]]);
    const { db } = test.service.runtime;
    const runs = () =>
      db('forensic_runs')
        .join('tenants', 'tenants.id', 'forensic_runs.tenant_id')
        .where({ email: guest })
        .pluck('status');
    expect(await runs()).to.deep.equal([]);
    const tenant = await db('tenants').where({ email: guest }).first('id');
    await test.alice.ok('initiateKyc', { params: { tenantId: tenant?.id ?? '' } });
    await db('kyc_verifications')
      .where({ tenant_id: tenant?.id ?? '' })
      .update({ status: 'verified', finished_at: new Date().toISOString() });
    await upload(page, [['statement.pdf', bank]], { type: 'bank_statement' });
    expect(await runs()).to.deep.equal(['pending']);
  });

  it('assembles a file from pieces for the person who sent them, for half a day, and for no one else', async () => {
    const { guest, page } = await accepted();
    const other = await accepted();
    const send = async (path: string, piece: Uint8Array, ticket?: string) => {
      const headers = { 'content-type': 'application/octet-stream', ...(ticket ? { 'upload-ticket': ticket } : {}) };
      const answer = await fetch(`${test.service.url}${path}/pieces`, {
        method: 'POST',
        body: new Uint8Array(piece),
        headers,
      });
      return { status: answer.status, ticket: String(JSON.parse(await answer.text()).ticket) };
    };
    const first = await send(page, payslip.subarray(0, 300));
    const { ticket } = await send(page, payslip.subarray(300), first.ticket);
    const fields = { type: 'payslip', name: 'pieces.pdf', ticket };
    const refused = [
      await send(other.page, payslip, ticket),
      await send(page, payslip, `${ticket.slice(0, -8)}AAAAAAA=`),
      await upload(other.page, [], fields),
    ];
    test.setNow(new Date(Date.now() + 13 * 3_600_000));
    refused.push(await upload(page, [], fields));
    test.setNow(new Date());
    expect(refused.map(({ status }) => status)).to.deep.equal([409, 409, 409, 409]);
    expect((await upload(page, [], fields)).status).to.equal(303);
    expect((await upload(page, [], fields)).status).to.equal(409);
    const rows = await documents(guest);
    expect(rows.map(({ name }) => name)).to.deep.equal(['pieces.pdf']);
    const content = await Array.fromAsync(test.service.runtime.providers.documents.get(rows[0]?.sha256 ?? ''));
    expect(Buffer.concat(content).equals(payslip)).to.equal(true);
  });

  it('bounds the pieces of one person, also of those that arrive at the same time', async () => {
    const { page } = await accepted();
    const limitBytes = 2 * 3 * 1024 * 1024;
    const piece = new Uint8Array(900 * 1024);
    const send = async () => {
      const answer = await fetch(`${test.service.url}${page}/pieces`, { method: 'POST', body: piece });
      await answer.text();
      return answer.status;
    };
    const most = Math.floor(limitBytes / piece.length);
    const statuses = await Promise.all(Array.from({ length: 3 * most }, send));
    expect(new Set(statuses)).to.deep.equal(new Set([200, 409]));
    expect(statuses.filter((status) => status === 200)).to.have.length.of.at.most(most);
  });

  it('refuses a piece that is larger than a document may be, and answers', async () => {
    const { page } = await accepted();
    const piece = new Uint8Array(1.5 * 1024 * 1024);
    const answer = await fetch(`${test.service.url}${page}/pieces`, { method: 'POST', body: piece });
    expect(answer.status).to.equal(400);
    expect(await answer.text()).to.include('1 MiB');
  });

  it('has no upload whose id no row can hold', async () => {
    const { page } = await accepted();
    const answer = await fetch(`${test.service.url}${page}/%00/remove`, { method: 'POST' });
    expect(answer.status).to.equal(404);
  });

  it('stores nothing of an interrupted upload', async () => {
    const { guest, page } = await accepted();
    const boundary = 'x';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\npayslip\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n`;
    const answer = await fetch(test.service.url + page, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: head + payslip.toString('latin1').slice(0, 200),
    });
    expect(answer.status).to.equal(400);
    expect(await documents(guest)).to.deep.equal([]);
  });
});
