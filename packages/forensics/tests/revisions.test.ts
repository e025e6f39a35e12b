import { PDFDocument } from '@cantoo/pdf-lib';
import { qpdf } from '@tenant-screening/forensics-corpus/producers/qpdf.ts';
import { expect } from 'chai';
import { revisionsOf } from '../pdf/revisions.ts';
import { BARE, latin, revised, source, textOf } from './fixtures/pdf-source.ts';

describe('revisions of a PDF', () => {
  const first = source({ objects: BARE });
  const second = revised(first, { objects: { 3: BARE[3] } });
  const ends = (bytes: Uint8Array) => revisionsOf(bytes).map(({ end }) => end);

  it('are one per save, each with the file as it was then', () => {
    expect(ends(first)).to.deep.equal([first.length]);
    expect(ends(second)).to.deep.equal([first.length, second.length]);
    expect(revisionsOf(second).map(({ start }) => start)).to.deep.equal([0, first.length]);
  });

  it('are also found with cross-reference streams', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    const bytes = await document.save({ useObjectStreams: true });
    const signed = revised(latin(`${textOf(bytes)}\n`), { objects: { 20: '<< >>' } });
    expect(ends(signed)).to.deep.equal([bytes.length + 1, signed.length]);
  });

  it('are one for a linearised file, and two when it was saved again', async () => {
    const linearised = await qpdf(first, ['--linearize']);
    expect(textOf(linearised).match(/%%EOF/g)).to.have.length(2);
    expect(ends(linearised)).to.deep.equal([linearised.length]);
    const again = revised(linearised, { objects: { 30: '<< >>' } });
    expect(ends(again)).to.deep.equal([linearised.length, again.length]);
  });

  it('do not count the first part of a linearised file, even when its marker leads to a cross-reference', () => {
    const root = '<< /Linearized 1 /L 0000000000 /Type /Catalog /Pages 2 0 R >>';
    const parts = revised(source({ objects: { ...BARE, 1: root } }), { objects: { 4: '<< >>' } });
    const whole = latin(textOf(parts).replace('0000000000 /Type', `${String(parts.length).padStart(10, '0')} /Type`));
    expect(ends(parts)).to.have.length(2);
    expect(ends(whole)).to.deep.equal([whole.length]);
  });

  it('do not count a PDF embedded in a stream', () => {
    const inner = textOf(source({ objects: { ...BARE, 9: '(inner)' } }));
    const outer = source({ objects: { ...BARE, 4: `<< /Length ${inner.length} >>\nstream\n${inner}\nendstream` } });
    expect(ends(outer)).to.deep.equal([outer.length]);
  });

  it('are found after bytes before the header, wherever offsets count from', () => {
    const shifted = latin(`junk from a mail gateway\n${textOf(second)}`);
    expect(ends(shifted)).to.deep.equal([first.length + 25, shifted.length]);
    const counted = source({ objects: BARE, garbage: 'junk\n' });
    expect(textOf(counted).startsWith('junk')).to.equal(true);
    expect(ends(counted)).to.deep.equal([counted.length]);
  });

  it('ignore trailing bytes without objects, and count those with objects', () => {
    expect(ends(latin(`${textOf(first)}\0\0\0 advertisement`))).to.deep.equal([first.length]);
    const sloppy = latin(`${textOf(first)}9 0 obj\n(new)\nendobj\nstartxref\n99999\n%%EOF\n`);
    expect(ends(sloppy)).to.deep.equal([first.length, sloppy.length]);
  });

  it('are one, up to the end, when no marker leads anywhere', () => {
    const broken = latin(textOf(first).replace(/startxref\n\d+/, 'startxref\n77777'));
    expect(revisionsOf(broken)).to.deep.equal([{ start: 0, end: broken.length }]);
    expect(revisionsOf(latin('no PDF at all'))).to.deep.equal([{ start: 0, end: 13 }]);
    expect(revisionsOf(new Uint8Array(0))).to.deep.equal([]);
  });

  it('are bounded however often a file claims to have been saved', () => {
    expect(revisionsOf(latin(`%PDF-1.7\n${'startxref\n9\n%%EOF\n'.repeat(50_000)}`)).length).to.be.at.most(5000);
  });
});
