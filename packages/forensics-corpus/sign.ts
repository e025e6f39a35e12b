import { createHash, randomBytes, webcrypto } from 'node:crypto';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFNumber, PDFRef } from '@cantoo/pdf-lib';
import { Integer, ObjectIdentifier, OctetString, UTCTime, Utf8String } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TSTInfo,
} from 'pkijs';
import { concatenated, latin, latinText, pdfDate } from './pdf/bytes.ts';
import { withRevision } from './pdf/revision.ts';

/** A signer: a key and a self-signed certificate. */
export interface Signer {
  certificate: Certificate;
  key: webcrypto.CryptoKey;
}

export type SignatureKind = 'adbe.pkcs7.detached' | 'ETSI.CAdES.detached' | 'ETSI.RFC3161' | 'adbe.pkcs7.sha1';

interface SignOptions {
  signer: Signer;
  /** Detached by default; `ETSI.RFC3161` is a document time stamp. */
  kind?: SignatureKind;
  /** The signing time stated in the signature. */
  at?: Date;
  /** Makes it a certification signature: what is allowed afterwards, 1 nothing, 2 filling in and signing, 3 annotations too. */
  allows?: 1 | 2 | 3;
  /** The name of the signature field. */
  field?: string;
  reason?: string;
}

const RSA = { hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 };
const ALGORITHMS = {
  ecdsa: { name: 'ECDSA', namedCurve: 'P-256' },
  rsa: { name: 'RSASSA-PKCS1-v1_5', ...RSA },
  pss: { name: 'RSA-PSS', ...RSA },
};
/** The reserved size of the value, in bytes: more than any of these signatures needs. */
const ROOM = 8192;
const BLANK = '##########';

export async function createSigner(
  commonName: string,
  { algorithm = 'ecdsa', from = new Date('2024-01-01'), to = new Date('2034-01-01') }: SignerOptions = {},
): Promise<Signer> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHMS[algorithm], true, ['sign', 'verify']);
  if (!('privateKey' in keys)) throw new Error('No pair of keys.');
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ valueHex: Uint8Array.of(1, ...randomBytes(8)).buffer });
  for (const name of [certificate.subject, certificate.issuer]) {
    name.typesAndValues.push(
      new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value: commonName }) }),
    );
  }
  certificate.notBefore.value = from;
  certificate.notAfter.value = to;
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, 'SHA-256');
  return { certificate, key: keys.privateKey };
}

interface SignerOptions {
  algorithm?: keyof typeof ALGORITHMS;
  from?: Date;
  to?: Date;
}

/** Signs as signing programs do: in a separate revision, with an invisible field on the first page. */
export async function signPdf(bytes: Uint8Array, options: SignOptions): Promise<Uint8Array> {
  const document = await PDFDocument.load(bytes, { updateMetadata: false });
  const prepared = withRevision(bytes, document, bodiesOf(document, options));
  const text = latinText(prepared);
  const contents = text.lastIndexOf(`<${'0'.repeat(64)}`);
  const resumed = text.indexOf('>', contents) + 1;
  const filled = withRange(text, contents, resumed);
  const covered = [filled.subarray(0, contents), filled.subarray(resumed)];
  const value = await cmsOf(covered, options);
  if (value.length > ROOM) throw new Error('The value of the signature needs more room.');
  filled.set(latin(Buffer.from(value).toString('hex')), contents + 1);
  return filled;
}

function withRange(text: string, contents: number, resumed: number): Uint8Array {
  const values = [contents, resumed, text.length - resumed];
  const start = text.lastIndexOf(`/ByteRange [0 ${BLANK}`);
  const end = text.indexOf(']', start);
  const range = `/ByteRange [0 ${values.join(' ')}`.padEnd(end - start);
  return concatenated(latin(text.slice(0, start)), latin(range), latin(text.slice(end)));
}

function bodiesOf(document: PDFDocument, options: SignOptions) {
  const { context, catalog } = document;
  const first = context.largestObjectNumber + 1;
  const [signature, field] = [first, first + 1].map((number) => PDFRef.of(number));
  const root = context.trailerInfo.Root;
  const page = document.getPage(0);
  if (signature === undefined || field === undefined || !(root instanceof PDFRef))
    throw new Error('The file has no root.');
  const annotations = listWith(page.node.Annots(), document, field);
  const form = catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict)?.clone() ?? PDFDict.withContext(context);
  form.set(PDFName.of('Fields'), listWith(form.lookupMaybe(PDFName.of('Fields'), PDFArray), document, field));
  form.set(PDFName.of('SigFlags'), PDFNumber.of(3));
  const changedPage = page.node.clone();
  changedPage.set(PDFName.of('Annots'), annotations);
  const changedCatalog = catalog.clone();
  changedCatalog.set(PDFName.of('AcroForm'), form);
  if (options.allows !== undefined) changedCatalog.set(PDFName.of('Perms'), context.obj({ DocMDP: signature }));
  const name = options.field ?? `Signature${first}`;
  const widget = `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /V ${signature} /P ${page.ref} /Rect [0 0 0 0] /F 132 >>`;
  return [
    { number: signature.objectNumber, body: signatureBody(options) },
    { number: field.objectNumber, body: widget },
    { number: page.ref.objectNumber, body: changedPage.toString() },
    { number: root.objectNumber, body: changedCatalog.toString() },
  ];
}

