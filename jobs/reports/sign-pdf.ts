import { createHash, type KeyObject, type webcrypto, type X509Certificate } from 'node:crypto';
import { setImmediate as nextRound } from 'node:timers/promises';
import * as asn1js from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { isRecord } from '../../core/text.ts';
import type { Pdf } from './pdf-file.ts';

/** The key and the certificate with which reports are sealed, and the certificates of its issuers. */
export interface SigningKey {
  key: KeyObject;
  /** The signer's own first. */
  certificates: X509Certificate[];
}

/** More than the value needs with a chain of several certificates, in bytes. */
const ROOM = 24 * 1024;
const BLANK = '**********';
const PRINTED = 4;
const LOCKED = 128;
/** Signatures exist, and a reader must not rewrite the file (ISO 32000-2, table 225). */
const SIGNED_AND_APPEND_ONLY = 3;

/** Reserves the place of a signature (PAdES baseline: `ETSI.CAdES.detached`) on the current page, without an appearance. */
export function reserveSignature(pdf: Pdf, { name, reason, at }: { name: string; reason: string; at: Date }): void {
  const signature = pdf.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    ByteRange: [0, BLANK, BLANK, BLANK],
    Contents: Buffer.alloc(ROOM),
    Name: new String(name),
    Reason: new String(reason),
    M: at,
  });
  pdf.initForm();
  const field = pdf.ref({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    // PDF/A asks for a printed annotation; one without an area needs no appearance.
    F: PRINTED | LOCKED,
    Rect: [0, 0, 0, 0],
    V: signature,
    T: new String('Seal'),
    P: pdf.page.dictionary,
  });
  pdf.page.annotations.push(field);
  const form = formOf(pdf);
  form['Fields'] = [field];
  form['SigFlags'] = SIGNED_AND_APPEND_ONLY;
  form['NeedAppearances'] = undefined;
  form['DA'] = undefined;
  signature.end(undefined);
  field.end(undefined);
}

/** The form of the file, in which pdfkit asks readers to draw the fields: PDF/A forbids that, and a signature is not drawn. */
function formOf(pdf: object): Record<string, unknown> {
  const root = '_root' in pdf && isRecord(pdf._root) ? pdf._root['data'] : undefined;
  const form = isRecord(root) ? root['AcroForm'] : undefined;
  if (!isRecord(form) || !isRecord(form['data'])) throw new Error('pdfkit keeps its form elsewhere.');
  return form['data'];
}

/** Seals a file with a reserved place: the signature covers every byte but its own value. */
export async function signPdf(file: Buffer, signer: SigningKey): Promise<Buffer> {
  const range = file.indexOf('/ByteRange [');
  const rangeEnd = file.indexOf(']', range) + 1;
  const from = file.indexOf('<', file.indexOf('/Contents ', rangeEnd));
  const to = file.indexOf('>', from) + 1;
  if (range < 0 || from < 0) throw new Error('The file has no place for a signature.');
  const ranges = [0, from, to, file.length - to];
  file.write(`/ByteRange [${ranges.join(' ')}]`.padEnd(rangeEnd - range), range, 'latin1');
  const digest = await digestOf(file.subarray(0, from), file.subarray(to));
  const value = Buffer.from(await signatureOf(digest, signer)).toString('hex');
  if (value.length > to - from - 2) throw new Error('The signature does not fit into its place.');
  file.write(value, from + 1, 'latin1');
  return file;
}

const SLICE_BYTES = 2 ** 22;

/** The SHA-256 of what may be megabytes, with rounds of the event loop between. */
export async function digestOf(...parts: Uint8Array[]): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const part of parts)
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      hash.update(part.subarray(at, at + SLICE_BYTES));
      await nextRound();
    }
  return hash.digest();
}

const OID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
} as const;

async function signatureOf(digest: Buffer, { key, certificates }: SigningKey): Promise<ArrayBuffer> {
  const [own] = certificates;
  if (!own) throw new Error('There is no certificate to sign with.');
  const parsed = certificates.map(({ raw }) => Certificate.fromBER(raw));
  const [signer] = parsed;
  if (!signer) throw new Error('There is no certificate to sign with.');
  const attributes = [
    new Attribute({ type: OID.contentType, values: [new asn1js.ObjectIdentifier({ value: OID.data })] }),
    new Attribute({ type: OID.messageDigest, values: [new asn1js.OctetString({ valueHex: digest })] }),
    new Attribute({ type: OID.signingCertificate, values: [namedCertificate(own)] }),
  ];
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: OID.data }),
    certificates: parsed,
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: signer.issuer, serialNumber: signer.serialNumber }),
        digestAlgorithm: new AlgorithmIdentifier({ algorithmId: OID.sha256 }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
  });
  await signed.sign(await webKeyOf(key), 0, 'SHA-256');
  const content = new ContentInfo({ contentType: OID.signedData, content: signed.toSchema(true) });
  return content.toSchema().toBER();
}

/** The digest of the signer's certificate (RFC 5035), so that no other certificate can be put in its place. */
function namedCertificate({ raw }: X509Certificate): asn1js.Sequence {
  const hash = new asn1js.OctetString({ valueHex: createHash('sha256').update(raw).digest() });
  const named = new asn1js.Sequence({ value: [hash] });
  return new asn1js.Sequence({ value: [new asn1js.Sequence({ value: [named] })] });
}

function webKeyOf(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const { namedCurve } = key.asymmetricKeyDetails ?? {};
  const curve = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }[namedCurve ?? ''];
  const algorithm =
    key.asymmetricKeyType === 'rsa'
      ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
      : { name: 'ECDSA', namedCurve: curve ?? 'P-256' };
  const pkcs8 = key.export({ type: 'pkcs8', format: 'der' });
  return crypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']);
}
