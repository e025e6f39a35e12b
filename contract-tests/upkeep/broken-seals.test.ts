import { expect } from 'chai';
import { sealText } from '../../core/secrets/secrets.ts';
import { HOUR_MS, isoAfter } from '../../core/time.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { suiteFixture } from '../../harness/mocha/fixtures.ts';
import { Admin } from '../../harness/service/admin.ts';
import { BankPerson } from '../../harness/service/bank-person.ts';
import { addressOf } from '../../harness/service/every-route.ts';
import { look, submit } from '../../harness/service/links.ts';
import { addTestMember, MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { workOn } from '../../harness/service/work.ts';
import { consoleRoutes, deskRoutes } from '../../http/backoffice/routes.ts';
import { SEALED_COLUMNS } from '../../jobs/upkeep/sealed-things.ts';
import { rotateSecret } from '../../jobs/webhooks/webhook-care.ts';
import { sampleDocument } from '../../providers/sandbox/sample-document.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';
import { type Scene, setScene } from '../console/scene.ts';

databases('either');

/** What a provider remembers of a verification, the key of reports, and the form of events in earlier versions: no page reads them. */
const READ_BY_WORK = new Set([
  ...['kyc_verifications.sealed_memory', 'eid_flows.sealed_memory', 'eid_attempts.sealed_luggage'],
  ...['signing_keys.sealed_key', 'events.body'],
]);
/** Pages of the value itself. */
const SHOWS_THE_VALUE = /^\/(reports\/:id\/|deliveries\/:id\/body|analyses\/:id\/picture)/;
const FILTERS = ['missing=documents', 'outcome=tampered'];

describe('sealed values that no key opens', () => {
  const test = useService({ ...CONSOLE, RUN_WORKERS: 'false' });
  const admin = new Admin(test);
  const scene: Scene = suiteFixture(() => setScene(test));
  let member: MemberBrowser;
  let operator: OperatorBrowser;
  let person: BankPerson;
  let picture = '';
  const db = () => test.service.runtime.db;

  before(async () => {
    const { runtime } = test.service;
    const choice = { documents: 'payslip:2', mails_progress: true, mails_reminders: true };
    await inTransaction(db(), (trx) => setLandlordSettings(trx, test.landlords.ours, choice));
    member = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    operator = await OperatorBrowser.signIn(test, 'operator');
    scene.examples['/members/'] = (await addTestMember(test, 'viewer', { landlordId: test.landlords.ours })).id;
    await rotateSecret(runtime, scene.hook.id, { secret: 'another', overlapMs: 3_600_000 });
    person = await BankPerson.of(test, 'marta.ruiz@mail.example');
    const body = new FormData();
    body.append('type', 'payslip');
    body.append('file', new Blob([new Uint8Array(sampleDocument(['Payslip January']))]), 'payslip.pdf');
    await fetch(`${test.service.url}${person.link}/documents`, { method: 'POST', body });
    picture = /documents\/[\w-]+\/picture/.exec(await person.look(`${person.link}/documents`))?.[0] ?? expect.fail();
    await person.consent({ code: 'salary' });
    await workOn(runtime, 'fetch-bank', (await person.latest()).id);
    expect((await person.act('hand-in')).status).to.equal(303);
    expect((await person.agree()).status).to.equal(303);
    const verified = {
      status: 'verified',
      result: sealText('{"name":"Marta Ruiz"}', runtime.keys.encryption),
    } as const;
    await db()('kyc_verifications').update({ ...verified, finished_at: runtime.now().toISOString() });
    // As earlier versions kept it.
    const sealed_file = sealText(Buffer.from('%PDF-1.7').toString('base64'), runtime.keys.encryption);
    await db()('reports').update({ sealed_file });
    await decide();
    await keepForms();
  });

  /** Each sends a form that asks for a proof of who they are, because they signed in long ago. */
  async function keepForms() {
    const sessions = ['member_sessions', 'console_sessions'] as const;
    const signedIn = (created_at: string) => Promise.all(sessions.map((table) => db()(table).update({ created_at })));
    const { now } = test.service.runtime;
    await signedIn(isoAfter(now(), -HOUR_MS / 3));
    const asked = [];
    for (const [office, routes] of [
      [member, deskRoutes],
      [operator, consoleRoutes],
    ] as const) {
      const route = routes.find(({ method, needsProof }) => needsProof && method === 'POST') ?? expect.fail();
      asked.push(await office.act(addressOf(route, scene), { reason: 'typed' }));
    }
    expect(asked.map(({ status }) => status)).to.deep.equal([403, 403]);
    await signedIn(now().toISOString());
  }

  async function decide() {
    const path = `/analyses/${scene.examples['/analyses/']}`;
    const { text } = await operator.open(path);
    const form = text.slice(text.indexOf('class="decide"'));
    const field = (name: string) => readable(new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? '');
    const finding = { document: field('document'), rule: field('rule'), finding: field('finding') };
    await operator.act(`${path}/decide`, { ...finding, decision: 'confirmed', reason: 'The employer said so.' });
  }

  const isShown = ({ method, path }: { method: string; path: string }) =>
    method === 'GET' && !SHOWS_THE_VALUE.test(path);
  const statuses = async () => {
    const found: [string, number][] = [];
    for (const route of deskRoutes.filter(isShown)) {
      const path = addressOf(route, scene);
      found.push([`desk ${path}`, (await member.open(path)).status]);
    }
    for (const route of consoleRoutes.filter(isShown)) {
      const path = addressOf(route, scene);
      found.push([`console ${path}`, (await operator.open(path)).status]);
    }
    for (const filter of FILTERS) found.push([filter, (await member.open(`/applications?${filter}`)).status]);
    for (const page of ['', '/documents', '/bank', '/data'])
      found.push([`person ${page}`, (await look(test, `${person.link}${page}`)).status]);
    found.push(['copy', (await submit(test, `${person.link}/data/copy`, {})).status]);
    return found.filter(([, status]) => status !== 200);
  };

  it('take no page with them while there are none', async () => {
    expect(await statuses()).to.deep.equal([]);
    expect((await look(test, `${person.link}/${picture}`)).status).to.equal(200);
  });

  for (const { kind, table, id, column } of SEALED_COLUMNS.filter(
    ({ table, column }) => !READ_BY_WORK.has(`${table}.${column}`),
  ))
    it(`in ${table}.${column} take no other page with them, nor a list, nor a person’s copy of their data, and are counted`, async () => {
      const rows = db()<Record<string, string>>(table);
      const kept = await rows.clone().whereNotNull(column).select({ id, text: column });
      expect(kept).to.not.deep.equal([]);
      await rows
        .clone()
        .whereNotNull(column)
        .update({ [column]: Buffer.alloc(64).toString('base64') });
      try {
        expect(await statuses()).to.deep.equal([]);
        expect((await look(test, `${person.link}/${picture}`)).status).to.be.oneOf([200, 404]);
        const counts = await admin.json<Record<string, unknown>[]>('encryption', 'status');
        expect(counts.find(({ key }) => key === 'none')?.[kind]).to.equal(kept.length);
      } finally {
        for (const row of kept)
          await rows
            .clone()
            .where({ [id]: row['id'] })
            .update({ [column]: row['text'] });
      }
    });
});