function listWith(list: PDFArray | undefined, { context }: PDFDocument, added: PDFRef): PDFArray {
  const copy = list?.clone() ?? PDFArray.withContext(context);
  copy.push(added);
  return copy;
}

function signatureBody({ signer, kind = 'adbe.pkcs7.detached', at, allows, reason }: SignOptions): string {
  const isStamp = kind === 'ETSI.RFC3161';
  const name = PDFHexString.fromText(nameIn(signer));
  const parameters = `<< /Type /TransformParams /P ${allows} /V /1.2 >>`;
  return [
    `<< /Type /${isStamp ? 'DocTimeStamp' : 'Sig'} /Filter /Adobe.PPKLite /SubFilter /${kind}`,
    isStamp ? '' : `/Name ${name}`,
    at === undefined || isStamp ? '' : `/M (${pdfDate(at)})`,
    reason === undefined ? '' : `/Reason ${PDFHexString.fromText(reason)}`,
    allows === undefined
      ? ''
      : `/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams ${parameters} >>]`,
    `/ByteRange [0 ${BLANK} ${BLANK} ${BLANK}]`,
    `/Contents <${'0'.repeat(2 * ROOM)}> >>`,
  ].join('\n');
}

function nameIn({ certificate }: Signer): string {
  return String(
    certificate.subject.typesAndValues.find(({ type }) => type === '2.5.4.3')?.value.valueBlock.value ?? '',
  );
}

async function cmsOf(covered: Uint8Array[], options: SignOptions): Promise<Uint8Array> {
  const { kind = 'adbe.pkcs7.detached', at, signer } = options;
  const content = contentOf(kind, covered, at ?? new Date(0));
  const digest = hashOf('sha256', content === undefined ? covered : [content.bytes]);
  const encapsulated = new EncapsulatedContentInfo({ eContentType: content?.type ?? '1.2.840.113549.1.7.1' });
  if (content !== undefined)
    encapsulated.eContent = new OctetString({ valueHex: Uint8Array.from(content.bytes).buffer });
  const { issuer, serialNumber } = signer.certificate;
  const info = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    signedAttrs: new SignedAndUnsignedAttributes({
      type: 0,
      attributes: attributesOf(encapsulated.eContentType, digest, at),
    }),
  });
  const data = new SignedData({
    version: 1,
    encapContentInfo: encapsulated,
    signerInfos: [info],
    certificates: [signer.certificate],
  });
  await data.sign(signer.key, 0, 'SHA-256', concatenated(...covered).buffer);
  const wrapped = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: data.toSchema(true) });
  return new Uint8Array(wrapped.toSchema().toBER());
}

/** The content embedded in the value, for non-detached kinds. */
function contentOf(
  kind: SignatureKind,
  covered: Uint8Array[],
  at: Date,
): { type: string; bytes: Uint8Array } | undefined {
  if (kind === 'adbe.pkcs7.sha1') return { type: '1.2.840.113549.1.7.1', bytes: hashOf('sha1', covered) };
  if (kind !== 'ETSI.RFC3161') return undefined;
  const hashedMessage = new OctetString({ valueHex: Uint8Array.from(hashOf('sha256', covered)).buffer });
  const hashAlgorithm = new AlgorithmIdentifier({ algorithmId: '2.16.840.1.101.3.4.2.1' });
  const stamp = new TSTInfo({
    version: 1,
    policy: '1.2.3.4',
    messageImprint: new MessageImprint({ hashAlgorithm, hashedMessage }),
    serialNumber: new Integer({ value: 1 }),
    genTime: at,
  });
  return { type: '1.2.840.113549.1.9.16.1.4', bytes: new Uint8Array(stamp.toSchema().toBER()) };
}

function attributesOf(contentType: string, digest: Uint8Array, at: Date | undefined): Attribute[] {
  const type = new Attribute({ type: '1.2.840.113549.1.9.3', values: [new ObjectIdentifier({ value: contentType })] });
  const value = new OctetString({ valueHex: Uint8Array.from(digest).buffer });
  const message = new Attribute({ type: '1.2.840.113549.1.9.4', values: [value] });
  if (at === undefined) return [type, message];
  const time = new Attribute({ type: '1.2.840.113549.1.9.5', values: [new UTCTime({ valueDate: at })] });
  return [type, time, message];
}

function hashOf(name: string, parts: Uint8Array[]): Uint8Array {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}
