import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { qpdf } from '@tenant-screening/forensics-corpus/producers/qpdf.ts';
import { expect } from 'chai';
import { cpuSeconds } from '../cpu-time.ts';
import { Unreadable } from '../model.ts';
import { factsOf, metadataOf } from '../pdf/metadata.ts';
import { charactersOf, entry, textOf as stringOf } from '../pdf/objects.ts';
import { type Structure, structureOf } from '../pdf/structure.ts';
import { BARE, latin, revised, source, stating, textOf } from './fixtures/pdf-source.ts';

const CONTENT = 'BT /F1 12 Tf (Net pay 2.180,40) Tj ET';
const page = { 3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>' };
const plain = source({
  objects: { ...BARE, ...page, 4: `<< /Length ${CONTENT.length} >>\nstream\n${CONTENT}\nendstream` },
});

function contentOf(structure: Structure): string {
  const first = structure.current.pages()[0];
  const stream = structure.current.referred(entry(first?.value, 'Contents'));
  const data = stream && structure.decoded(stream);
  return data === undefined ? '' : Buffer.from(data).toString('latin1').trim();
}

function written(value: string): Structure {
  return structureOf(source({ objects: { ...BARE, 5: value } }));
}

describe('the structure of a PDF', () => {
  it('yields the content of pages however the file is organized', async () => {
    for (const options of [[], ['--linearize'], ['--object-streams=generate'], ['--stream-data=uncompress']])
      expect(contentOf(structureOf(await qpdf(plain, options))), options.join(' ')).to.equal(CONTENT);
  });

  it('yields it for files with restrictions that open without a password, and refuses those that need one', async () => {
    for (const method of [['128', '--use-aes=n'], ['128', '--use-aes=y'], ['256']]) {
      const restricted = structureOf(
        await qpdf(plain, ['--allow-weak-crypto', '--encrypt', '', 'owner', ...method, '--']),
      );
      expect(restricted.encrypted).to.equal(true);
      expect(contentOf(restricted), method.join(' ')).to.equal(CONTENT);
    }
    const locked = await qpdf(plain, ['--encrypt', 'user', 'owner', '256', '--']);
    expect(() => structureOf(locked)).to.throw(Unreadable, 'password');
  });

  it('includes decrypted metadata', async () => {
    const bytes = await qpdf(stating({ Producer: 'Payroll Suite (2024)' }), ['--encrypt', '', 'owner', '256', '--']);
    expect(factsOf(bytes)).to.deep.equal({ producer: 'Payroll Suite (2024)' });
  });

  it('separates what each revision contains', () => {
    const body = '<< /Length 7 >>\nstream\nchanged\nendstream';
    const { views, current } = structureOf(revised(plain, { objects: { 4: body } }));
    const starts = views.map((view) => view.object(4)?.offset);
    expect(views).to.have.length(2);
    expect(current).to.equal(views[1]);
    expect(starts[0]).to.be.below(starts[1] ?? 0);
  });

  it('treats an object freed by a later revision as deleted there, but not in the revision before', () => {
    const start = plain.length;
    const freed = `xref\n4 1\n0000000000 00001 f \ntrailer\n<< /Size 5 /Root 1 0 R /Prev ${textOf(plain).lastIndexOf('xref\n1')} >>\n`;
    const { views } = structureOf(latin(`${textOf(plain)}${freed}startxref\n${start}\n%%EOF\n`));
    expect(views.map((view) => view.object(4) !== undefined)).to.deep.equal([true, false]);
  });

  it('lists unreferenced objects with their position', () => {
    const bytes = source({ objects: { ...BARE, 7: '(no one asks)' } });
    const { objects, current } = structureOf(bytes);
    const [orphan, ...others] = objects.filter(({ number }) => number === 7);
    expect(others).to.have.length(0);
    expect(textOf(bytes.subarray(orphan?.offset, orphan?.end))).to.equal('7 0 obj\n(no one asks)\nendobj');
    expect([...current.reachable()].map(({ number }) => number)).to.have.members([1, 2, 3]);
  });

  it('decodes texts with escapes, brackets and hex, and characters of every encoding', () => {
    const cases: [string, string][] = [
      ['(a\\(b\\)\\\\ (c) \\101\\n)', 'a(b)\\ (c) A\n'],
      ['(one\\\ntwo)', 'onetwo'],
      ['<48 65 6C6C6F2>', 'Hello '],
      ['<FEFF00E4D83DDE00>', 'ä😀'],
      ['<EFBBBFC3A4>', 'ä'],
      ['(\\240\\204)', '€—'],
    ];
    for (const [value, expected] of cases) {
      const text = stringOf(written(value).objects.find(({ number }) => number === 5)?.value);
      expect(text && charactersOf(text), value).to.equal(expected);
    }
  });

  it('finds objects when the table is wrong, like readers that repair files', () => {
    const off = latin(textOf(plain).replace(/startxref\n\d+/, 'startxref\n1'));
    expect(contentOf(structureOf(off))).to.equal(CONTENT);
    const shifted = latin(textOf(plain).replace('%PDF-1.7\n', '%PDF-1.7\n%more\n'));
    expect(contentOf(structureOf(shifted))).to.equal(CONTENT);
  });

  it('decodes chains of filters, and predictors', () => {
    const hex = `${Buffer.from(deflateSync(CONTENT)).toString('hex')}>`;
    const body = `<< /Filter [/ASCIIHexDecode /FlateDecode] /Length ${hex.length} >>\nstream\n${hex}\nendstream`;
    expect(contentOf(structureOf(source({ objects: { ...BARE, ...page, 4: body } })))).to.equal(CONTENT);
    const base = '<~87cURD]i,"Ebo80~>'.slice(2);
    const ascii = `<< /Filter /ASCII85Decode /Length ${base.length} >>\nstream\n${base}\nendstream`;
    expect(contentOf(structureOf(source({ objects: { ...BARE, ...page, 4: ascii } })))).to.equal('Hello World!');
  });

  it('supports pdf-lib’s output, with and without object streams', async () => {
    const document = await PDFDocument.create();
    document.addPage().drawText('x');
    for (const useObjectStreams of [true, false]) {
      const structure = structureOf(await document.save({ useObjectStreams }));
      expect(structure.current.pages()).to.have.length(1);
      expect(metadataOf(structure).producer).to.match(/^pdf-lib/);
    }
  });
});

/** A file whose cross-reference stream places each of these objects in an object stream. */
function compressed(...places: [object: number, stream: number][]): Uint8Array {
  const file = textOf(plain).slice(0, textOf(plain).lastIndexOf('xref\n1'));
  const row = (kind: number, middle: number) => String.fromCharCode(kind, middle >> 8, middle & 255, 0);
  const standing = [1, 2, 3, 4].map((number) => [number, row(1, file.indexOf(`${number} 0 obj`))] as const);
  const rows = [...standing, ...places.map(([object, stream]) => [object, row(2, stream)] as const)];
  const index = rows.map(([number]) => `${number} 1`).join(' ');
  const data = rows.map(([, bytes]) => bytes).join('');
  const head = `/Type /XRef /Size 9 /Root 1 0 R /W [1 2 1] /Index [${index}] /Length ${data.length}`;
  const added = places.map(([object]) => `${object} 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Length 8 >>\nstream\n`);
  const streams = added.map((text, at) => `${text}${places[at]?.[0]} 0 null\nendstream\nendobj\n`).join('');
  const start = file.length + streams.length;
  return latin(
    `${file}${streams}8 0 obj\n<< ${head} >>\nstream\n${data}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`,
  );
}

describe('the structure of a hostile PDF', () => {
  const loops: Record<string, Uint8Array> = {
    'a table that continues itself': latin(
      textOf(plain).replace('/Root 1 0 R', `/Root 1 0 R /Prev ${textOf(plain).lastIndexOf('xref\n1')}`),
    ),
    'references in a circle': source({ objects: { 1: '2 0 R', 2: '1 0 R' } }),
    'pages that are their own children': source({ objects: { ...BARE, 2: '<< /Type /Pages /Kids [2 0 R 2 0 R] >>' } }),
    'lists that never close': latin(`%PDF-1.7\n1 0 obj ${'['.repeat(300_000)}`),
    'dictionaries that never close': latin(`%PDF-1.7\n1 0 obj ${'<</A '.repeat(50_000)}`),
    'a table that promises a trillion rows': latin(textOf(plain).replace('xref\n1 1', 'xref\n1 999999999999')),
    'an object stream that holds itself': source({
      objects: {
        ...BARE,
        5: '<< /Type /ObjStm /N 100000 /First 4 /Length 40 >>\nstream\n5 0 <</Type/ObjStm/N 1/First 4/Length 9>>\nendstream',
      },
    }),
    'texts that never close': latin(`%PDF-1.7\n${'1 0 obj ('.repeat(15_000)}`),
    'more objects than any document has': latin(`%PDF-1.7\n${'1 0 obj 1 endobj\n'.repeat(310_000)}`),
    'a stream whose length is the stream itself': source({
      objects: { ...BARE, 5: '<< /Length 5 0 R >>\nstream\nx\nendstream' },
    }),
    'streams whose lengths are each other': source({
      objects: {
        ...BARE,
        5: '<< /Length 6 0 R >>\nstream\nx\nendstream',
        6: '<< /Length 5 0 R >>\nstream\nx\nendstream',
      },
    }),
    'an object that lies in itself': compressed([5, 5], [6, 5]),
    'object streams that lie in each other': compressed([5, 6], [6, 5]),
  };

  for (const [name, bytes] of Object.entries(loops)) {
    it(`is read to its end: ${name}`, () => {
      const started = cpuSeconds();
      try {
        const { current } = structureOf(bytes);
        current.pages();
        current.reachable();
        for (const number of [1, 2, 3, 4, 5, 6]) current.object(number);
      } catch (error) {
        expect(error).to.be.instanceOf(Unreadable);
      }
      // Seconds of processor time, independent of other load on the machine.
      expect(cpuSeconds() - started).to.be.below(20);
    });
  }

  const refused: Record<string, Uint8Array> = {
    'no PDF': latin('GIF89a'),
  };

  for (const [name, bytes] of Object.entries(refused)) {
    it(`is refused with a reason: ${name}`, () => {
      expect(() => structureOf(bytes)).to.throw(Unreadable, /^The file .+\.$/);
      expect(factsOf(bytes)).to.deep.equal({});
    });
  }

  it('is read apart from a stream that decompresses to hundreds of megabytes', () => {
    const packed = deflateSync(Buffer.alloc(100_000_000)).toString('latin1');
    const about = `/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length}`;
    const { current, objects, decoded } = structureOf(
      source({ objects: { ...BARE, 5: `<< ${about} >>\nstream\n${packed}\nendstream` } }),
    );
    expect(current.pages()).to.have.length(1);
    expect(() => objects.filter(({ number }) => number === 5).map(decoded)).to.throw(Unreadable, 'unpacks');
  });

  it('never throws anything else, whatever bytes are changed', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    for (let round = 0; round < 1500; round++) {
      const bytes = plain.slice(0, random(4) === 0 ? random(plain.length) + 1 : plain.length);
      for (let change = 0; change <= random(8); change++) bytes[random(bytes.length)] = random(256);
      try {
        structureOf(bytes).current.reachable();
      } catch (error) {
        expect(error).to.be.instanceOf(Unreadable);
      }
    }
  });
});
