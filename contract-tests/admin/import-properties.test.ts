import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import { OperatorError } from '../../bin/admin/cli/faults.ts';
import { parsePropertyFile } from '../../bin/admin/property/json-document.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Admin, columnsOf } from '../../harness/service/admin.ts';
import { useService } from '../../harness/service/service.ts';

databases('either');

describe('the command line’s property import', () => {
  const test = useService();
  const admin = new Admin(test);

  interface Imported {
    landlord_id: string;
    added: number;
    changed: number;
    unchanged: number;
    workspaces_added: number;
    workspaces_changed: number;
  }
  interface Listed {
    property_id: string;
    property_reference: string | null;
    workspace_id: string;
    workspace_name: string;
  }
  const full = {
    property_reference: 'MAD-1',
    rent_amount: 1450.55,
    street: 'Calle de Alcalá',
    street_number: 42,
    entrance_stairwell: 'A',
    floor: -1,
    letter: 'B',
    postal_code: '08001',
    municipality: 'Madrid',
    province: 'Madrid',
    bedrooms: 2,
    bathrooms: 1,
  };
  const importing = (path: string, landlord = test.landlords.ours) =>
    admin.json<Imported>('property', 'import', '--landlord', landlord, path);
  const served = async (property_id: string, workspace_id: string, client = test.alice) =>
    (await client.ok('getProperty', { params: { property_id }, query: { workspace_id } })).data.property;
  const counts = async () => {
    const { db } = test.service.runtime;
    return [await db('workspaces').select('*').orderBy('id'), await db('properties').select('*').orderBy('id')];
  };

  it('resolves the file from the folder where npm was called', async () => {
    await admin.file({ workspaces: [{ workspace_name: 'From here' }] }, 'here.json');
    const command = ['property', 'import', '--landlord', test.landlords.ours, 'here.json'];
    expect(await admin.run(command, { INIT_CWD: test.folder })).to.include({ code: 0, stderr: '' });
    expect(await admin.refused(1, command)).to.match(/cannot read /);
  });

  it('serves every field to the landlord’s keys, under the given or new identifiers', async () => {
    const workspace_id = randomUUID().toUpperCase();
    const path = await admin.file({
      workspaces: [
        { workspace_id, workspace_name: 'Given', properties: [{ ...full, property_id: 'cli-flat' }] },
        { workspace_name: 'New', properties: [{ property_reference: 'MAD-2' }] },
      ],
    });
    const imported = await importing(path);
    expect(imported).to.include({ landlord_id: test.landlords.ours, added: 2, workspaces_added: 2 });
    expect(await served('cli-flat', workspace_id)).to.deep.equal({
      ...full,
      property_id: 'cli-flat',
      workspace_id: workspace_id.toLowerCase(),
    });
    const all = await admin.json<Listed[]>('property', 'list', '--landlord', test.landlords.ours);
    const made = all.find(({ workspace_name }) => workspace_name === 'New');
    expect(await served(made?.property_id ?? '', made?.workspace_id ?? '', test.bob)).to.include({
      property_reference: 'MAD-2',
    });
    const query = { workspace_id };
    await test.charlie.refused('getProperty', 404, { params: { property_id: 'cli-flat' }, query });
    const listed = await admin.text('property', 'list', '--landlord', test.landlords.ours);
    expect(columnsOf(listed)).to.include.members(['property id', 'workspace id', 'workspace name']);
    expect(listed).to.include('cli-flat');
    expect(all.find(({ property_id }) => property_id === 'cli-flat')).to.include({ workspace_name: 'Given' });
  });

  it('creates no duplicates when it runs twice, in sequence or concurrently, with or without identifiers', async () => {
    const workspaces = [
      { workspace_id: randomUUID(), workspace_name: 'Twice A', properties: [{ property_id: 'twice-a' }] },
      { workspace_name: 'Twice B', properties: [{ property_reference: 'B1' }, { property_reference: 'B2' }] },
    ];
    const path = await admin.file({ workspaces });
    const [first, second] = await Promise.all([importing(path), importing(path)]);
    expect([first.added, second.added].sort()).to.deep.equal([0, 3]);
    expect([first.workspaces_added, second.workspaces_added].sort()).to.deep.equal([0, 2]);
    const before = await counts();
    expect(await importing(path)).to.include({ added: 0, changed: 0, unchanged: 3, workspaces_added: 0 });
    expect(await admin.text('property', 'import', '--landlord', test.landlords.ours, path)).to.match(
      /^Nothing was changed: everything in the file exists already\./,
    );
    expect(await counts()).to.deep.equal(before);
  });

  it('takes a property_id that is a UUID in either case, also of a property stored in capitals', async () => {
    const [made, stored] = [randomUUID(), randomUUID()];
    const importWith = async (...ids: string[]) => {
      const properties = ids.map((property_id, floor) => ({ property_id, floor }));
      return importing(await admin.file({ workspaces: [{ workspace_name: 'Cases', properties }] }));
    };
    await importWith(made.toUpperCase(), stored);
    const { db } = test.service.runtime;
    const rename = { property_id: stored.toUpperCase() };
    expect(await db('properties').where({ property_id: stored }).update(rename)).to.equal(1);
    expect(await importWith(made, stored)).to.include({ added: 0, unchanged: 2 });
    expect(await importWith(made.toUpperCase(), stored.toUpperCase())).to.include({ added: 0, unchanged: 2 });
    expect(await db('properties').where({ property_id: made })).to.have.lengthOf(1);
    for (const id of [made, stored])
      expect(await admin.json<Listed>('property', 'delete', '--yes', id.toUpperCase())).to.have.property('property_id');
  });

  it('refuses a property whose reference would become ambiguous beside one of the file', async () => {
    const moving = { property_id: 'moving', property_reference: 'Same' };
    await importing(await admin.file({ workspaces: [{ workspace_name: 'Moves from', properties: [moving] }] }));
    const before = await counts();
    const properties = [{ property_id: 'moving' }, { property_reference: 'Same' }];
    const path = await admin.file({ workspaces: [{ workspace_name: 'Moves to', properties }] });
    expect(await admin.refused(1, ['property', 'import', '--landlord', test.landlords.ours, path])).to.include(
      'workspaces.0.properties.1.property_reference: repeats workspaces.0.properties.0',
    );
    expect(await counts()).to.deep.equal(before);
  });

  it('updates existing properties: given fields, names and the workspace; null clears a field, an omitted one stays', async () => {
    const workspace_id = randomUUID();
    const other = randomUUID();
    const flat = { ...full, property_id: 'changing' };
    await importing(await admin.file({ workspaces: [{ workspace_id, workspace_name: 'Old', properties: [flat] }] }));
    const properties = [{ property_id: 'changing', rent_amount: 1500, letter: null }];
    const moved = [
      { workspace_id, workspace_name: 'Renamed' },
      { workspace_id: other, workspace_name: 'Other', properties },
    ];
    await importing(await admin.file({ workspaces: moved }));
    const { letter: _emptied, ...kept } = flat;
    expect(await served('changing', other)).to.deep.equal({ ...kept, rent_amount: 1500, workspace_id: other });
    expect((await test.alice.ok('listWorkspaces')).data.workspaces).to.deep.include({
      workspace_id,
      workspace_name: 'Renamed',
    });
  });

  it('refuses another landlord’s identifiers, and then changes nothing', async () => {
    const workspace_id = randomUUID();
    const theirs = [{ workspace_id, workspace_name: 'Theirs', properties: [{ property_id: 'theirs' }] }];
    await importing(await admin.file({ workspaces: theirs }), test.landlords.other);
    const before = await counts();
    const run = async (...workspaces: object[]) =>
      admin.refused(1, ['property', 'import', '--landlord', test.landlords.ours, await admin.file({ workspaces })]);
    const fresh = { workspace_name: 'Never kept', properties: [{ property_reference: 'Never kept' }] };
    expect(await run(fresh, { workspace_id, workspace_name: 'Mine now' })).to.match(
      /workspaces\.1: .*another landlord/,
    );
    expect(
      await run(fresh, { workspace_name: 'Mine', properties: [{ property_id: 'x1' }, { property_id: 'theirs' }] }),
    ).to.match(/workspaces\.1\.properties\.1: .*another landlord/);
    expect(await counts()).to.deep.equal(before);
    const path = await admin.file({ workspaces: [] });
    expect(await admin.refused(1, ['property', 'import', '--landlord', 'absent', path])).to.match(/landlord list/);
    expect(await admin.refused(1, ['property', 'list', '--landlord', 'absent'])).to.match(/landlord list/);
  });

  it('asks which one is meant when a name or a reference is ambiguous', async () => {
    const ids = [randomUUID(), randomUUID()];
    const twins = ids.map((workspace_id) => ({ workspace_id, workspace_name: 'Twins' }));
    await importing(await admin.file({ workspaces: twins }));
    const path = await admin.file({ workspaces: [{ workspace_name: 'Twins' }] });
    expect(await admin.refused(1, ['property', 'import', '--landlord', test.landlords.ours, path])).to.match(
      /workspaces\.0\.workspace_id: is required, because 2 match/,
    );
  });

  it('checks the whole file first and names each fault by its place', async () => {
    const before = await counts();
    const workspace = (...properties: unknown[]) => ({ workspaces: [{ workspace_name: 'W', properties }] });
    const cases: [unknown, RegExp[]][] = [
      ['{"workspaces":[}', [/is not JSON/]],
      [[], [/the file: must be an object/]],
      [{}, [/ workspaces: is required/]],
      [{ workspaces: [{}] }, [/ workspaces\.0\.workspace_name: is required/]],
      [
        workspace({ property_id: 'a' }, { property_id: 'b', rent: 1 }, { property_id: 'c', floor: 1.5, street: 7 }),
        [
          / workspaces\.0\.properties\.1\.rent: is not a field/,
          / workspaces\.0\.properties\.2\.floor: must be a whole number/,
          / workspaces\.0\.properties\.2\.street: must be a string/,
        ],
      ],
      [workspace({ property_id: 'a', floor: 2 ** 31 }), [/properties\.0\.floor: must be at most 2147483647/]],
      [workspace({ property_id: 'a', street: 'a\0b' }), [/properties\.0\.street: must not contain NUL/]],
      [workspace({ property_id: '' }), [/properties\.0\.property_id: /]],
      [workspace({ property_id: null }), [/properties\.0\.property_id: /]],
      [workspace({ floor: 1 }), [/properties\.0: needs a property_id or a property_reference/]],
      [workspace({ property_id: 'a' }, { property_id: 'a' }), [/properties\.1\.property_id: repeats/]],
      [
        workspace({ property_reference: 'a' }, { property_reference: 'a' }),
        [/properties\.1\.property_reference: repeats/],
      ],
      [
        { workspaces: [{ workspace_id: '7', workspace_name: 'W' }] },
        [/workspaces\.0\.workspace_id: must be a UUID, such as/],
      ],
      [{ workspaces: [{ workspace_name: 'W' }, { workspace_name: 'W' }] }, [/workspaces\.1\.workspace_name: repeats/]],
    ];
    const run = (file: string) =>
      admin.refused(1, ['property', 'import', '--landlord', test.landlords.ours, join(test.folder, file)]);
    for (const [content, patterns] of cases) {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      const read = () => parsePropertyFile('a file', Buffer.from(text));
      for (const pattern of patterns) expect(read).to.throw(OperatorError, pattern);
    }
    const wrongAtItsEnd = [
      { workspace_name: 'W', properties: [{ property_id: 'a' }] },
      { workspace_name: 'X', street: 7 },
    ];
    await admin.file({ workspaces: wrongAtItsEnd }, 'wrong.json');
    expect(await run('wrong.json')).to.match(/nothing was changed: workspaces\.1\.street: is not a field/);
    await run('absent.json');
    expect(await counts()).to.deep.equal(before);
  });
});
