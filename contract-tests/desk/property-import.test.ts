import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { readable } from '../../harness/browser/web-browser.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Admin } from '../../harness/service/admin.ts';
import { MemberBrowser } from '../../harness/service/members.ts';
import { useService } from '../../harness/service/service.ts';
import { lineFields } from '../../jobs/properties/property-lines.ts';

databases('both');

describe('the import of properties', () => {
  const test = useService({ RUN_WORKERS: 'false' });
  const db = () => test.service.runtime.db;
  let agent: MemberBrowser;
  const post = async (csv: string, path = '') => {
    const answer = await agent.act(`/properties/import${path}`, { csv });
    return { status: answer.status, text: readable(answer.text) };
  };
  const create = (csv: string) => post(csv, '/create');
  const stored = async () => [
    await db()('workspaces').select('*').orderBy('id'),
    await db()('properties').select('*').orderBy('id'),
  ];
  const byReference = (property_reference: string) => db()('properties').where({ property_reference }).first();

  before(async () => {
    agent = await MemberBrowser.signIn(test, 'agent', { landlordId: test.landlords.ours });
  });

  it('names the columns of the command line’s import on the page', async () => {
    const { text } = await agent.open('/properties/import');
    for (const field of lineFields) expect(text).to.include(`<code>${field}</code>`);
  });

  it('previews without a change, imports once, and changes nothing twice', async () => {
    const csv =
      'workspace_name;property_reference;rent_amount;street\nCentre;MAD-1;1450,50;Calle Mayor\nNorth;MAD-2;;\n';
    const before = await stored();
    const shown = await post(csv);
    expect(shown.text).to.include('MAD-1').and.include('1,450.50').and.include('Nothing has been changed yet');
    expect(await stored()).to.deep.equal(before);
    expect((await create(csv)).text).to.include('The properties were imported.');
    expect(await byReference('MAD-1')).to.include({ rent_amount: 1450.5, street: 'Calle Mayor' });
    const after = await stored();
    expect((await post(csv)).text).to.include('Everything in the table exists already.');
    await create(csv);
    expect(await stored()).to.deep.equal(after);
    const audited = {
      action: 'property.import',
      actor_kind: 'member',
      actor: agent.id,
      resource_id: test.landlords.ours,
    };
    expect(await db()('audit_entries').where(audited)).to.have.lengthOf(1);
  });

  it('shows what a changed value replaces; an empty cell leaves a value, null clears it', async () => {
    await create('workspace_name,property_reference,rent_amount,street,letter\nEdits,E-1,900,Old street,B');
    const csv = 'workspace_name,property_reference,rent_amount,street,letter\nEdits,E-1,950.25,,null';
    expect((await agent.act('/properties/import', { csv })).text)
      .to.match(/<del>.*900\.00.*<\/del>.*950\.25/)
      .and.match(/<del>.*B.*<\/del>.*none/);
    await create(csv);
    expect(await byReference('E-1')).to.include({ rent_amount: 950.25, street: 'Old street', letter: null });
  });

  it('moves a property and renames a workspace by their identifiers', async () => {
    await create('workspace_name,property_reference\nFrom,M-1\nInto,M-2');
    const [moved, into] = [
      await byReference('M-1'),
      await db()('workspaces').where({ workspace_name: 'Into' }).first(),
    ];
    const header = 'workspace_id,workspace_name,property_id';
    const csv = `${header}\n${into?.workspace_id},Into the wild,${moved?.property_id}`;
    expect((await post(csv)).text)
      .to.include('Renamed workspaces')
      .and.include('From');
    await create(csv);
    expect(await byReference('M-1')).to.include({ workspace_internal_id: into?.id });
    expect(
      await db()('workspaces')
        .where({ id: into?.id ?? 0 })
        .first(),
    ).to.include({ workspace_name: 'Into the wild' });
  });

  it('answers alike for another landlord’s identifiers and for absent ones', async () => {
    const [workspace_id, property_id] = [randomUUID(), randomUUID()];
    const admin = new Admin(test);
    const theirs = [{ workspace_id, workspace_name: 'Theirs', properties: [{ property_id }] }];
    const path = await admin.file({ workspaces: theirs });
    await admin.json('property', 'import', '--landlord', test.landlords.other, path);
    const before = await stored();
    for (const to of ['', '/create']) {
      const [workspace, absent] = [randomUUID(), randomUUID()];
      const lines = (id: string, property: string) =>
        `workspace_id,workspace_name,property_id\n${id},Mine,\n,Mine,${property}\n,Mine,${property}`;
      const theirs = await post(lines(workspace_id, property_id), to);
      const none = await post(lines(workspace, absent), to);
      expect(theirs.text).to.include('Line 2').and.include('Line 4').and.include('nothing was imported');
      const anonymous = (text: string, ...ids: string[]) => ids.reduce((rest, id) => rest.replaceAll(id, 'id'), text);
      expect(anonymous(theirs.text, workspace_id, property_id)).to.equal(anonymous(none.text, workspace, absent));
    }
    expect(await stored()).to.deep.equal(before);
  });

  const header = 'workspace_name,property_reference,floor';
  const wrong: Record<string, [csv: string, ...said: string[]]> = {
    'an empty table': ['', 'Line 1', 'no lines'],
    'a header alone': [header, 'no lines'],
    'an unknown column': ['workspace_name,property_reference,rent\nW,R,1', 'rent', 'no such column'],
    'a missing column': ['property_reference\nR', 'workspace_id, workspace_name', 'one of these columns'],
    'a repeated column': ['workspace_name,property_reference,floor,floor\nW,R,1,1', 'floor', 'twice'],
    'a value of the wrong kind': [`${header}\nW,R,first`, 'Line 2', 'floor', 'does not fit'],
    'a text that is too long': [`${header}\nW,${'x'.repeat(256)},1`, 'Line 2', 'property_reference', 'does not fit'],
    'a line without a workspace': [`${header}\n,R,1`, 'Line 2', 'names no workspace'],
    'a line without a property': [`${header}\nW,,1`, 'Line 2', 'names no property'],
    'a cell too many': [`${header}\nW,R,1,2`, 'Line 2', 'more cells'],
    'an open quotation mark': [`${header}\n"W,R,1`, 'Line 2', 'quotation marks'],
    'a repeated reference': [`${header}\nW,R,1\n\nW,R,2`, 'Line 4', 'Line 2 has the same reference'],
  };
  for (const [what, [csv, ...said]] of Object.entries(wrong))
    it(`says where ${what} is, and changes nothing`, async () => {
      const before = await stored();
      for (const to of ['', '/create']) {
        const { text } = await post(csv, to);
        for (const word of said) expect(text).to.include(word);
        expect(text).to.include('nothing was imported');
      }
      expect(await stored()).to.deep.equal(before);
    });

  it('keeps nothing of a refused table, so that the next one is read', async () => {
    await post(`${header},unknown\nW,R,1,1`);
    expect((await post(`${header}\nW,Next,1`)).text).to.include('Next');
  });

  it('refuses more workspaces than the desk can list', async () => {
    const csv = ['workspace_name,property_reference', ...Array.from({ length: 201 }, (_, index) => `W${index},R`)];
    const before = await stored();
    for (const to of ['', '/create'])
      expect((await post(csv.join('\n'), to)).text).to.include('at most 200 workspaces');
    expect(await stored()).to.deep.equal(before);
  });

  it('imports a table once for two members who confirm it at the same time', async () => {
    const other = await MemberBrowser.signIn(test, 'admin', { landlordId: test.landlords.ours });
    const csv = 'workspace_name,property_reference\nTwice,T-1\nTwice,T-2';
    await Promise.all([agent, other].map((member) => member.act('/properties/import/create', { csv })));
    expect(await db()('properties').whereIn('property_reference', ['T-1', 'T-2'])).to.have.lengthOf(2);
  });
});
