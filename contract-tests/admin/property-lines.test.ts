import { expect } from 'chai';
import { lineBlocks } from '../../bin/admin/property/line-blocks.ts';
import type { ImportLine } from '../../db/properties/staged-properties.ts';
import { databases } from '../../harness/database/dialect.ts';
import { csvLines, jsonLines } from '../../jobs/properties/property-lines.ts';

databases('none');

async function* pieces(text: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const blocks = (text: string | Buffer, size?: number) => lineBlocks(pieces(text, size));

const HEADER = 'workspace_name,property_id,street,floor';
const readAll = async (lines: AsyncIterable<ImportLine[]>) => (await Array.fromAsync(lines)).flat();
const csv = (text: string | Buffer) => readAll(csvLines(blocks(text)));
const failure = async (reading: Promise<unknown>) => {
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  return error instanceof Error ? error.message : expect.fail('it was read');
};

describe('the lines of an import file', () => {
  const property = (property_id: string, rest = {}) => ({ property_id, ...rest });
  const wrong = (field: string) => ({ code: 'value', field });
  const W = { workspace_id: undefined, workspace_name: 'W' };

  it('are separated by comma, semicolon or tab, with a byte order mark, CRLF, quotes, blank lines and spaces around cells', async () => {
    for (const separator of [',', ';', '\t'])
      for (const end of ['\n', '\r\n']) {
        const rows = [
          HEADER,
          'W,1,"Calle ""A"", 1;\t2",3',
          '',
          ',,,',
          `W, 2 ,"two${end}lines",-1`,
          ' "W" ,3,null,',
          'W,4,ñandú 🏠,',
        ];
        const text = rows.map((row) => row.replace(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, separator)).join(end);
        expect(await csv(`\ufeff${text}`)).to.deep.equal([
          { line: 2, ...W, property: property('1', { street: 'Calle "A", 1;\t2', floor: 3 }) },
          { line: 5, ...W, property: property('2', { street: `two${end}lines`, floor: -1 }) },
          { line: 7, ...W, property: property('3', { street: null }) },
          { line: 8, ...W, property: property('4', { street: 'ñandú 🏠' }) },
        ]);
      }
  });

  it('keep their numbers after a fault, which affects no other line', async () => {
    const rows = [
      HEADER,
      'W,1,"never closed,2',
      'W,2,"a" b,2',
      'W,3,half "quoted",2',
      'W,4,fine,2',
      'W,5,one cell more,2,3',
      'W,6,"two\nlines",2.5',
      'W,7,,1e3',
      ',8,,',
      'W,,Somewhere,',
      `W,9,,${2 ** 31}`,
      `W,${'9'.repeat(256)},,`,
      'null,10,"a\0b",',
      'W,11,fine,2',
      'W,12,"open to the end,2\n',
    ];
    const read = await csv(rows.join('\n'));
    const faults = read.map(({ line, fault = 'none' }) => `${line} ${fault}`);
    expect(faults).to.deep.equal([
      '2 a quoted cell is followed by something other than a separator',
      '3 a quoted cell is followed by something other than a separator',
      '4 a quotation mark is in a cell that is not quoted; quote the cell, and double the mark',
      '5 none',
      '6 has 5 cells, where the header has 4',
      '7 floor: must be a whole number',
      '9 floor: must be a whole number',
      '10 needs a workspace_id or a workspace_name',
      '11 needs a property_id or a property_reference to be found again by',
      '12 floor: must be at most 2147483647',
      '13 property_id: must have at most 255 characters',
      '14 workspace_name: must be a string; street: must not contain NUL or a lone surrogate',
      '15 none',
      '16 a quotation mark is opened and never closed',
    ]);
  });

  it('are objects with a property’s fields in JSON', async () => {
    const rows = [
      '{"workspace_name":"W","property_id":"1","street":null,"rent_amount":0.1}',
      '',
      '{"workspace_name":"W","property_id":"2"',
      '["W"]',
      '{"workspace_name":"W","property_id":"3","rent\\u0000\\ud800":1}',
      '{"workspace_name":"W","property_id":"4","postalCode":"28014"}',
    ];
    expect(await readAll(jsonLines(blocks(rows.join('\r\n'))))).to.deep.equal([
      { line: 1, ...W, property: property('1', { street: null, rent_amount: 0.1 }) },
      { line: 3, fault: 'is not JSON' },
      { line: 4, ...wrong(''), fault: 'must be an object' },
      { line: 5, ...wrong('rent\0\ud800'), fault: 'rent \ufffd: is not a field' },
      { line: 6, ...wrong('postalCode'), fault: 'postalCode: is not a field. Did you mean `postal_code`?' },
    ]);
  });

  it('are all refused when the header or the encoding is wrong, and the message says where', async () => {
    const latin = Buffer.concat([Buffer.from(`${HEADER}\nW,1,é,\nW,2,`), Buffer.from([0xe9]), Buffer.from(',\n')]);
    expect(await failure(csv(latin))).to.equal('line 3 is not in UTF-8; save the file as UTF-8');
    expect(await failure(csv('workspace_name,rent,floors\n'))).to.match(
      /^the header names "rent", "floors"; the fields are workspace_id, .*, bathrooms\. Did you mean `floor`\?$/,
    );
    expect(await failure(csv('workspace_name,constructor\n'))).to.match(/"constructor"/);
    expect(await failure(csv('floor,property_id,floor,workspace_id\n'))).to.equal('the header repeats "floor"');
    expect(await failure(csv(''))).to.equal('the file is empty: it lacks even a header');
    expect(await csv('\n\nworkspace_name;property_reference\n')).to.deep.equal([]);
    expect(await failure(csv('property_id\n'))).to.equal('the header needs workspace_id or workspace_name');
    expect(await failure(csv('workspace_id\n'))).to.equal('the header needs property_id or property_reference');
    expect(await failure(csv('"workspace_id\n'))).to.match(/^the header: a quotation mark/);
    expect(await failure(readAll(csvLines(blocks('x'.repeat(3_000_000), 65_536))))).to.equal(
      'line 1 is longer than 1 MiB',
    );
  });
});
