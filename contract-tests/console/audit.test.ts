import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases, dialect } from '../../harness/database/dialect.ts';
import { until } from '../../harness/process/until.ts';
import { useOperatorAtWork } from './at-work.ts';

databases('either');

describe('the audit log in the console', () => {
  const { scene, operator, db } = useOperatorAtWork();

  async function verified(form: Record<string, string> = {}): Promise<string> {
    expect((await operator.act('/audit', form)).status).to.equal(303);
    let text = '';
    await until('the verification has ended', async () => {
      text = readable((await operator.open('/audit')).text);
      return !text.includes('>verifying<');
    });
    return text;
  }

  it('lists every entry exactly once across its pages, with any filter', async () => {
    for (let times = 0; times < 40; times++) await operator.open(`/people/${scene.examples['/people/']}`);
    const all = await db()('audit_entries').orderBy('sequence', 'desc');
    const filters: [query: string, matches: (entry: (typeof all)[number]) => boolean][] = [
      ['', () => true],
      [`actor=${operator.name}`, ({ actor }) => actor === operator.name],
      [`resource=${scene.paused}`, ({ resource_id }) => resource_id === scene.paused],
      ['action=tenant.read', ({ action }) => action === 'tenant.read'],
      ['action=webhook', ({ action }) => action.startsWith('webhook.')],
      ['since=2099-01-01', () => false],
    ];
    for (const [query, matches] of filters) {
      const seen: number[] = [];
      for (let next: string | undefined = `/audit?${query}`; next !== undefined; ) {
        const { text }: { text: string } = await operator.open(next);
        seen.push(...[...text.matchAll(/audit\/(\d+)"/g)].map(([, sequence]) => Number(sequence)));
        const older: string | undefined = /href="[^"]*(\/audit\?[^"]*)" rel="next"/.exec(text)?.[1];
        next = older && readable(older);
      }
      expect(seen, query).to.deep.equal(all.filter(matches).map(({ sequence }) => Number(sequence)));
    }
  });

  it('refuses malformed filters and heads, and answers 404 for absent entries', async () => {
    for (const query of ['since=yesterday', 'before=x'])
      expect((await operator.open(`/audit?${query}`)).status).to.equal(400);
    expect((await operator.open('/audit/999999')).status).to.equal(404);
    expect((await operator.open('/audit/x')).status).to.equal(404);
    expect((await operator.act('/audit', { head: '17' })).status).to.equal(400);
  });

  it('is verified as on the command line: when intact, against a saved or a forged head, and with a changed entry', async () => {
    const holds = await verified();
    expect(holds).to.include('The audit log holds');
    const head = /\d+:[0-9a-f]{64}/.exec(holds)?.[0] ?? expect.fail('no head');
    expect(await verified({ head })).to.include('The audit log holds');
    const forged = head.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect(await verified({ head: forged })).to.include('it was rewritten up to position');
    // Tampers as the database owner could.
    await db().raw(`drop trigger audit_entries_no_change${dialect === 'postgres' ? ' on audit_entries' : ''}`);
    await db()('audit_entries').where({ position: 3 }).update({ action: 'landlord.forged' });
    expect(await verified()).to.include('the entry at position 3, or its place, was changed');
    const recorded = await db()('audit_entries').where({ actor: operator.name, action: 'database.verify-audit' });
    expect(recorded).to.have.length(4);
  });
});
