import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import { Set as Asn1Set, fromBER, OctetString } from 'asn1js';
import {
  type Certificate,
  ContentInfo,
  IssuerAndSerialNumber,
  RSASSAPSSParams,
  SignedData,
  type SignerInfo,
  TSTInfo,
} from 'pkijs';
import { Unreadable } from '../../model.ts';
import { formsOf, hashNamed, hashOfSignature, isEdwards, PSS } from './algorithms.ts';
import { type CertificateFacts, certificateFacts } from './certificate.ts';

/** The content of a signature value, and whether it verifies. */
export interface CmsCheck {
  /** Whether the covered bytes are still those that were signed. */
  isIntact: boolean;
  /** Whether the value was made with the key of the signer's certificate. */
  isGenuine: boolean;
  certificate: CertificateFacts;
  /** ISO 8601, from the signer's clock or the time stamp. */
  signedAt?: string;
}

const LONGEST = 4_000_000;
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_TIME = '1.2.840.113549.1.9.5';
const KINDS = ['adbe.pkcs7.detached', 'ETSI.CAdES.detached', 'ETSI.RFC3161', 'adbe.pkcs7.sha1'];

/**
 * Checks the value of a signature (RFC 5652) against the bytes it covers.
 * @param covered the covered parts of the file, in order
 * @throws Unreadable for a kind or an algorithm that is not supported, or a value that cannot be read
 */
export function checkCms(value: Uint8Array, subFilter: string, covered: Uint8Array[]): CmsCheck {
  if (!KINDS.includes(subFilter))
    throw new Unreadable(`A signature of the kind ${subFilter.slice(0, 40)} is not supported.`);
  const data = readSigned(value);
  const signer = data.signerInfos[0];
  const certificate = signer && signerCertificate(data, signer);
  if (signer === undefined || certificate === undefined)
    throw new Unreadable('The certificate of the signer is not in the file.');
  const content = subFilter.endsWith('.detached') ? covered : [contentOf(data)];
  const own = hashNamed(signer.digestAlgorithm.algorithmId);
  const attributes = signer.signedAttrs;
  const digest = attributes && attribute(signer, MESSAGE_DIGEST);
  const isValueFit = verifies(
    signer,
    certificate,
    attributes === undefined ? [Buffer.concat(content)] : signedBytes(signer),
  );
  const isContentFit =
    attributes === undefined || (digest instanceof OctetString && same(hashOf(own, content), digest.getValue()));
  const stamp = subFilter === 'ETSI.RFC3161' ? stampIn(contentOf(data)) : undefined;
  const signedAt = stamp?.at ?? signingTime(signer);
  return {
    // Without attributes the signature covers the bytes directly, so a mismatch does not show which of the two changed.
    isIntact: (attributes === undefined ? isValueFit : isContentFit) && isCarried(subFilter, data, stamp, covered),
    isGenuine: isValueFit,
    certificate: certificateFacts(certificate),
    ...(signedAt === undefined ? {} : { signedAt }),
  };
}

/** Whether the hash of the file that a signature carries in its content matches; true if it carries none. */
function isCarried(subFilter: string, data: SignedData, stamp: Stamp | undefined, covered: Uint8Array[]): boolean {
  if (subFilter === 'adbe.pkcs7.sha1') return same(hashOf('sha1', covered), contentOf(data));
  return stamp === undefined || same(hashOf(stamp.hash, covered), stamp.digest);
}

function readSigned(value: Uint8Array): SignedData {
  try {
    const parsed = fromBER(Uint8Array.from(value.subarray(0, LONGEST)).buffer);
    const info = new ContentInfo({ schema: parsed.result });
    return new SignedData({ schema: info.content });
  } catch {
    throw new Unreadable('The value of a signature cannot be read.');
  }
}

function contentOf(data: SignedData): Uint8Array {
  const content = data.encapContentInfo.eContent;
  if (content === undefined) throw new Unreadable('The value of a signature cannot be read.');
  return new Uint8Array(content.getValue());
}

