import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { picturesIn } from '../../core/reports/in-markup.ts';
import { sealText } from '../../core/secrets/secrets.ts';
import { DAY_MS } from '../../core/time.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { finishedReport, smallReport } from '../../harness/service/finished-report.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { contentOf, fileOf } from '../../jobs/reports/opened-reports.ts';

databases('either');

/** As many as a report has at most. */
const PICTURES = 40;
const LOOKS = 60;
const LARGE_PICTURE = 600_000;
const LARGE_FILE = 12 * 2 ** 20;
const TWO_PIECES = 2 * 2 ** 20;
/** What is opened at once, in base64. */
const MAX_READ = 1.5 * 2 ** 20;
const HTML = { headers: { accept: 'text/html' } };

describe('the copy of a report behind a link', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  afterEach(() => test.setNow(undefined));

  let serial = 0;
  const share = async () => {
    serial += 1;
    const tenants = [{ email: `shared-${serial}@mail.example`, is_lead: true }];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const { id, copyId, token } = await finishedReport(test.service.runtime, application_id, smallReport(PICTURES));
    return { id, copyId, link: `${test.service.url}/report/shared/${token}` };
  };
  /** Whether a statement reads what makes a report large. */
  const isLarge = (sql: string, column: string) =>
    /\breports\b/.test(sql) && (sql.includes(column) || sql.includes('*'));
  /** How many statements read content, file and parts of reports while something is done. */
  const readings = async (work: () => Promise<unknown>) => {
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    db().on('query', note);
    await work().finally(() => db().removeListener('query', note));
    const of = (column: string) => statements.filter((sql) => isLarge(sql, column)).length;
    const parts = statements.filter((sql) => sql.includes('sealed_part')).length;
    return { content: of('sealed_content'), file: of('sealed_file'), parts };
  };
  const statuses = (answers: readonly Response[]) => [...new Set(answers.map(({ status }) => status))];
  const openAll = async (addresses: readonly string[], headers = {}) =>
    statuses(await Promise.all(addresses.map((address) => fetch(address, { headers }))));
  const pages = Array.from({ length: PICTURES }, (_, before) => before + 1);

  it(`is opened once for its page and ${PICTURES} pictures, and its file once for all downloads of a minute`, async () => {
    const { link } = await share();
    const pictures = pages.map((page) => `${link}/picture/0-0-${page}.jpg`);
    const shown = await readings(async () => {
      expect((await fetch(link, HTML)).status).to.equal(200);
      expect(await openAll(pictures)).to.deep.equal([200]);
    });
    expect(shown).to.deep.equal({ content: 1, file: 0, parts: PICTURES });
    const downloads = Array.from({ length: 10 }, () => `${link}/report.pdf`);
    const downloaded = await readings(async () => expect(await openAll(downloads)).to.deep.equal([200]));
    // The second one finds that there are no more.
    expect(downloaded).to.deep.equal({ content: 0, file: 0, parts: 2 });
  });

  it('is opened in parts, between which the event loop goes round, however large its pictures and its file are', async () => {
    const tenants = [{ email: 'large@mail.example', is_lead: true }];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const content = smallReport(PICTURES);
    for (const [, picture] of picturesIn(content)) picture.jpeg = randomBytes(LARGE_PICTURE).toString('base64');
    const file = randomBytes(LARGE_FILE);
    const { runtime } = test.service;
    const { copyId, token } = await finishedReport(runtime, application_id, content, file);
    const copy = await db()('reports').where({ id: copyId }).first();
    if (!copy) expect.fail('There is no report.');
    // Left by an attempt that did not end.
    const left = { report_id: copyId, sealed_part: sealText('left', runtime.keys.encryption) };
    for (const name of ['file-0', `file-${LARGE_FILE / 2 ** 20}`])
      await db()('report_parts').insert({ id: `${copyId}/${'d'.repeat(64)}/${name}`, ...left });
    const read: number[] = [];
    const note = (rows: unknown) => read.push(JSON.stringify(rows ?? '').length);
    db().on('query-response', note);
    let [rounds, isDone] = [0, false];
    const goRound = () => {
      rounds++;
      if (!isDone) setImmediate(goRound);
    };
    setImmediate(goRound);
    const opened = await fileOf(runtime, copy);
    isDone = true;
    await contentOf(runtime, copy);
    expect(rounds).to.be.at.least(LARGE_FILE / MAX_READ);
    expect(opened?.equals(file)).to.equal(true);
    const answer = await fetch(`${test.service.url}/report/shared/${token}/picture/0-0-${PICTURES}.jpg`);
    const [, last] = picturesIn(content).at(-1) ?? [];
    expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).to.equal(last?.jpeg);
    db().removeListener('query-response', note);
    expect(Math.max(...read)).to.be.below(MAX_READ);
    await db()('reports').where({ id: copyId }).delete();
    expect(await db()('report_parts').where({ report_id: copyId }).select('id')).to.deep.equal([]);
  });

  it('fails if a piece of its file is missing, instead of being shorter', async () => {
    const tenants = [{ email: 'piece@mail.example', is_lead: true }];
    const { application_id } = (await test.alice.ok('createApplication', { body: { title: 'Loft', tenants } })).data;
    const { runtime, url } = test.service;
    const file = randomBytes(TWO_PIECES);
    const { copyId, token } = await finishedReport(runtime, application_id, smallReport(), file);
    const last = await db()('report_parts').where({ report_id: copyId }).where('id', 'like', '%/file-1').delete();
    expect(last).to.equal(1);
    expect((await fetch(`${url}/report/shared/${token}/report.pdf`)).status).to.equal(500);
  });

  it('is shown as before if its pictures and its file are within its row', async () => {
    const { copyId, link } = await share();
    const { keys } = test.service.runtime;
    await db()('report_parts').where({ report_id: copyId }).delete();
    const within = {
      sealed_content: sealText(JSON.stringify(smallReport(PICTURES)), keys.encryption),
      sealed_file: sealText(Buffer.from('%PDF-1.7 within').toString('base64'), keys.encryption),
    };
    await db()('reports').where({ id: copyId }).update(within);
    const shown = await readings(async () => {
      expect((await fetch(link, HTML)).status).to.equal(200);
      expect(await openAll(pages.map((page) => `${link}/picture/0-0-${page}.jpg`))).to.deep.equal([200]);
    });
    expect(shown).to.include({ content: 1, file: 0 });
    expect(await (await fetch(`${link}/report.pdf`)).text()).to.equal('%PDF-1.7 within');
  });

  it('is not opened to ask whether it is made', async () => {
    const { link } = await share();
    const asked = await readings(async () => {
      expect(await (await fetch(`${link}/state`)).json()).to.deep.equal({ state: 'completed' });
    });
    expect(asked).to.deep.equal({ content: 0, file: 0, parts: 0 });
  });

  it('is gone with its link, also when it was just opened', async () => {
    const { copyId, link } = await share();
    const addresses = [link, `${link}/picture/0-0-1.jpg`, `${link}/report.pdf`];
    expect(await openAll(addresses)).to.deep.equal([200]);
    await db()('reports').where({ id: copyId }).update({ revoked_at: new Date().toISOString() });
    expect(await openAll(addresses)).to.deep.equal([404]);
  });

  it('is sent with its length, so that a reader notices a file that was cut off', async () => {
    const { link } = await share();
    for (const path of ['report.pdf', 'picture/0-0-1.jpg']) {
      const answer = await fetch(`${link}/${path}`);
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(Number(answer.headers.get('content-length')), path).to.equal((await answer.arrayBuffer()).byteLength);
    }
  });

  it('lists the first look of each day at its page and at its file, however often a loop looks', async () => {
    const { copyId, link } = await share();
    const views = async () => db()('report_views').where({ report_id: copyId }).orderBy('at').select('what', 'at');
    const start = new Date(`${new Date().toISOString().slice(0, 10)}T23:50:00.000Z`);
    test.setNow(start);
    expect(await openAll(Array.from({ length: LOOKS }, () => link))).to.deep.equal([200]);
    expect(await openAll(Array.from({ length: LOOKS }, () => `${link}/report.pdf`))).to.deep.equal([200]);
    expect((await views()).map(({ what }) => what).toSorted()).to.deep.equal(['file', 'page']);
    const later = new Date(start.getTime() + 20 * 60_000);
    test.setNow(later);
    expect(await openAll([link, link])).to.deep.equal([200]);
    expect((await views()).slice(2)).to.deep.equal([{ what: 'page', at: later.toISOString() }]);
    test.setNow(new Date(start.getTime() + 2 * DAY_MS));
    expect(await openAll([link, `${link}/report.pdf`])).to.deep.equal([200]);
    expect((await views()).slice(3).map(({ what }) => what)).to.have.members(['file', 'page']);
  });

  it('of a member is opened once for its page and its pictures, too', async () => {
    const { id } = await share();
    const of = { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] };
    const member = await MemberBrowser.signIn(test, 'agent', of);
    const read = await readings(async () => {
      const { text } = await member.open(`/reports/${id}/page`);
      const sources = [...text.matchAll(/<image href="([^"]+)"/g)].map(([, source = '']) => readable(source));
      expect(sources).to.have.length(PICTURES);
      const [cookie] = member.browser.cookies.get(new URL(member.base).origin) ?? [];
      const addresses = sources.map((source) => new URL(source, `${member.base}/reports/${id}/page`).href);
      expect(await openAll(addresses, { cookie: `desk=${cookie?.value}` })).to.deep.equal([200]);
    });
    expect(read).to.deep.equal({ content: 1, file: 0, parts: PICTURES });
  });
});
