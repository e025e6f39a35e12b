import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import PostalMime, { type Email } from 'postal-mime';
import { databases } from '../../harness/database/dialect.ts';
import { eventually } from '../../harness/process/signals.ts';
import type { Client, Refusal } from '../../harness/service/client.ts';
import { useService } from '../../harness/service/service.ts';

databases('both');

const people = (...emails: string[]) => emails.map((email, index) => ({ email, is_lead: index === 0 }));

describe('create-application', () => {
  const test = useService();

  const create = (client: Client, title: string, ...emails: string[]) =>
    client.ok('createApplication', { body: { title, tenants: people(...emails) } });
  const post = (text: string) =>
    test.alice.raw('POST', '/applications/create-application', {
      headers: { authorization: `Bearer ${test.alice.token}`, 'content-type': 'application/json' },
      body: text,
    });
  const get = async (applicationId: string) =>
    (await test.alice.ok('getApplication', { params: { applicationId } })).data;
  const countOf = async (table: 'applications' | 'participants' | 'invites' | 'tenants') =>
    (await test.service.runtime.db(table).select('id')).length;

  /** All mails of the local mailbox, parsed. Unfinished files have another extension. */
  async function mailbox(): Promise<Email[]> {
    const folder = join(test.folder, 'mailbox');
    const files = await readdir(folder).catch(() => []);
    const whole = files.filter((file) => file.endsWith('.eml'));
    return Promise.all(whole.map(async (file) => PostalMime.parse(await readFile(join(folder, file)))));
  }
  async function mailsTo(email: string): Promise<Email[]> {
    return (await mailbox()).filter(({ to = [] }) => to.some(({ address }) => address === email));
  }
  const invited = (email: string) =>
    eventually(`${email} was invited`, async () => {
      const mails = await mailsTo(email);
      return mails.length > 0 && mails;
    });

  describe('creates an application', () => {
    it('for one to five people, all pending, and returns its id and title', async () => {
      for (const size of [1, 2, 3, 4, 5]) {
        const emails = Array.from({ length: size }, (_, index) => `of-${size}-${index}@mail.example`);
        const { status, data } = await create(test.alice, `For ${size}`, ...emails);
        expect(status).to.equal('success');
        expect(data)
          .to.have.all.keys('application_id', 'title')
          .and.include({ title: `For ${size}` });
        const { participants } = await get(data.application_id);
        expect(participants).to.deep.equal(
          emails.map((email) => ({
            name: '',
            email,
            consent_status: 'pending',
            onboarding_status: 'PENDING',
            id: null,
          })),
        );
      }
    });

    it('whose lead is the marked person, wherever they are listed, and no other', async () => {
      const tenants = [{ email: 'unmarked@mail.example' }, { email: 'marked@mail.example', is_lead: true }];
      const answer = await post(JSON.stringify({ title: 'Roles', tenants }));
      expect(answer.status, answer.text).to.equal(200);
      const params = { applicationId: JSON.parse(answer.text).data.application_id, email: 'unmarked@mail.example' };
      const { data } = await test.alice.ok('updateParticipant', { params, body: {} });
      expect(data.participants.map(({ is_lead }) => is_lead)).to.deep.equal([false, true]);
      expect(data.participants.map(({ is_guarantor }) => is_guarantor)).to.deep.equal([false, false]);
    });

    it('with a title of up to 255 characters, counted as code points and stored verbatim', async () => {
      const titles = ['a'.repeat(255), '🏠'.repeat(255), '', ' Ático “7º” \r\n\t<b>&amp; ', 'e\u0301'.repeat(127)];
      for (const [index, title] of titles.entries()) {
        const { data } = await create(test.alice, title, `title-${index}@mail.example`);
        expect(data.title).to.equal(title);
        expect((await get(data.application_id)).title).to.equal(title);
      }
    });

    it('without creating accounts, and links an existing account when it is read', async () => {
      const known = await test.tenant('Known@mail.example');
      const accounts = await countOf('tenants');
      const { data } = await create(test.alice, 'Accounts', 'nobody-yet@mail.example', 'known@mail.example');
      expect(await countOf('tenants')).to.equal(accounts);
      const ids = async () => (await get(data.application_id)).participants.map(({ id }) => id);
      expect(await ids()).to.deep.equal([null, known.id]);
      const late = await test.tenant('nobody-yet@mail.example');
      expect(await ids()).to.deep.equal([late.id, known.id]);
    });
  });

  describe('refuses with 400, names the field and creates nothing:', () => {
    const tenants = people('a@mail.example', 'b@mail.example');
    const six = Array.from({ length: 6 }, (_, index) => ({ email: `n${index}@mail.example`, is_lead: index === 0 }));
    const one = (tenant: unknown) => ({ title: 'T', tenants: [tenant] });
    const cases: [string, unknown, RegExp][] = [
      ['no title', { tenants }, /^title: /],
      ['a title of 256 characters', { title: 'a'.repeat(256), tenants }, /^title: /],
      ['a title of 256 emoji', { title: '🏠'.repeat(256), tenants }, /^title: /],
      ['a title that is a number', { title: 7, tenants }, /^title: /],
      ['a title that is null', { title: null, tenants }, /^title: /],
      ['a title with a NUL', { title: 'a\0b', tenants }, /^title: /],
      ['a title with a lone surrogate', { title: 'a\ud83c', tenants }, /^title: /],
      ['no tenants', { title: 'T' }, /^tenants: /],
      ['an empty list', { title: 'T', tenants: [] }, /tenants: /],
      ['six people', { title: 'T', tenants: six }, /^tenants: /],
      ['tenants that are no list', { title: 'T', tenants: { 0: tenants[0] } }, /^tenants: /],
      ['a tenant that is a string', one('a@mail.example'), /^tenants\.0: /],
      ['a tenant that is null', one(null), /^tenants\.0: /],
      ['no e-mail', one({ is_lead: true }), /^tenants\.0\.email: /],
      ['an invalid e-mail', one({ email: 'a.mail.example', is_lead: true }), /^tenants\.0\.email: /],
      ['an e-mail with a line break', one({ email: 'a@mail.example\n', is_lead: true }), /^tenants\.0\.email: /],
      ['two addresses in one', one({ email: 'a@mail.example,b@b.example', is_lead: true }), /^tenants\.0\.email: /],
      ['an empty e-mail', one({ email: '', is_lead: true }), /^tenants\.0\.email: /],
      ['an e-mail that is null', one({ email: null, is_lead: true }), /^tenants\.0\.email: /],
      ['the same e-mail twice', { title: 'T', tenants: people('a@m.example', 'a@m.example') }, /^tenants\.1\.email: /],
      ['it in another case', { title: 'T', tenants: people('a@m.example', 'A@M.example') }, /^tenants\.1\.email: /],
      ['no lead', { title: 'T', tenants: tenants.map(({ email }) => ({ email })) }, /^tenants: exactly one .*none/],
      [
        'only false leads',
        { title: 'T', tenants: tenants.map((t) => ({ ...t, is_lead: false })) },
        /^tenants: exactly/,
      ],
      ['two leads', { title: 'T', tenants: tenants.map((t) => ({ ...t, is_lead: true })) }, /^tenants: exactly one/],
      ['is_lead as a string', one({ email: 'a@m.example', is_lead: 'true' }), /^tenants\.0\.is_lead: /],
      ['is_lead as a number', one({ email: 'a@m.example', is_lead: 1 }), /^tenants\.0\.is_lead: /],
      ['is_lead null', one({ email: 'a@m.example', is_lead: null }), /^tenants\.0\.is_lead: /],
      ['an unknown field', { title: 'T', tenants, property_id: 'p' }, /property_id: is not a field/],
      ['an unknown field of a tenant', one({ email: 'a@m.example', is_lead: true, name: 'A' }), /name: is not a field/],
      ['a list as body', [{ title: 'T', tenants }], /./],
      ['null as body', null, /./],
    ];
    for (const [what, body, message] of cases)
      it(what, async () => {
        const before = [await countOf('applications'), await countOf('participants'), await countOf('invites')];
        const answer = await post(JSON.stringify(body));
        expect(answer.status, answer.text).to.equal(400);
        const refusal: Refusal = JSON.parse(answer.text);
        expect(refusal.message).to.match(message);
        const after = [await countOf('applications'), await countOf('participants'), await countOf('invites')];
        expect(after).to.deep.equal(before);
      });

    it('no body, an empty one and one that is not JSON', async () => {
      await test.alice.refused('createApplication', 400);
      for (const text of ['', '{', 'title=T', '{"title": "T", "tenants": [}']) {
        const answer = await post(text);
        expect(answer.status, answer.text).to.equal(400);
      }
    });

    it('every fault at once, field by field', async () => {
      const answer = await post(JSON.stringify({ title: 1, tenants: [{ email: 'x' }] }));
      expect(JSON.parse(answer.text).message).to.include('title: ').and.include('tenants.0.email: ');
    });
  });

  describe('invites', () => {
    it('everyone except the lead by one e-mail that names the application and, in the subject, only the landlord', async () => {
      const title = 'Ático “Ñandú” 🏠, 7º';
      await create(test.alice, title, 'host@mail.example', "o'brien+flat@mail.example", 'Guest.Two@mail.example');
      for (const address of ["o'brien+flat@mail.example", 'Guest.Two@mail.example']) {
        const [mail, ...more] = await invited(address);
        expect(more).to.be.empty;
        expect(mail?.to?.map((to) => to.address)).to.deep.equal([address]);
        expect(mail?.subject).to.include('Casa Clara').and.not.include('Ático');
        expect(mail?.text).to.include(title);
        expect(mail?.cc).to.equal(undefined);
      }
      expect(await mailsTo('host@mail.example')).to.be.empty;
      const toLeads = test.service.runtime
        .db('invites')
        .join('participants', 'participants.id', 'invites.participant_id')
        .where('participants.is_lead', 1);
      expect(await toLeads).to.be.empty;
    });

    it('no one else and with nothing else, whatever the title contains', async () => {
      const title = 'Flat\r\nBcc: spy@mail.example\r\nX-Injected: yes\r\n\r\n<script>\n.\n';
      await create(test.alice, title, 'inj-lead@mail.example', 'inj-guest@mail.example');
      const [mail] = await invited('inj-guest@mail.example');
      const names = mail?.headers.map(({ key }) => key) ?? [];
      expect(names).to.include('subject').and.not.include.members(['bcc']);
      expect(names).to.not.include('x-injected');
      expect(mail?.bcc).to.equal(undefined);
      expect(mail?.to).to.have.length(1);
      expect(mail?.subject).to.not.match(/[\r\n]/);
      expect(await mailsTo('spy@mail.example')).to.be.empty;
    });
  });

  describe('for people whose application already exists', () => {
    it('returns it for any order and case, with its first title and another message, and changes nothing', async () => {
      const first = await create(test.alice, 'First', 'ana@mail.example', 'ben@mail.example', 'eva@mail.example');
      for (const email of ['ben@mail.example', 'eva@mail.example']) await invited(email);
      const before = await get(first.data.application_id);
      const invites = await countOf('invites');
      for (const emails of [
        ['ana@mail.example', 'ben@mail.example', 'eva@mail.example'],
        ['EVA@mail.example', 'ana@mail.example', 'Ben@Mail.Example'],
        ['ben@mail.example', 'eva@mail.example', 'ana@mail.example'],
      ]) {
        const again = await create(test.alice, 'Second', ...emails);
        expect(again.status).to.equal('success');
        expect(again.message).to.not.equal(first.message);
        expect(again.data).to.deep.equal(first.data);
      }
      expect(await get(first.data.application_id)).to.deep.equal(before);
      expect(await countOf('invites')).to.equal(invites);
      // The queue is ordered: once a later invitation is sent, an earlier one would have been sent, too.
      await create(test.alice, 'Later', 'later-lead@mail.example', 'later@mail.example');
      await invited('later@mail.example');
      for (const [email, mails] of [
        ['ana@mail.example', 0],
        ['ben@mail.example', 1],
        ['eva@mail.example', 1],
        ['EVA@mail.example', 0],
        ['Ben@Mail.Example', 0],
      ] as const)
        expect(await mailsTo(email), email).to.have.length(mails);
    });

    it('creates a new one for more people, for fewer and for another API key of the same landlord', async () => {
      const ids = [
        await create(test.alice, 'Two', 'p1@mail.example', 'p2@mail.example'),
        await create(test.alice, 'Three', 'p1@mail.example', 'p2@mail.example', 'p3@mail.example'),
        await create(test.alice, 'One', 'p1@mail.example'),
        await create(test.alice, 'Joined', 'p1p2@mail.example'),
        await create(test.bob, 'Bob', 'p1@mail.example', 'p2@mail.example'),
        await create(test.charlie, 'Charlie', 'p1@mail.example', 'p2@mail.example'),
      ].map(({ data }) => data.application_id);
      expect(new Set(ids).size).to.equal(ids.length);
    });

    it('compares with the current participants: a removal changes the set', async () => {
      const emails = ['r1@mail.example', 'r2@mail.example', 'r3@mail.example'];
      const three = await create(test.alice, 'Were three', ...emails);
      const params = { applicationId: three.data.application_id, email: 'r3@mail.example' };
      await test.alice.ok('removeParticipant', { params });
      const two = await create(test.alice, 'Two', ...emails.slice(0, 2));
      expect(two.data).to.deep.equal(three.data);
      const threeAgain = await create(test.alice, 'Three again', ...emails);
      expect(threeAgain.data.application_id).to.not.equal(three.data.application_id);
      expect(threeAgain.message).to.equal(three.message);
    });

    it('always returns the oldest when removals left several with the same people', async () => {
      const made: string[] = [];
      for (const extra of ['m3', 'm4', 'm5', 'm6', 'm7'].map((name) => [`${name}@mail.example`])) {
        const { data } = await create(test.alice, extra.join(), 'm1@mail.example', 'm2@mail.example', ...extra);
        made.push(data.application_id);
      }
      // Youngest first, so that the oldest is the last to have these people.
      for (const [applicationId, email] of made
        .map((id, index) => [id, `m${index + 3}@mail.example`] as const)
        .reverse())
        await test.alice.ok('removeParticipant', { params: { applicationId, email } });
      for (let call = 0; call < 10; call++)
        expect((await create(test.alice, 'Again', 'm2@mail.example', 'm1@mail.example')).data).to.deep.equal({
          application_id: made[0],
          title: 'm3@mail.example',
        });
      // A change to the others does not matter either.
      await test.alice.ok('updateParticipant', {
        params: { applicationId: made[1] ?? '', email: 'm1@mail.example' },
        body: { name: 'Changed' },
      });
      expect((await create(test.alice, 'Again', 'm1@mail.example', 'm2@mail.example')).data.application_id).to.equal(
        made[0],
      );
    });
  });

  describe('called concurrently', () => {
    it('creates one application and one invitation per address for 200 identical calls', async () => {
      const emails = ['crowd-0@mail.example', 'crowd-1@mail.example', 'crowd-2@mail.example'];
      const applications = await countOf('applications');
      const invites = await countOf('invites');
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          create(test.alice, `Call ${index}`, ...(index % 2 ? emails : emails.toReversed())),
        ),
      );
      expect(new Set(answers.map(({ data }) => data.application_id)).size).to.equal(1);
      expect(new Set(answers.map(({ data }) => data.title)).size).to.equal(1);
      expect(new Set(answers.map(({ message }) => message)).size).to.equal(2);
      expect(await countOf('applications')).to.equal(applications + 1);
      expect(await countOf('invites')).to.equal(invites + 2);
      const { db } = test.service.runtime;
      await eventually('no invitation waits', async () => !(await db('invites').where({ status: 'pending' }).first()));
      const mails = await Promise.all(emails.map(mailsTo));
      expect(mails.map(({ length }) => length).sort()).to.deep.equal([0, 1, 1]);
      const { length } = await db('invites').where({ status: 'sent' }).select('id');
      expect(await mailbox()).to.have.length(length);
      // Participants who were removed before their turn get no mail.
      const others = await db('invites')
        .join('participants', 'participants.id', 'invites.participant_id')
        .whereNot({ status: 'sent' })
        .whereNull('removed_at');
      expect(others).to.deep.equal([]);
    });

    it('creates one application each for 60 different sets of two API keys', async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          create(index % 2 ? test.alice : test.bob, 'Parallel', `par-${index}@mail.example`, 'shared@mail.example'),
        ),
      );
      expect(new Set(answers.map(({ data }) => data.application_id)).size).to.equal(60);
    });
  });
});
