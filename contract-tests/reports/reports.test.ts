import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '@tenant-screening/forensics/result';
import { expect } from 'chai';
import { NotFound } from '../../core/errors.ts';
import { SERVICE } from '../../db/audit/audit.ts';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import { unzip } from '../../harness/process/unzip.ts';
import { Admin } from '../../harness/service/admin.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { useService } from '../../harness/service/service.ts';
import { fileOf } from '../../jobs/reports/opened-reports.ts';
import { readReportFile, requestReport, revokeReport, shareReport } from '../../jobs/reports/reports.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';

databases('either');

const PAYSLIP = ['Northern Ferries Ltd', 'Payslip 10/2026', 'Employee: Marta Ruiz', 'Net pay 2,214.44'];
const HTML = { headers: { accept: 'text/html' } };

describe('the report about an application', () => {
  const test = useService();
  const admin = new Admin(test);
  let person: BankPerson;
  let application = '';
  let report = '';

  const reports = () => test.service.runtime.db('reports');
  const made = (id: string) =>
    eventually('the report', async () => {
      const row = await reports().where({ id }).first();
      if (row?.status === 'failed') throw new Error(row.failure ?? '');
      return row?.status === 'completed' ? row : undefined;
    });
  const make = async (viewer = 'Ada Berg') => {
    const answer = await admin.json<{ report_id: string }>('report', 'make', application, '--for', viewer);
    return made(answer.report_id);
  };
  const share = async (viewer: string) => {
    const shared = await admin.json<{ report_id: string; link: string }>('report', 'share', report, '--with', viewer);
    await made(shared.report_id);
    return shared;
  };

  before(async () => {
    person = await BankPerson.of(test, 'marta+kyc-verified@mail.example');
    const body = new FormData();
    body.append('type', 'payslip');
    body.append('file', new Blob([new Uint8Array(sampleDocument(PAYSLIP))]), 'payslip.pdf');
    await fetch(`${test.service.url}${person.link}/documents`, { method: 'POST', body });
    await person.handOver('salary');
    const { db } = test.service.runtime;
    application = (await db('participants').where({ email: person.email }).first())?.application_id ?? '';
    report = (await make()).id;
  });

  it('is a sealed file in which our own checks find a signature that fits, and no other bytes after it', async () => {
    const { runtime } = test.service;
    const row = await made(report);
    const file = (await fileOf(runtime, row)) ?? expect.fail('There is no file.');
    const { documents } = await runtime.forensics.analyse([
      {
        id: 'r',
        name: 'report.pdf',
        read: async function* () {
          yield file;
        },
      },
    ]);
    const check = documents[0]?.checks.find(({ rule }: Check) => rule === 'signatures');
    expect(check?.findings?.[0]?.message).to.include('fits the file');
    expect(documents[0]?.outcome).to.equal('no_finding');
    const changed = Buffer.from(file);
    changed.write('X', changed.indexOf('/CreationDate') - 30);
    const { documents: other } = await runtime.forensics.analyse([
      {
        id: 'r',
        name: 'report.pdf',
        read: async function* () {
          yield changed;
        },
      },
    ]);
    expect(other[0]?.outcome).to.not.equal('no_finding');
  });

  it('is stored encrypted: neither the viewer, nor a person, nor a word of the file is in the row', async () => {
    const parts = await test.service.runtime.db('report_parts').where({ report_id: report });
    const row = await made(report);
    const names = parts.map(({ id }) => id.replace(`${report}/${row.sha256}/`, ''));
    expect(names).to.include.members(['0-0-1.jpg', 'file-0']);
    const stored = JSON.stringify([row, parts]);
    for (const word of ['Ada Berg', 'Marta', 'Northern Ferries', '%PDF', Buffer.from('%PDF-1.7').toString('base64')])
      expect(stored, word).to.not.include(word);
  });

  it('is shared by a link that shows it, offers the same content with another name, and records each look', async () => {
    const { link, report_id } = await share('Herr Müller');
    const page = await (await fetch(link, HTML)).text();
    expect(page)
      .to.include('Marta Ruiz')
      .and.include('2,214.44')
      .and.include('Herr Müller')
      .and.include('decides nothing');
    expect(page).to.not.include('Ada Berg');
    const file = await fetch(`${link}/report.pdf`);
    expect(file.headers.get('content-type')).to.equal('application/pdf');
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(0, 8)
        .toString(),
    ).to.equal('%PDF-1.7');
    expect((await fetch(`${link}/picture/0-0-1.jpg`)).headers.get('content-type')).to.equal('image/jpeg');
    const { views } = await admin.json<{ views: { what: string }[] }>('report', 'show', report_id);
    expect(views.map(({ what }) => what)).to.deep.equal(['PDF', 'page']);
  });

  it('is gone for a revoked, an expired and an unknown link alike', async () => {
    const { link: revoked, report_id } = await share('One');
    const { link: expired, report_id: old } = await share('Two');
    await admin.json('report', 'revoke', report_id);
    await reports().where({ id: old }).update({ token_expires_at: '2020-01-01T00:00:00.000Z' });
    const unknown = `${test.service.url}/report/shared/${'a'.repeat(43)}`;
    const answers: unknown[] = [];
    for (const link of [revoked, expired, unknown])
      for (const path of ['', '/report.pdf', '/state', '/picture/0-0-1.jpg']) {
        const answer = await fetch(`${link}${path}`, HTML);
        const text = (await answer.text()).replaceAll(new URL(link).pathname.split('/').at(-1) ?? '', 'token');
        answers.push([path, answer.status, text]);
      }
    expect(answers.slice(0, 4)).to.deep.equal(answers.slice(4, 8));
    expect(answers.slice(0, 4)).to.deep.equal(answers.slice(8, 12));
    expect((await fetch(revoked, HTML)).status).to.equal(404);
  });

  it('is verified by number or digest without a word about people, and a digest of another file is not known', async () => {
    const { sha256 } = await made(report);
    for (const asked of [report, sha256 ?? '']) {
      const answer = await fetch(`${test.service.url}/report/verify?report=${asked}`, HTML);
      const text = await answer.text();
      expect(answer.status).to.equal(200);
      expect(text)
        .to.include(sha256 ?? '')
        .and.include('made this report');
      for (const word of ['Marta', 'Ada', 'mail.example', 'Casa']) expect(text, word).to.not.include(word);
    }
    const other = await fetch(`${test.service.url}/report/verify?report=${'0'.repeat(64)}`, HTML);
    expect(other.status).to.equal(404);
  });

  it('of another landlord answers like none: to make, read, share and revoke', async () => {
    const { runtime } = test.service;
    const scope = { of: 'one landlord' as const, landlordId: test.landlords.other, keyIds: [] };
    const stranger = { scope, actor: SERVICE, viewer: 'A stranger' };
    const refused = async (promise: Promise<unknown>) => {
      const error: unknown = await promise.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(NotFound);
    };
    await refused(requestReport(runtime, application, 'en', stranger));
    await refused(readReportFile(runtime, report, stranger));
    await refused(shareReport(runtime, report, 3, stranger));
    await refused(revokeReport(runtime, report, stranger));
  });

  it('goes when the person withdraws their bank', async () => {
    const { link } = await share('One');
    const { db } = test.service.runtime;
    const [connection] = await db('bank_connections').where({ status: 'handed' }).orderBy('created_at', 'desc');
    await fetch(`${test.service.url}${person.link}/bank/${connection?.id}/withdraw`, { method: 'POST' });
    expect(await reports().where({ application_id: application })).to.deep.equal([]);
    expect((await fetch(link, HTML)).status).to.equal(404);
  });

  it('goes when the person removes a document', async () => {
    report = (await make()).id;
    const { link } = await share('One');
    const uploaded = await test.service.runtime
      .db('documents')
      .where({ name: 'payslip.pdf' })
      .orderBy('created_at', 'desc');
    await fetch(`${test.service.url}${person.link}/documents/${uploaded[0]?.id}/remove`, { method: 'POST' });
    expect(await reports().where({ application_id: application })).to.deep.equal([]);
    expect((await fetch(link, HTML)).status).to.equal(404);
  });

  it('goes with any person in it, and their copy of the data names it', async () => {
    report = (await make()).id;
    await share('One');
    const { db } = test.service.runtime;
    const copy = join(test.folder, `${application}.zip`);
    await admin.json('privacy', 'export', person.email, '--to', copy);
    const data = (await unzip(await readFile(copy))).get('data.json')?.toString();
    expect(data).to.include(report);
    await admin.json('privacy', 'erase', person.email, '--yes');
    expect(await reports().where({ application_id: application })).to.deep.equal([]);
    expect(await db('report_views').whereNotIn('report_id', reports().select('id'))).to.deep.equal([]);
  });
});
