import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { columns, MAX_LINES } from '../../jobs/invitations/application-table.ts';

databases('either');

describe('the import of applications', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const titles = async () => test.service.runtime.db('applications').orderBy('created_at').pluck('title');
  let agent: MemberBrowser;
  const post = async (csv: string, path = '') => {
    const answer = await agent.act(`/applications/import${path}`, { csv, client_id: test.alice.clientId });
    return { status: answer.status, text: readable(answer.text) };
  };

  before(async () => {
    const of = { landlordId: test.landlords.ours, clientIds: [test.alice.clientId] };
    agent = await MemberBrowser.signIn(test, 'agent', of);
  });

  it('names its columns on the page', async () => {
    const { text } = await agent.open('/applications/import');
    for (const column of columns) expect(text).to.include(`<code>${column}</code>`);
  });

  it('previews without creating, creates once, and creates nothing twice', async () => {
    const csv =
      'title;lead;email_2\r\n"Loft; 3rd floor";ana@mail.example;leo@mail.example\r\nAttic;eva@mail.example\r\n';
    const shown = await post(csv);
    expect(shown.text)
      .to.include('2 applications are ready')
      .and.include('Loft; 3rd floor')
      .and.include('eva@mail.example');
    expect(await titles()).to.deep.equal([]);
    expect((await post(csv, '/create')).text).to.include('2 applications were created');
    expect(await titles()).to.have.members(['Loft; 3rd floor', 'Attic']);
    const again = (await post(csv, '/create')).text;
    expect(again).to.include('0 applications were created').and.include('2 applications with the same people');
    expect(await titles()).to.have.lengthOf(2);
    const created = { action: 'application.create', actor_kind: 'member', actor: agent.id };
    expect(await test.service.runtime.db('audit_entries').where(created)).to.have.lengthOf(2);
  });

  /** As a browser sends a form with a file, without JavaScript. */
  const choose = async (content: Uint8Array | string, fields: Record<string, string> = {}) => {
    const csrf = /name="csrf" value="([^"]+)"/.exec((await agent.open('/applications/import')).text)?.[1] ?? '';
    const [cookie] = agent.browser.cookies.get(new URL(test.service.url).origin) ?? [];
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrf, csv: '', client_id: test.alice.clientId, ...fields }))
      body.set(name, value);
    body.set('file', new File([Buffer.from(content)], 'flats.csv', { type: 'text/csv' }));
    const headers = { cookie: `desk=${cookie?.value}` };
    const answer = await fetch(`${agent.base}/applications/import`, { method: 'POST', headers, body });
    return { status: answer.status, text: readable(await answer.text()) };
  };

  it('reads a chosen file in the encodings of spreadsheets', async () => {
    const csv = 'title;lead\r\nÁtico en Gràcia;ana@mail.example\r\n';
    const encodings = [csv, `\ufeff${csv}`, Buffer.from(csv, 'latin1'), Buffer.from(`\ufeff${csv}`, 'utf16le')];
    for (const content of encodings) {
      const { status, text } = await choose(content);
      expect(status).to.equal(200);
      expect(text).to.include('1 application is ready').and.include('Ático en Gràcia');
    }
  });

  it('reads the pasted table when no file was chosen, and the file when both are there', async () => {
    const pasted = { csv: 'title;lead\nPasted;leo@mail.example' };
    expect((await choose('', pasted)).text).to.include('Pasted');
    expect((await choose('title;lead\nChosen;leo@mail.example', pasted)).text)
      .to.include('Chosen')
      .and.not.include('Pasted');
  });

  it('refuses a file that is too large, is no table, or comes with another session’s token', async () => {
    const large = await choose(`title;lead\n${'x'.repeat(100 * 1024)}`);
    expect(large.status).to.equal(400);
    expect(large.text).to.include('larger than 100 KiB');
    expect((await choose('x'.repeat(400 * 1024))).status).to.equal(400);
    expect((await choose(Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]))).status).to.equal(400);
    expect((await choose('title;lead\nLoft;a@b.example', { csrf: 'x'.repeat(64) })).status).to.equal(403);
  });

  it('takes the largest table from the preview on, whatever a form’s encoding adds', async () => {
    const line = (index: number) => `"É, ${'é,'.repeat(60)}${index}",p${index}@mail.example`;
    const csv = ['title,lead', ...Array.from({ length: MAX_LINES }, (_, index) => line(index))].join('\r\n');
    expect(Buffer.byteLength(csv)).to.be.within(90 * 1024, 110 * 1024);
    const fitting = Buffer.from(csv)
      .subarray(0, 100 * 1024)
      .toString()
      .split('\r\n')
      .slice(0, -1)
      .join('\r\n');
    expect((await choose(fitting)).text).to.include('applications are ready');
    expect((await post(fitting)).text).to.include('applications are ready');
  });

  const header = 'title,lead,email_2';
  const wrong: Record<string, [csv: string, ...said: string[]]> = {
    'an empty table': ['', 'Line 1'],
    'a header alone': [header, 'no lines'],
    'an unknown column': ['title,lead,rent\nLoft,a@b.example,1', 'Line 1', 'rent', 'no such column'],
    'a missing column': ['title\nLoft', 'Line 1', 'lead', 'lacks this column'],
    'a column that is named twice': ['title,lead,lead\nLoft,a@b.example', 'Line 1', 'lead', 'twice'],
    'an empty title': [`${header}\nLoft,a@b.example\n,c@b.example`, 'Line 3', 'title', 'Give a title'],
    'a long title': [`${header}\n${'x'.repeat(256)},a@b.example`, 'Line 2', 'title', '255'],
    'a missing lead': [`${header}\nLoft,,a@b.example`, 'Line 2', 'lead', 'address of the lead'],
    'a wrong address': [`${header}\nLoft,a@b.example,leo`, 'Line 2', 'email_2', 'no e-mail address'],
    'an address twice in a line': [`${header}\nLoft,a@b.example,A@b.example`, 'Line 2', 'email_2', 'twice'],
    'the same people twice': [
      `${header}\nLoft,a@b.example\n\nAttic,A@b.example`,
      'Line 4',
      'Line 2 has the same people',
    ],
    'more cells than columns': [`${header}\nLoft,a@b.example,,x`, 'Line 2', 'more cells'],
    'an open quotation mark': [`${header}\n"Loft,a@b.example`, 'Line 2', 'quotation marks'],
    'too many lines': [
      `${header}\n${Array.from({ length: MAX_LINES + 1 }, (_, index) => `T,p${index}@b.example`).join('\n')}`,
      `Line ${MAX_LINES + 2}`,
      'more than 500',
    ],
  };
  for (const [what, [csv, ...said]] of Object.entries(wrong))
    it(`says where ${what} is, and creates nothing of the table`, async () => {
      const before = await titles();
      for (const path of ['', '/create']) {
        const { text } = await post(csv, path);
        for (const word of said) expect(text).to.include(word);
        expect(text).to.include('nothing was imported');
      }
      expect(await titles()).to.deep.equal(before);
    });

  it('takes as many lines as it says', async () => {
    const lines = Array.from({ length: MAX_LINES }, (_, index) => `Flat ${index}\tperson.${index}@mail.example`);
    expect((await post(`title\tlead\n${lines.join('\n')}`)).text).to.include('500 applications are ready');
  });
});