function signerCertificate({ certificates = [] }: SignedData, { sid }: SignerInfo): X509Certificate | undefined {
  const all = certificates.filter(
    (candidate): candidate is Certificate => 'serialNumber' in candidate && 'issuer' in candidate,
  );
  const found = all.find((candidate) =>
    sid instanceof IssuerAndSerialNumber
      ? candidate.serialNumber.isEqual(sid.serialNumber) && candidate.issuer.isEqual(sid.issuer)
      : all.length === 1 || hasKeyIdentifier(candidate, sid),
  );
  if (found === undefined) return undefined;
  try {
    return new X509Certificate(Buffer.from(found.toSchema().toBER()));
  } catch {
    throw new Unreadable('The certificate of a signer cannot be read.');
  }
}

function hasKeyIdentifier(candidate: Certificate, sid: unknown): boolean {
  const extension = candidate.extensions?.find(({ extnID }) => extnID === '2.5.29.14')?.parsedValue;
  const wanted = sid instanceof OctetString ? Buffer.from(sid.getValue()) : undefined;
  return wanted !== undefined && extension instanceof OctetString && wanted.equals(Buffer.from(extension.getValue()));
}

function hashOf(name: string, parts: Uint8Array[]): Uint8Array {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function same(first: Uint8Array, second: Uint8Array | ArrayBuffer): boolean {
  return Buffer.from(first).equals(Buffer.from(second instanceof Uint8Array ? second : new Uint8Array(second)));
}

function attribute({ signedAttrs }: SignerInfo, type: string): unknown {
  return signedAttrs?.attributes.find((candidate) => candidate.type === type)?.values[0];
}

function signingTime(signer: SignerInfo): string | undefined {
  const time = attribute(signer, SIGNING_TIME);
  const isTime = typeof time === 'object' && time !== null && 'toDate' in time && typeof time.toDate === 'function';
  const date: unknown = isTime && 'toDate' in time && typeof time.toDate === 'function' ? time.toDate() : undefined;
  return isoOf(date);
}

function isoOf(date: unknown): string | undefined {
  return date instanceof Date && !Number.isNaN(date.getTime()) ? date.toISOString().replace('.000Z', 'Z') : undefined;
}

/** The attributes as written, and as DER: signers hash one or the other. */
function signedBytes({ signedAttrs }: SignerInfo): Uint8Array[] {
  if (signedAttrs === undefined) return [];
  const again = new Asn1Set({ value: signedAttrs.attributes.map((own) => own.toSchema()) });
  return [new Uint8Array(signedAttrs.encodedValue), new Uint8Array(again.toBER())];
}

function verifies(signer: SignerInfo, certificate: X509Certificate, candidates: Uint8Array[]): boolean {
  const value = new Uint8Array(signer.signature.getValue());
  const { algorithmId, algorithmParams } = signer.signatureAlgorithm;
  const pss = algorithmId === PSS ? new RSASSAPSSParams({ schema: algorithmParams }) : undefined;
  const ofDigest = pss?.hashAlgorithm.algorithmId ?? signer.digestAlgorithm.algorithmId;
  const hash = isEdwards(algorithmId) ? null : hashOfSignature(algorithmId, ofDigest);
  const padding = pss && { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: pss.saltLength };
  try {
    const key = certificate.publicKey;
    const forms = key.asymmetricKeyType === 'ec' ? formsOf(algorithmId, value) : [undefined];
    return forms.some((dsaEncoding) => {
      const options = { key, ...padding, ...(dsaEncoding && { dsaEncoding }) };
      return candidates.some((bytes) => verify(hash, bytes, options, value));
    });
  } catch {
    throw new Unreadable('A signature uses a key that is not supported.');
  }
}

interface Stamp {
  hash: string;
  digest: Uint8Array;
  at?: string;
}

function stampIn(content: Uint8Array): Stamp {
  try {
    const info = new TSTInfo({ schema: fromBER(Uint8Array.from(content).buffer).result });
    const { hashAlgorithm, hashedMessage } = info.messageImprint;
    const at = isoOf(info.genTime);
    const digest = new Uint8Array(hashedMessage.getValue());
    return { hash: hashNamed(hashAlgorithm.algorithmId), digest, ...(at === undefined ? {} : { at }) };
  } catch {
    throw new Unreadable('A time stamp cannot be read.');
  }
}
