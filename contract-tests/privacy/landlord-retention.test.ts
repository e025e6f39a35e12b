import { expect } from 'chai';
import { newId } from '../../core/ids.ts';
import { keptDays, type PeriodSetting, periodNames, periodSettings } from '../../core/rules/landlord-settings.ts';
import { DAY_MS } from '../../core/time.ts';
import { setLandlordSettings } from '../../db/access/landlord-settings.ts';
import { inTransaction } from '../../db/connection/transactions.ts';
import { retentionRules } from '../../db/privacy/old-data.ts';
import { WebBrowser } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { addDocument } from '../../harness/service/held-person.ts';
import { startTestService, type TestService } from '../../harness/service/service.ts';
import { retain, retentionNow } from '../../jobs/privacy/retain.ts';

databases('both');

const [OPERATORS, OURS] = [100, 10];
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
/** Too old for one landlord, not for the operator; and for neither. */
const [between, young] = [daysAgo(OURS + 1), daysAgo(OURS - 1)];
const settings = Object.fromEntries(Object.values(periodSettings).map((name) => [name, String(OPERATORS)]));
const ruled = retentionRules.filter(({ setting }) => periodNames.some((name) => periodSettings[name] === setting));

describe('a landlord’s own retention', () => {
  let test: TestService;
  let tenantId: string;
  beforeEach(async () => {
    test = await startTestService({ RUN_WORKERS: 'false', ...settings });
    ({ id: tenantId } = await test.tenant('rosa@mail.example'));
  });
  afterEach(() => test.stop());

  const db = () => test.service.runtime.db;
  const choose = (days: Partial<Record<PeriodSetting, number>>, landlordId = test.landlords.ours) =>
    inTransaction(db(), (trx) => setLandlordSettings(trx, landlordId, days));
  const everything = (days: number) => Object.fromEntries(periodNames.map((name) => [name, days]));
  const keyOf = async ({ clientId }: { clientId: string }) =>
    (await db()('api_keys').where({ client_id: clientId }).pluck('id'))[0] ?? '';

  interface Row {
    id: string;
    api_key_id: string;
    at: string;
  }
  const ended = ({ id, api_key_id, at }: Row) => ({
    ...{ id, api_key_id, tenant_id: tenantId, provider: 'sandbox', failures: 0, failure: null, due_at: null },
    ...{ created_at: at, expires_at: at, finished_at: at, sealed_memory: null },
  });
  /** For each rule: its table, and a row that was last changed, made, or ended at a time. */
  const rows: Record<string, (row: Row) => readonly [table: string, row: object, kept?: string]> = {
    applications: ({ id, api_key_id, at }) => [
      'applications',
      { id, api_key_id, title: 'Flat', active_email_key: id, created_at: at, updated_at: at },
    ],
    documents: ({ id, api_key_id, at }) => ['documents', { ...document, id, api_key_id, created_at: at }],
    'bank connections': (row) => [
      'bank_connections',
      {
        ...ended(row),
        participant_id: 'any',
        status: 'read',
        bank: 'any',
        country: 'ES',
        agreed_at: row.at,
        agreed_to: '',
      },
    ],
    reports: ({ id, api_key_id, at }) => [
      'reports',
      { id, api_key_id, application_id: 'any', language: 'en', sealed_viewer: '', status: 'made', created_at: at },
    ],
    looks: ({ id, api_key_id, at }) => [
      'looks',
      { id, api_key_id, tenant_id: tenantId, looker: 'agent', what: 'document', at },
    ],
    'KYC results': (row) => ['kyc_verifications', { ...ended(row), status: 'verified', result: '{}' }, 'result'],
    'eID flows': (row) => ['eid_flows', { ...ended(row), status: 'succeeded', redirect_url: 'https://any.example' }],
    analyses: ({ id, api_key_id, at }) => [
      'forensic_runs',
      { id, api_key_id, tenant_id: tenantId, status: 'completed', created_at: at, finished_at: at, result: '{}' },
      'result',
    ],
  };
  let document: object;

  it('covers every rule whose setting it may shorten', () => {
    expect(Object.keys(rows)).to.have.members(ruled.map(({ name }) => name));
  });

  for (const { name } of ruled)
    it(`deletes ${name} of all its API keys after its days; those of other landlords stay as long as the operator says`, async () => {
      await addDocument(test, tenantId, 'any.pdf', 'any');
      document = (await db()('documents').first()) ?? {};
      await db()('documents').delete();
      const put = async (client: { clientId: string }, at: string) => {
        const id = newId();
        const [table, row, kept] = rows[name]?.({ id, api_key_id: await keyOf(client), at }) ?? expect.fail(name);
        await db()(table).insert({ ...row });
        return async () => {
          const found: Record<string, unknown> | undefined = await db()(table).where({ id }).first();
          return found !== undefined && (kept === undefined || found[kept] !== null);
        };
      };
      const { alice, bob, charlie } = test;
      const gone = [await put(alice, between), await put(bob, between)];
      const stay = [await put(alice, young), await put(charlie, between)];
      const operators = await put(charlie, daysAgo(OPERATORS + 1));
      const due = async () => (await retentionNow(test.service.runtime)).find(({ rule }) => rule === name)?.due;
      expect(await due()).to.equal(1);
      await choose(everything(OURS));
      expect(await due()).to.equal(3);
      await retain(test.service.runtime);
      expect(await due()).to.equal(0);
      for (const isThere of gone) expect(await isThere()).to.equal(false);
      for (const isThere of stay) expect(await isThere()).to.equal(true);
      expect(await operators()).to.equal(false);
    });

  it('is never longer than the operator’s, also once the operator’s became shorter', async () => {
    await choose({ retain_applications_days: OPERATORS + 50 });
    const { application_id } = (
      await test.alice.ok('createApplication', {
        body: { title: 'Flat', tenants: [{ email: 'rosa@mail.example', is_lead: true }] },
      })
    ).data;
    await db()('applications').update({ updated_at: daysAgo(OPERATORS + 1) });
    await retain(test.service.runtime);
    await test.alice.refused('getApplication', 404, { params: { applicationId: application_id } });
    expect([keptDays(30, 60), keptDays(30, 10), keptDays(undefined, 60), keptDays(30, null)]).to.deep.equal([
      ...[30, 10, 60, 30],
    ]);
  });

  it('is what people read before they agree to an identity check, and other landlords’ people read the operator’s', async () => {
    await choose({ retain_verifications_days: OURS });
    for (const [client, days] of [
      [test.alice, OURS],
      [test.charlie, OPERATORS],
    ] as const) {
      await client.ok('createApplication', {
        body: { title: 'Flat', tenants: [{ email: 'rosa@mail.example', is_lead: true }] },
      });
      const { verification_url } = (await client.ok('initiateKyc', { params: { tenantId } })).data;
      const { text } = await new WebBrowser().open(verification_url);
      expect(text).to.match(new RegExp(`\\b${days} days`));
    }
  });
});
