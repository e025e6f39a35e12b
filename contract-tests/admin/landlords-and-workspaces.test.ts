import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import sharp from 'sharp';
import { findLandlordBrand } from '../../db/access/landlord-brands.ts';
import { addWorkspace } from '../../db/properties/workspaces.ts';
import { databases } from '../../harness/database/dialect.ts';
import { Admin, misunderstood } from '../../harness/service/admin.ts';
import { type TestService, useService } from '../../harness/service/service.ts';

databases('either');

type Row = Record<string, unknown>;

/** A picture of one colour with a stroke in the middle. */
function picture(width: number, height: number, background = '#0b6b4f', stroke = background) {
  const create = { width, height, channels: 4, background } as const;
  const line = {
    create: { width: Math.ceil(width / 2), height: Math.ceil(height / 2), channels: 4, background: stroke },
  } as const;
  return sharp({ create }).composite(stroke === background ? [] : [{ input: line }]);
}

describe('the command line’s landlords and workspaces', () => {
  const test = useService();
  const admin = new Admin(test);

  /** The audit entries of a resource, oldest first. */
  const audited = (resource_id: unknown) =>
    test.service.runtime
      .db('audit_entries')
      .where('resource_id', String(resource_id))
      .orderBy('sequence')
      .pluck('action');

  it('create, rename and list landlords, newest first, and audit the changes', async () => {
    const made = await admin.json<Row>('landlord', 'create', '--name', 'Casa Nueva');
    const id = String(made['landlord_id']);
    const renamed = await admin.json<Row>('landlord', 'rename', id, '--name', 'Casa Vieja');
    expect(renamed).to.deep.equal({ ...made, name: 'Casa Vieja' });
    expect(await admin.text('landlord', 'rename', id, '--name', 'Casa Vieja')).to.match(/nothing changed/);
    expect(await admin.json<Row[]>('landlord', 'list', '--limit', '1')).to.deep.equal([renamed]);
    expect(await admin.text('landlord', 'list', '--limit', '1')).to.match(/newest 1; --limit shows more/);
    expect(await audited(id)).to.deep.equal(['landlord.create', 'landlord.rename']);
    expect(await admin.refused(1, ['landlord', 'rename', 'none', '--name', 'x'])).to.match(/landlord list/);
    await misunderstood('landlord', 'rename', id);
  });

  it('set, show and remove a landlord’s colour and logo, and audit the changes', async () => {
    const landlord = await admin.json<Row>('landlord', 'create', '--name', 'Casa Verde');
    const id = String(landlord['landlord_id']);
    const bare = await admin.json<Row>('landlord', 'show', id);
    expect(bare).to.include({ name: 'Casa Verde', colour: null, logo_bytes: null });
    const file = join(test.folder, 'logo.jpg');
    await writeFile(
      file,
      await picture(3000, 600)
        .jpeg()
        .withExif({ IFD0: { Artist: 'Marta Ruiz' } })
        .toBuffer(),
    );
    const given = await admin.json<Row>('landlord', 'brand', id, '--colour', 'FFD400', '--logo', file);
    expect(given).to.include({ colour: '#ffd400', colour_on_dark: '#ffd400', logo_width: 480, logo_height: 96 });
    expect(given['colour_on_light'])
      .to.match(/^#[0-9a-f]{6}$/)
      .and.not.equal('#ffd400');
    expect(await admin.json('landlord', 'show', id)).to.deep.equal(given);
    expect(await admin.text('landlord', 'brand', id, '--colour', '#ffd400', '--logo', file)).to.match(
      /nothing changed/,
    );
    expect(await admin.json('landlord', 'brand', id, '--no-logo')).to.include({ colour: '#ffd400', logo_bytes: null });
    expect(await admin.json('landlord', 'brand', id, '--no-colour')).to.deep.equal(bare);
    expect(await admin.json('landlord', 'brand', id, '--language', 'ca-ES')).to.include({ language: 'ca' });
    expect(await admin.json('landlord', 'brand', id, '--no-language')).to.deep.equal(bare);
    expect(await audited(id)).to.deep.equal(['landlord.create', ...Array(5).fill('landlord.brand')]);
    expect(await admin.refused(1, ['landlord', 'brand', 'none', '--no-logo'])).to.match(/landlord list/);
    expect(await admin.refused(1, ['landlord', 'show', 'none'])).to.match(/landlord list/);
    expect(await admin.refused(2, ['landlord', 'brand', id])).to.match(/give --colour/);
    await misunderstood('landlord', 'brand', id, '--colour', 'green');
    await misunderstood('landlord', 'brand', id, '--language', 'Klingon');
  });

  it('keep only the pixels of a logo, on a contrasting ground, and delete it with its landlord', async () => {
    const { db } = test.service.runtime;
    const { landlord_id } = await admin.json<Row>('landlord', 'create', '--name', 'Casa Blanca');
    const stored = async (bytes: Buffer) => {
      const file = join(test.folder, 'logo');
      await writeFile(file, bytes);
      await admin.json('landlord', 'brand', String(landlord_id), '--logo', file);
      const row = await findLandlordBrand(db, String(landlord_id));
      const { format, exif, hasAlpha, width } = await sharp(row?.logo ?? '').metadata();
      expect({ format, exif, hasAlpha }).to.deep.equal({ format: 'png', exif: undefined, hasAlpha: false });
      const { data } = await sharp(row?.logo ?? '')
        .raw()
        .toBuffer({ resolveWithObject: true });
      return { width, corner: data[0] };
    };
    const exif = { IFD0: { Artist: 'Marta Ruiz' } };
    expect(await stored(await picture(90, 30, '#ffffff00', '#fafafa').png().withExif(exif).toBuffer())).to.deep.equal({
      width: 90,
      corner: 0,
    });
    expect(await stored(await picture(90, 30, '#00000000', '#0b6b4f').webp().toBuffer())).to.deep.equal({
      width: 90,
      corner: 255,
    });
    expect(await stored(await picture(40, 20, '#777777').toColourspace('b-w').png().toBuffer())).to.deep.equal({
      width: 40,
      corner: 119,
    });
    expect(await stored(await picture(40, 20, '#777777').toColourspace('rgb16').png().toBuffer())).to.deep.equal({
      width: 40,
      corner: 119,
    });
    await db('landlords')
      .where({ id: String(landlord_id) })
      .delete();
    expect(await findLandlordBrand(db, String(landlord_id))).to.equal(undefined);
  });

  it('refuse a logo that is a program, not a picture, damaged, or too large in bytes or pixels', async () => {
    const png = await picture(90, 30).png().toBuffer();
    const bomb = Buffer.from(png);
    // The picture declares dimensions for which it has no pixels; they are rejected without decoding.
    for (const offset of [16, 20]) bomb.writeUInt32BE(60_000, offset);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const refusals: [Buffer, RegExp][] = [
      [Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), /SVG.*export it as a PNG/],
      [Buffer.from('GIF89a'), /not a PNG, JPEG or WebP/],
      [Buffer.from(''), /is empty/],
      [png.subarray(0, png.length / 2), /damaged/],
      [Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]), /larger than 2 MiB/],
      [bomb, /more than 16 megapixels/],
      [await picture(20, 20, '#ffffff00').png().toBuffer(), /entirely transparent/],
    ];
    const file = join(test.folder, 'refused');
    for (const [bytes, message] of refusals) {
      await writeFile(file, bytes);
      const told = await admin.refused(1, ['landlord', 'brand', test.landlords.ours, '--logo', file]);
      expect(told).to.match(message);
    }
    expect(await findLandlordBrand(test.service.runtime.db, test.landlords.ours)).to.equal(undefined);
  });

  it('create and rename workspaces, which only the landlord’s integrations see', async () => {
    const landlord = test.landlords.ours;
    const made = await admin.json<Row>('workspace', 'create', '--landlord', landlord, '--name', 'Madrid centre');
    const id = String(made['workspace_id']);
    expect(made).to.have.all.keys('workspace_id', 'workspace_name', 'landlord_id', 'created_at');
    const seenBy = async (client: TestService['alice']) => (await client.ok('listWorkspaces')).data.workspaces;
    expect(await seenBy(test.alice)).to.deep.equal([{ workspace_id: id, workspace_name: 'Madrid centre' }]);
    expect(await seenBy(test.charlie)).to.deep.equal([]);
    await admin.json('workspace', 'rename', id.toUpperCase(), '--name', 'Madrid north');
    expect(await seenBy(test.bob)).to.deep.equal([{ workspace_id: id, workspace_name: 'Madrid north' }]);
    expect(await admin.text('workspace', 'rename', id, '--name', 'Madrid north')).to.match(/nothing changed/);
    expect(await audited(id)).to.deep.equal(['workspace.create', 'workspace.rename']);
    const again = await admin.text('workspace', 'create', '--landlord', landlord, '--name', 'Madrid north');
    expect(again).to.match(/Another workspace of the landlord has this name/);
    expect(await admin.refused(1, ['workspace', 'create', '--landlord', 'none', '--name', 'x'])).to.match(
      /landlord list/,
    );
    expect(await admin.refused(1, ['workspace', 'rename', 'none', '--name', 'x'])).to.match(/workspace list/);
  });

  it('list workspaces of one landlord or all, with their number of properties', async () => {
    const [landlord, other] = [test.landlords.other, test.landlords.ours];
    const { workspace_id } = await admin.json<Row>('workspace', 'create', '--landlord', landlord, '--name', 'Sevilla');
    const { db } = test.service.runtime;
    await db.transaction((trx) => addWorkspace(trx, other, 'Bilbao', new Date(0)));
    const workspace = await db('workspaces').where('workspace_id', String(workspace_id)).first();
    if (!workspace) return expect.fail('It was not created.');
    for (const property_id of ['a', 'b'])
      await db('properties').insert({ property_id, workspace_internal_id: workspace.id });
    const [listed, ...others] = await admin.json<Row[]>('workspace', 'list', '--landlord', landlord);
    expect(others).to.deep.equal([]);
    expect(listed).to.include({ workspace_id, workspace_name: 'Sevilla', landlord_id: landlord, properties: 2 });
    const all = await admin.json<Row[]>('workspace', 'list');
    expect(all.map(({ landlord_id }) => landlord_id)).to.include.members([landlord, other]);
    expect(await admin.text('workspace', 'list', '--limit', '1')).to.match(/Sevilla +Otra Casa +2$/m);
  });
});
