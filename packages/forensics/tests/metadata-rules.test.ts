import { createSigner, signPdf } from '@tenant-screening/forensics-corpus/sign.ts';
import { expect } from 'chai';
import { factsOf } from '../pdf/metadata.ts';
import type { Rule } from '../rule.ts';
import { knownEditor } from '../rules/pdf/known-editor.ts';
import { metadataContradiction } from '../rules/pdf/metadata-contradiction.ts';
import { findingsOn, verdictOn } from './fixtures/payslip.ts';
import { BARE, revised, source, stating } from './fixtures/pdf-source.ts';

const xmp = (properties: string) => `<x:xmpmeta><rdf:RDF><rdf:Description ${properties}/></rdf:RDF></x:xmpmeta>`;
const strengths = async (rule: Rule, bytes: Uint8Array) =>
  (await findingsOn(rule, bytes)).map(({ strength }) => strength);
const messages = async (rule: Rule, bytes: Uint8Array) => (await findingsOn(rule, bytes)).map(({ message }) => message);

describe('the facts of a PDF', () => {
  it('are taken from its dictionary and completed from XMP, with dates in ISO 8601', () => {
    const info = { Producer: 'Payroll Suite', CreationDate: "D:20261031120000+01'00'", ModDate: 'D:20261031' };
    expect(factsOf(stating(info, xmp('xmp:CreatorTool="Forms &amp; More"')))).to.deep.equal({
      producer: 'Payroll Suite',
      creator: 'Forms & More',
      created_at: '2026-10-31T11:00:00Z',
      modified_at: '2026-10-31T00:00:00',
    });
  });

  it('stay verbatim where no date can be parsed, and are never long', () => {
    const facts = factsOf(stating({ Producer: 'x'.repeat(5000), CreationDate: 'last Monday' }));
    expect(facts.producer).to.have.length(200);
    expect(facts.created_at).to.equal('last Monday');
  });
});

describe('programs that edit documents', () => {
  it('are named wherever a file names one, even in an earlier revision, and accuse no one', async () => {
    for (const name of ['Sejda PDF Editor', 'Foxit PhantomPDF 10.1', 'PDFescape Online', 'Wondershare PDFelement'])
      expect(await strengths(knownEditor, stating({ Producer: name })), name).to.deep.equal(['context']);
    expect(await strengths(knownEditor, stating({ Producer: 'Adobe Photoshop 25.0' }))).to.deep.equal(['context']);
    expect(await strengths(knownEditor, stating({ Creator: 'Draw' }))).to.deep.equal(['context']);
    expect(await strengths(knownEditor, stating({}, xmp('xmp:CreatorTool="Canva"')))).to.deep.equal(['context']);
    const list =
      '<xmpMM:History><rdf:li stEvt:action="saved" stEvt:softwareAgent="Adobe Illustrator 27"/></xmpMM:History>';
    expect(await strengths(knownEditor, stating({ Producer: 'Bank' }, list))).to.deep.equal(['context']);
    const laundered = revised(stating({ Producer: 'Sejda PDF Editor' }), {
      objects: { 8: '<< /Producer (Bank) >>' },
      trailer: '/Root 1 0 R /Info 8 0 R',
    });
    expect(await strengths(knownEditor, laundered)).to.deep.equal(['context']);
  });

  it('exclude those that print, scan, write or create documents', async () => {
    const harmless = [
      'Skia/PDF m120',
      'Microsoft® Word für Microsoft 365',
      'Microsoft: Print To PDF',
      'macOS Version 14.2 Quartz PDFContext',
      'GPL Ghostscript 10.00.0',
      'LibreOffice 7.4',
      'Writer',
      'iText® 5.5.13 ©2000-2018 iText Group NV',
      'Adobe PDF Library 15.0',
      'Canon iR-ADV C5535',
      'SAP NetWeaver',
      'OpenText Output Transformation Engine',
      'Acrobat Distiller 20.0',
      'Adobe InDesign 16.4',
    ];
    for (const name of harmless)
      expect(await verdictOn(knownEditor, stating({ Producer: name, Creator: name })), name).to.include({
        status: 'passed',
      });
  });

  it('include those that assemble or compress files', async () => {
    for (const name of [
      'iLovePDF',
      'Smallpdf.com',
      'PDF24 Creator',
      'SAMBox 1.1.19 (www.sejda.org)',
      'PDF-XChange Printer',
    ])
      expect(await strengths(knownEditor, stating({ Producer: name })), name).to.deep.equal(['context']);
  });
});

