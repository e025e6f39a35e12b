import { expect } from 'chai';
import { DAY_MS } from '../../core/time.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { finishedReport, smallReport } from '../../harness/service/finished-report.ts';
import { useService } from '../../harness/service/service.ts';
import { MemberBrowser } from '../desk/members.ts';

databases('either');

/** As many as a report has at most. */
const PICTURES = 40;
const LOOKS = 60;
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
  /** The statements that read content and file of reports while something is done. */
  const readings = async (work: () => Promise<unknown>) => {
    const statements: string[] = [];
    const note = ({ sql }: { sql: string }) => statements.push(sql);
    db().on('query', note);
    await work().finally(() => db().removeListener('query', note));
    const of = (column: string) => statements.filter((sql) => isLarge(sql, column)).length;
    return { content: of('sealed_content'), file: of('sealed_file') };
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
    expect(shown).to.deep.equal({ content: 1, file: 0 });
    const downloads = Array.from({ length: 10 }, () => `${link}/report.pdf`);
    const downloaded = await readings(async () => expect(await openAll(downloads)).to.deep.equal([200]));
    expect(downloaded).to.deep.equal({ content: 0, file: 1 });
  });

  it('is not opened to ask whether it is made', async () => {
    const { link } = await share();
    const asked = await readings(async () => {
      expect(await (await fetch(`${link}/state`)).json()).to.deep.equal({ state: 'completed' });
    });
    expect(asked).to.deep.equal({ content: 0, file: 0 });
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
    expect(read).to.deep.equal({ content: 1, file: 0 });
  });
});
