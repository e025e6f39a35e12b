import { readFileSync } from 'node:fs';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { qpdf } from '@tenant-screening/forensics-corpus/producers/qpdf.ts';
import { createSigner, type SignatureKind, type Signer, signPdf } from '@tenant-screening/forensics-corpus/sign.ts';
import { expect } from 'chai';
import { Unreadable } from '../model.ts';
import { signatures } from '../rules/pdf/signatures.ts';
import { findingsOn, payslip, verdictOn } from './fixtures/payslip.ts';
import { corners, pageNumber, pageObject, pdfOf, stream, updated } from './fixtures/pdf.ts';
import { latin, textOf } from './fixtures/pdf-source.ts';

const KINDS: SignatureKind[] = ['adbe.pkcs7.detached', 'ETSI.CAdES.detached', 'ETSI.RFC3161', 'adbe.pkcs7.sha1'];
const AT = new Date('2026-11-01T10:00:00Z');
const slip = pdfOf([payslip()]);

describe('digital signatures', () => {
  let signer: Signer;
  let other: Signer;
  let signed: Uint8Array;
  before(async () => {
    signer = await createSigner('Payroll Ltd');
    other = await createSigner('Erika Muster');
    signed = await signPdf(slip, { signer, at: AT });
  });

  const found = (bytes: Uint8Array) => findingsOn(signatures, bytes);
  /** The deciding findings only: a valid signature is context. */
  const weighty = async (bytes: Uint8Array) => (await found(bytes)).filter(({ strength }) => strength !== 'context');

  it('that are valid are reported with their certificate’s facts, whose trust is not checked, and decide nothing', async () => {
    const [finding, ...rest] = await found(signed);
    expect(rest).to.have.length(0);
    expect(finding?.strength).to.equal('context');
    expect(finding?.message).to.equal(
      'The signature of 2026-11-01 in the name of Payroll Ltd fits the file; whether that certificate can be trusted was not checked.',
    );
    expect(finding?.evidence[0]?.details).to.deep.equal({
      kind: 'adbe.pkcs7.detached',
      signer: 'Payroll Ltd',
      issuer: 'Payroll Ltd',
      valid_from: '2024-01-01',
      valid_to: '2034-01-01',
      self_signed: true,
      certificate_trust: 'not checked',
      signed_at: '2026-11-01T10:00:00Z',
    });
  });

  for (const kind of KINDS) {
    it(`of the kind ${kind} are valid until a single byte is changed`, async () => {
      const bytes = await signPdf(slip, { signer, at: AT, kind });
      expect(await weighty(bytes)).to.have.length(0);
      expect(await found(bytes)).to.have.length(1);
      const changed = latin(textOf(bytes).replace('(2.180,40)', '(9.180,40)'));
      expect(changed).to.have.length(bytes.length);
      const [finding] = await weighty(changed);
      expect(finding?.strength).to.equal('strong');
      expect(finding?.message).to.contain('Payroll Ltd signed is not what was signed');
    });
  }

  for (const algorithm of ['rsa', 'pss'] as const) {
    it(`made with ${algorithm === 'rsa' ? 'RSA' : 'RSA-PSS'} are also checked`, async () => {
      const bytes = await signPdf(slip, { signer: await createSigner('RSA Ltd', { algorithm }), at: AT });
      expect((await found(bytes)).map(({ strength }) => strength)).to.deep.equal(['context']);
      const middle = Math.floor(slip.length / 2);
      const changed = bytes.slice();
      changed[middle] = (changed[middle] ?? 0) ^ 1;
      expect((await weighty(changed)).map(({ strength }) => strength)).to.deep.equal(['strong']);
    });
  }

  it('in plain ECDSA are checked, and one with an unknown algorithm cannot be', async () => {
    const file = (name: string) => readFileSync(new URL(`fixtures/cases/${name}`, import.meta.url));
    for (const name of ['signed-ecdsa-plain.pdf', 'signed-ecdsa-der.pdf']) {
      expect(
        (await found(file(name))).map(({ strength }) => strength),
        name,
      ).to.deep.equal(['context']);
      const changed = file(name);
      changed[200] = (changed[200] ?? 0) ^ 1;
      expect(
        (await weighty(changed)).map(({ strength }) => strength),
        name,
      ).to.deep.equal(['strong']);
    }
    // The last algorithm in the value is the signer's; the number that replaces it names nothing.
    const written = textOf(file('signed-ecdsa-der.pdf'));
    const algorithm = '06082a8648ce3d040302';
    const last = written.toLowerCase().lastIndexOf(algorithm);
    expect(last).to.be.greaterThan(0);
    const end = last + algorithm.length;
    const unknown = latin(`${written.slice(0, end - 2)}7f${written.slice(end)}`);
    const verdict = await verdictOn(signatures, unknown).catch((error: unknown) => error);
    expect(verdict).to.be.instanceOf(Unreadable);
  });

  it('made with a different key from the certificate’s are reported', async () => {
    const forged = await signPdf(slip, { signer: { certificate: signer.certificate, key: other.key }, at: AT });
    const [finding] = await weighty(forged);
    expect(finding?.message).to.equal(
      'The signature in the name of Payroll Ltd was not made with the key of that certificate.',
    );
  });

  it('stay valid when others sign, add a timestamp, or fill in empty fields afterwards', async () => {
    const twice = await signPdf(signed, { signer: other, at: AT });
    expect(await weighty(twice)).to.have.length(0);
    expect(await found(twice)).to.have.length(2);
    const stamped = await signPdf(twice, { signer: other, kind: 'ETSI.RFC3161', at: AT });
    expect(await weighty(stamped)).to.have.length(0);
    const commented = updated(signed, { 60: '<< /Type /Annot /Subtype /Text /Rect [1 1 9 9] /Contents (Why?) >>' });
    expect(await weighty(commented)).to.have.length(0);
  });

  it('reveal the values changed on a page after signing', async () => {
    const changed = updated(signed, { [pageNumber(0) + 1]: stream(payslip({ net: '9.180,40' })) });
    const [finding, ...rest] = await weighty(changed);
    expect(rest).to.have.length(0);
    expect(finding?.strength).to.equal('strong');
    expect(finding?.message).to.equal('What page 1 shows was changed after Payroll Ltd had signed the file.');
    const [{ page, before, after, offset } = {}] = finding?.evidence ?? [];
    expect({ page, before, after, offset }).to.deep.equal({
      page: 1,
      before: '2.180,40',
      after: '9.180,40',
      offset: signed.length,
    });
  });

  it('are compared with pages whose fonts were exchanged or that were added', async () => {
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>';
    expect((await weighty(updated(signed, { 10: font })))[0]?.message).to.match(/^What page 1 shows was changed/);
    const kids = `<< /Type /Pages /Kids [${pageNumber(0)} 0 R 80 0 R] /Count 2 >>`;
    const longer = updated(signed, { 2: kids, 80: pageObject(0), [pageNumber(0)]: pageObject(0) });
    expect((await weighty(longer)).map(({ message }) => message)).to.include(
      'The file had 1 pages when Payroll Ltd signed it and has 2 pages now.',
    );
  });

  it('are at most medium when a text was laid over the page as an annotation', async () => {
    const note = `<< /Type /Annot /Subtype /FreeText /Rect ${corners(455, 270, 50, 14)} /Contents (9.180,40) >>`;
    const covered = updated(signed, { [pageNumber(0)]: pageObject(0, '/Annots [60 0 R]'), 60: note });
    const [finding] = await weighty(covered);
    expect(finding?.strength).to.equal('medium');
    expect(finding?.evidence[0]).to.deep.include({ page: 1, after: '9.180,40' });
  });

  it('reveal fields changed after signing, but not those that were empty', async () => {
    const document = await PDFDocument.load(slip, { updateMetadata: false });
    const form = document.getForm();
    for (const name of ['salary', 'remark'])
      form.createTextField(name).addToPage(document.getPage(0), { x: 20, y: 20 });
    form.getTextField('salary').setText('2000');
    const filled = await signPdf(await document.save({ useObjectStreams: false }), { signer, at: AT });
    const later = async (name: string, text: string) => {
      const again = await PDFDocument.load(filled, { updateMetadata: false, forIncrementalUpdate: true });
      again.getForm().getTextField(name).setText(text);
      return again.save();
    };
    expect(await weighty(await later('remark', 'thank you'))).to.have.length(0);
    const [finding, ...rest] = await weighty(await later('salary', '5000'));
    expect(rest).to.have.length(0);
    expect(finding?.message).to.equal(
      'The field "salary" read "2000" when Payroll Ltd signed the file and reads "5000" now.',
    );
  });

  it('that exclude more of the file than their own value are reported', async () => {
    const text = textOf(signed);
    const [range = '', before = '', resumed = '', after = ''] = /\/ByteRange \[0 (\d+) (\d+) (\d+)/.exec(text) ?? [];
    const tricked = (start: string, a: number, b: number, c: number) => {
      const shorter = `/ByteRange [${start} ${a} ${b} ${c}`;
      return latin(text.replace(range, shorter.padEnd(range.length).slice(0, range.length)));
    };
    const [a, b, c] = [Number(before), Number(resumed), Number(after)];
    const problems: [Uint8Array, string][] = [
      [tricked('0', a - 90, b, c), 'leaves out more of the file than its own value'],
      [tricked('9', a - 9, b, c), 'leaves out the beginning of the file'],
      [tricked('0', a, b, c - 90), 'ends before the version of the file does'],
      [tricked('0', a, b, c + 9), 'covers more bytes than the file has'],
      [tricked('0', a, 0, c), 'makes no sense'],
    ];
    for (const [bytes, problem] of problems) {
      const [finding] = await weighty(bytes);
      expect(finding?.strength, problem).to.equal('strong');
      expect(finding?.message).to.contain(problem);
    }
  });

  it('no longer cover a file that was rewritten', async () => {
    const [finding] = await weighty(await qpdf(signed, ['--object-streams=preserve']));
    expect(finding?.strength).to.equal('strong');
  });

  it('are not checked when no one signed, and prepared ones do not count', async () => {
    expect(await verdictOn(signatures, slip)).to.deep.equal({
      status: 'not_applicable',
      reason: 'The file is not signed.',
    });
    const empty = latin(
      textOf(signed).replace(/\/Contents <[0-9a-f]+>/, (whole) => whole.replace(/[1-9a-f](?=[0-9a-f]*>)/g, '0')),
    );
    expect((await verdictOn(signatures, empty)).status).to.equal('not_applicable');
  });

  it('of unsupported or unreadable kinds are unreadable, with the reason', async () => {
    const kind = latin(textOf(signed).replace('/adbe.pkcs7.detached', '/adbe.x509.rsa_sha1 '));
    const garbled = latin(textOf(signed).replace(/\/Contents <30/, '/Contents <ff'));
    for (const bytes of [kind, garbled]) {
      const error = await verdictOn(signatures, bytes).catch((failure: unknown) => failure);
      expect(error).to.be.instanceOf(Unreadable);
    }
  });

  it('are valid in files with cross-reference streams and in linearised ones', async () => {
    const document = await PDFDocument.create();
    document.addPage().drawText('Contract', { font: document.embedStandardFont(StandardFonts.Helvetica) });
    for (const bytes of [await document.save(), await qpdf(slip, ['--linearize'])]) {
      const fresh = await signPdf(bytes, { signer, at: AT, allows: 1 });
      expect((await found(fresh)).map(({ strength }) => strength)).to.deep.equal(['context']);
    }
  });
});
