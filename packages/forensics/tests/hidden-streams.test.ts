import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { examineBytes } from '../examine-bytes.ts';
import { inflateUpToDamage } from '../pdf/damaged.ts';
import { stepsIn } from '../pdf/hand/shows.ts';
import { readPaint } from '../pdf/paint/read-paint.ts';
import { pageContent } from '../pdf/residue/content.ts';
import { structureOf } from '../pdf/structure.ts';
import { rules } from '../rules/index.ts';
import { BARE, source } from './fixtures/pdf-source.ts';

/** A block of the type that does not exist (RFC 1951, 3.2.3). */
const DAMAGE = Buffer.of(0x07);
const UNFINISHED = { finishFlush: constants.Z_SYNC_FLUSH };
const MIB = 1024 * 1024;

/** Text that compresses little, so that the damage is beyond the first pieces. */
function lines(count: number): Buffer {
  let seed = 20_271;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
  return Buffer.from(Array.from({ length: count }, () => `(${next().toString(36)}) Tj`).join('\n'));
}

describe('a stream with damaged data', () => {
  it('is read up to the last byte before the damage', () => {
    for (const count of [1, 100, 1_000, 5_000]) {
      const text = lines(count);
      const damaged = Buffer.concat([deflateRawSync(text, UNFINISHED), DAMAGE, text]);
      const output = inflateUpToDamage(damaged, MIB);
      expect(Buffer.from(output ?? []).equals(text), `${count} lines`).to.equal(true);
    }
  });

  it('is read as it was before the damage, wherever that lies', () => {
    const text = lines(2_000);
    const packed = deflateRawSync(text, UNFINISHED);
    for (let at = 0; at < packed.length; at += 997) {
      const cut = Buffer.concat([packed.subarray(0, at), DAMAGE]);
      const output = Buffer.from(inflateUpToDamage(cut, MIB) ?? expect.fail('it was too long'));
      expect(output.length, `damage at ${at}`).to.be.at.most(text.length + 1);
      const kept = Math.max(0, output.length - 300);
      expect(output.subarray(0, kept).equals(text.subarray(0, kept)), `damage at ${at}`).to.equal(true);
    }
  });

  it('is refused when it unpacks to more than the limit', () => {
    const bomb = Buffer.concat([deflateRawSync(Buffer.alloc(MIB), UNFINISHED), DAMAGE]);
    expect(inflateUpToDamage(bomb, MIB - 1)).to.equal(undefined);
  });
});

describe('a page cannot be hidden from the checks, and is shown by viewers,', () => {
  const TEXT = 'BT /F1 12 Tf 50 700 Td (Net pay for October 2.180,40 EUR) Tj ET';
  const FONTS = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  const stream = (data: Uint8Array, entries: string) =>
    `<< ${entries} /Length ${data.length} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`;
  const file = (contents: string, objects: Record<number, string>) => {
    const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${contents} ${FONTS} >>`;
    return source({ objects: { ...BARE, 3: page, ...objects } });
  };
  const plain = stream(Buffer.from(TEXT), '');

  const read: Record<string, Uint8Array> = {
    'by damage behind its text': file('4 0 R', {
      4: stream(Buffer.concat([deflateSync(TEXT, UNFINISHED), DAMAGE]), '/Filter /FlateDecode'),
    }),
    'by another part in an unknown encoding': file('[4 0 R 5 0 R]', { 4: plain, 5: stream(DAMAGE, '/Filter /Other') }),
    'by LZW whose codes grow late': file('4 0 R', {
      4: stream(
        lateLzw(`${TEXT} ${'% 1 '.repeat(400)}\n${TEXT}`),
        '/Filter /LZWDecode /DecodeParms << /EarlyChange 0 >>',
      ),
    }),
  };
  for (const [name, bytes] of Object.entries(read))
    it(name, async () => {
      const structure = structureOf(bytes);
      const shows = structure.current.pages().map((page) => stepsIn(pageContent(structure, page) ?? bytes).length);
      const painted = await readPaint(bytes);
      expect(shows)
        .to.deep.equal(painted.map((page) => page.shows))
        .and.not.include(0);
    });

  const reported: Record<string, Uint8Array> = {
    'by an unknown encoding': file('4 0 R', { 4: stream(Buffer.from(TEXT), '/Filter /Other') }),
    'by nine megabytes of blanks before its text': file('4 0 R', {
      4: stream(deflateSync(`${' '.repeat(9 * MIB)}${TEXT}`), '/Filter /FlateDecode'),
    }),
  };
  for (const [name, bytes] of Object.entries(reported))
    it(name, async () => {
      const { outcome, checks } = await examineBytes('payslip.pdf', bytes, { rules });
      expect(outcome).to.equal('suspicious');
      expect(checks.flatMap(({ findings }) => findings?.map(({ message }) => message) ?? [])).to.deep.equal([
        'By the structure of the file page 1 has no text, and a viewer shows 27 characters.',
      ]);
    });
});

/** LZW without repetitions, whose codes grow when the table is full, not one code earlier (ISO 32000-1, 7.4.4.2). */
function lateLzw(text: string): Uint8Array {
  let bits = '';
  let entries = 258;
  const put = (code: number) => {
    const width = entries < 512 ? 9 : entries < 1024 ? 10 : entries < 2048 ? 11 : 12;
    bits += code.toString(2).padStart(width, '0');
  };
  put(256);
  for (const [index, byte] of Buffer.from(text).entries()) {
    put(byte);
    if (index > 0) entries++;
  }
  put(257);
  return Uint8Array.from(bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [], (octet) =>
    Number.parseInt(octet, 2),
  );
}