describe('the statements of a file about itself', () => {
  const made = { CreationDate: "D:20260301100000+01'00'" };

  it('rule each other out: changed or signed before it was created, or on an impossible date', async () => {
    const changed = stating({ ...made, ModDate: "D:20260201100000+01'00'" });
    expect(await messages(metadataContradiction, changed)).to.deep.equal([
      'The file says it was last changed before it was made.',
    ]);
    const day = stating({ CreationDate: 'D:20260231100000Z' });
    expect(await messages(metadataContradiction, day)).to.deep.equal([
      'The file states an impossible date: D:20260231100000Z.',
    ]);
    const signed = await signPdf(stating(made), {
      signer: await createSigner('x'),
      at: new Date('2026-01-15T10:00:00Z'),
    });
    expect(await messages(metadataContradiction, signed)).to.deep.equal([
      'The file says it was signed before it was made.',
    ]);
  });

  it('of one version accuse no one, because templates keep their dates, and archives renew one of them', async () => {
    const template = stating({ ...made, ModDate: "D:20210312101500+01'00'" });
    const archived = stating({ ...made, ModDate: made.CreationDate }, xmp('xmp:ModifyDate="2026-05-01T10:00:00Z"'));
    const day = stating({ CreationDate: 'D:20260231100000Z' });
    for (const bytes of [template, archived, day])
      expect(await strengths(metadataContradiction, bytes)).to.deep.equal(['context']);
  });

  it('name two dates of one event', async () => {
    const apart = stating(made, xmp('xmp:CreateDate="2025-11-01T10:00:00+01:00"'));
    const [finding] = await findingsOn(metadataContradiction, apart);
    expect(finding?.evidence[0]).to.deep.equal({ before: '2025-11-01T09:00:00Z', after: '2026-03-01T09:00:00Z' });
    const later = stating({ ...made, ModDate: 'D:20260302100000Z' }, xmp('xmp:ModifyDate="2026-05-01T10:00:00Z"'));
    expect(await messages(metadataContradiction, later)).to.deep.equal([
      'The file states two dates of its last change, the second later than the first.',
    ]);
  });

  it('must agree in every revision', async () => {
    const renewed = revised(stating(made), {
      objects: { 8: '<< /CreationDate (D:20260601100000Z) >>' },
      trailer: '/Root 1 0 R /Info 8 0 R',
    });
    expect(await messages(metadataContradiction, renewed)).to.deep.equal([
      'An earlier version of the file states another date on which it was made.',
    ]);
  });

  it('may differ by a time zone, a clock, or a program that updates one place only', async () => {
    const tool = 'pdf:Producer="Skia/PDF m120"';
    const harmless = [
      stating({ ...made, ModDate: 'D:20260301090000' }, xmp('xmp:CreateDate="2026-03-01T10:00:00"')),
      stating({ ...made, ModDate: 'D:20260301085930Z' }, xmp('xmp:CreateDate="2026-03-01T09:00:45Z"')),
      stating({ ...made, ModDate: 'D:20260701100000Z' }, xmp('xmp:ModifyDate="2026-03-01T09:00:00Z"')),
      stating({ Producer: 'Skia/PDF m120; modified using iText', ...made }, xmp(tool)),
      stating({ CreationDate: 'D:00010101000000Z', ModDate: 'Mon Jan 5 2026' }),
    ];
    for (const bytes of harmless)
      expect(await verdictOn(metadataContradiction, bytes)).to.include({ status: 'passed' });
    expect(await messages(metadataContradiction, stating({ Producer: 'pypdf', ...made }, xmp(tool)))).to.deep.equal([
      'The file names two different programs that wrote it.',
    ]);
  });

  it('are not checked where a file states nothing', async () => {
    expect((await verdictOn(metadataContradiction, source({ objects: BARE }))).status).to.equal('not_applicable');
  });
});
