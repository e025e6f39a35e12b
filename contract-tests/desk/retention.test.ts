import { expect } from 'chai';
import { periodNames, periodSettings } from '../../core/rules/landlord-settings.ts';
import { DAY_MS, MINUTE_MS } from '../../core/time.ts';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useServicePerTest } from '../../harness/service/service.ts';
import { CONSOLE, OperatorBrowser } from '../console/operators.ts';

databases('either');

const OPERATORS = 100;
const settings = Object.fromEntries(Object.values(periodSettings).map((name) => [name, String(OPERATORS)]));

describe('a landlord’s retention at the desk', () => {
  const test = useServicePerTest({ ...CONSOLE, ...settings, RETAIN_ANALYSES_DAYS: 'never', RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  const ana = () => MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
  const chosen = async () => {
    const row = await db()('landlord_settings').where({ landlord_id: test.landlords.ours }).first();
    return periodNames.map((name) => row?.[name] ?? null);
  };

  it('shows what fewer days delete before anything is saved, and then saves them', async () => {
    const admin = await ana();
    const tenants = [{ email: 'rosa@mail.example', is_lead: true }];
    await test.alice.ok('createApplication', { body: { title: 'Flat', tenants } });
    await test.charlie.ok('createApplication', { body: { title: 'Theirs', tenants } });
    const old = new Date(Date.now() - 50 * DAY_MS).toISOString();
    await db()('applications').update({ created_at: old, updated_at: old });
    const days = { retain_applications_days: '30', retain_documents_days: '20' };
    const asked = await admin.act('/settings/retention', days);
    expect(asked.status).to.equal(200);
    expect(readable(asked.text)).to.match(/Applications, since the last change<\/dt><dd>1 record</);
    expect(await chosen()).to.deep.equal([null, null, null, null]);
    expect(await admin.follow(await admin.act('/settings/retention', { ...days, confirmed: 'yes' }))).to.include('30');
    expect(await chosen()).to.deep.equal([30, 20, null, null]);
    // More days delete nothing.
    await admin.follow(await admin.act('/settings/retention', { ...days, retain_applications_days: '60' }));
    expect(await chosen()).to.deep.equal([60, 20, null, null]);
    const audited = await db()('audit_entries').where({ actor: admin.id, action: 'landlord.retention' });
    expect(audited).to.have.length(2);
    await admin.follow(await admin.act('/settings', { contact_name: 'Clara Gil' }));
    expect(await chosen()).to.deep.equal([60, 20, null, null]);
  });

  it('takes no more days than the operator’s, and only whole ones', async () => {
    const admin = await ana();
    for (const wrong of [String(OPERATORS + 1), '0', '1.5', '-3', 'never']) {
      const answer = await admin.act('/settings/retention', { retain_documents_days: wrong, confirmed: 'yes' });
      expect(answer.status, wrong).to.equal(400);
      expect(readable(answer.text)).to.include('from 1 to 100');
    }
    await admin.follow(await admin.act('/settings/retention', { retain_analyses_days: '36500', confirmed: 'yes' }));
    expect(await chosen()).to.deep.equal([null, null, null, 36_500]);
  });

  it('asks for a sign-in of the last 15 minutes', async () => {
    const admin = await ana();
    await admin.open('/settings');
    test.setNow(new Date(Date.now() + 16 * MINUTE_MS));
    const answer = await admin.act('/settings/retention', { retain_documents_days: '20', confirmed: 'yes' });
    expect(answer.status).to.equal(403);
    expect(readable(answer.text)).to.include('Confirm that it is you');
  });

  it('is set by operators in the console, within the same bounds', async () => {
    const operator = await OperatorBrowser.signIn(test, 'operator');
    const here = `/landlords/${test.landlords.ours}/retention`;
    expect((await operator.act(here, { retain_documents_days: '101', confirmed: 'yes' })).status).to.equal(400);
    expect((await operator.act(here, { retain_documents_days: '20' })).status).to.equal(200);
    expect((await operator.act(here, { retain_documents_days: '20', confirmed: 'yes' })).status).to.equal(303);
    expect(await chosen()).to.deep.equal([null, 20, null, null]);
  });
});
