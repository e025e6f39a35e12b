import { expect } from 'chai';
import type { Finding, Rule } from '../rule.ts';
import { c2paManifest } from '../rules/picture/c2pa-manifest.ts';
import { cameraClaims } from '../rules/picture/camera-claims.ts';
import { pngResidue } from '../rules/picture/png-residue.ts';
import {
  type ExifFields,
  manifestStore,
  picture,
  withChunk,
  withExif,
  withManifest,
  withSegment,
  withXmp,
} from './fixtures/picture-files.ts';
import { jpeg, png } from './fixtures/pictures.ts';

const PLAIN = { width: 64, height: 48, data: new Uint8Array(64 * 48 * 3).fill(200) };
const PHONE: ExifFields = {
  make: 'Apple',
  model: 'iPhone 12',
  software: '17.4.1',
  takenAt: '2024:03:30 12:00:00',
  changedAt: '2024:03:30 12:00:00',
  width: 64,
  height: 48,
  makerNote: Buffer.alloc(20),
};
const GENERATED = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia';

describe('metadata about a picture’s camera, programs and origin', () => {
  let file: Uint8Array;
  let drawn: Uint8Array;
  before(async () => {
    file = await jpeg(PLAIN, 85);
    drawn = await png(PLAIN);
  });

  const found = async (rule: Rule, kind: 'jpeg' | 'png', bytes: Uint8Array): Promise<Finding[]> => {
    const verdict = await rule.run(picture(kind, bytes));
    return verdict.status === 'finding' ? verdict.findings : [];
  };
  const claims = (fields: ExifFields) => found(cameraClaims, 'jpeg', withExif(file, fields));

  it('a phone’s picture passes, even when the phone’s gallery rotated or cropped it', async () => {
    expect(await claims(PHONE)).to.eql([]);
    expect(await claims({ ...PHONE, width: 48, height: 64, changedAt: '2024:05:01 10:00:00' })).to.eql([]);
    expect(await claims({ ...PHONE, make: 'samsung', model: 'SM-G991B', software: 'G991BXXU5CVDD' })).to.eql([]);
  });

  it('a picture without metadata, as messengers leave it, is not judged', async () => {
    expect((await cameraClaims.run(picture('jpeg', file))).status).to.equal('not_applicable');
    expect((await cameraClaims.run(picture('png', drawn))).status).to.equal('not_applicable');
  });

  it('a retouching program after a camera is reported with both', async () => {
    const [finding, ...others] = await claims({ ...PHONE, software: 'Adobe Photoshop 25.0 (Windows)' });
    expect(others).to.eql([]);
    expect(finding?.message).to.equal(
      'The picture, which says that it was taken with Apple iPhone 12, was saved by Adobe Photoshop, a program for retouching pictures.',
    );
    expect(finding?.strength).to.equal(undefined);
    expect(finding?.evidence[0]).to.deep.include({ after: 'Adobe Photoshop 25.0 (Windows)' });
  });

  it('a retouching program is found in XMP and its history, in comments, in Photoshop’s export settings, and in a PNG', async () => {
    const history =
      'xmp:CreatorTool="1.0"><xmpMM:History><rdf:Seq><rdf:li stEvt:action="saved" stEvt:softwareAgent="Affinity Photo 2"/></rdf:Seq></xmpMM:History></rdf:Description><rdf:Description x="y"';
    const ducky = withSegment(
      withSegment(file, 0xec, Buffer.from('Ducky\0\x01\0\x04')),
      0xed,
      Buffer.from('Photoshop 3.0\x008BIM'),
    );
    const files: ['jpeg' | 'png', Uint8Array, string][] = [
      ['jpeg', withXmp(file, 'xmp:CreatorTool="Canva"'), 'Canva'],
      ['jpeg', withXmp(file, history), 'Affinity Photo'],
      ['jpeg', withSegment(file, 0xfe, Buffer.from('Created with GIMP')), 'GIMP'],
      ['jpeg', ducky, 'Adobe Photoshop'],
      ['png', withChunk(drawn, 'tEXt', Buffer.from('Software\0Paint.NET 5.0')), 'Paint.NET'],
    ];
    for (const [kind, bytes, name] of files) {
      const [finding] = await found(cameraClaims, kind, bytes);
      expect(finding?.message).to.equal(`The picture was saved by ${name}, a program for retouching pictures.`);
    }
  });

  it('programs for sorting and brightening, later sizes, tables and odd dates are context only', async () => {
    const all = [
      ...(await claims({ ...PHONE, software: 'Adobe Photoshop Lightroom Classic 13' })),
      ...(await claims({ ...PHONE, width: 4032, height: 3024 })),
      ...(await claims({ make: 'Apple', model: 'iPhone 12' })),
      ...(await claims({ ...PHONE, takenAt: '2024:04:30 12:00:00' })),
    ];
    expect(all.map(({ message }) => message)).to.eql([
      'The picture, which says that it was taken with Apple iPhone 12, was saved by Adobe Lightroom.',
      'The picture was saved again after Apple iPhone 12 took it: its size is another.',
      'The picture was saved again after Apple iPhone 12 took it: it is compressed as common programs do, not as that camera does.',
      'The picture says that it was taken on 2024-04-30, after it was last changed, on 2024-03-30.',
    ]);
    expect(new Set(all.map(({ strength }) => strength))).to.eql(new Set(['context']));
  });

  it('a record that says that a computer generated the picture is reported, from a JPEG in pieces and from a PNG', async () => {
    const store = manifestStore('Firefly', [
      { action: 'c2pa.created', digitalSourceType: GENERATED, softwareAgent: 'Firefly 3' },
    ]);
    for (const [kind, bytes] of [
      ['jpeg', withManifest(file, store, 70)],
      ['png', withChunk(drawn, 'caBX', store)],
    ] as const) {
      const [generated, record] = await found(c2paManifest, kind, bytes);
      expect(generated?.message).to.equal(
        'The picture’s own record says that it was generated by a computer, with Firefly.',
      );
      expect(generated?.evidence[0]?.details).to.eql({ action: 'c2pa.created', program: 'Firefly 3' });
      expect(record?.strength).to.equal('context');
    }
  });

  it('a record of a camera or an edit is context, and XMP’s word for generated pictures counts too', async () => {
    const edited = withManifest(file, manifestStore('Camera', [{ action: 'c2pa.opened' }, { action: 'c2pa.edited' }]));
    const findings = await found(c2paManifest, 'jpeg', edited);
    expect(findings.map(({ message, strength }) => [message, strength])).to.eql([
      ['The picture has a record of its origin, written by Camera, and names these steps: opened, edited.', 'context'],
    ]);
    const said = await found(c2paManifest, 'jpeg', withXmp(file, `Iptc4xmpExt:DigitalSourceType="${GENERATED}"`));
    expect(said[0]?.message).to.equal('The picture’s own record says that it was generated by a computer.');
    expect((await c2paManifest.run(picture('jpeg', file))).status).to.equal('not_applicable');
  });

  it('an image generator’s settings in a PNG are reported, and no other text is', async () => {
    const asked = Buffer.from('parameters\0an identity card\nSteps: 20, Sampler: Euler, CFG scale: 7');
    const [finding] = await found(pngResidue, 'png', withChunk(drawn, 'tEXt', asked));
    expect(finding?.message).to.equal('The file carries the settings of an image generator, Stable Diffusion.');
    const harmless = withChunk(drawn, 'tEXt', Buffer.from('parameters\0width=3'));
    expect(await pngResidue.run(picture('png', harmless))).to.include({ status: 'passed' });
  });
});
