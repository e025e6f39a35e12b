import { generateKeyPairSync, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import { AttributeTypeAndValue, BasicConstraints, Certificate, Extension } from 'pkijs';
import { DAY_MS } from '../../core/time.ts';
import type { SigningKey } from './sign-pdf.ts';

const YEARS = 10;
const OID = { commonName: '2.5.4.3', basicConstraints: '2.5.29.19', keyUsage: '2.5.29.15' } as const;
/** Digital signature and non-repudiation (RFC 5280, section 4.2.1.3). */
const SIGNS = Uint8Array.of(0xc0);

/** A new key with a certificate that it signs itself: it shows that reports are unchanged, and who sealed them only to those who know it. */
export async function createOwnKey(commonName: string, now: Date): Promise<SigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const web = (key: KeyObject, use: 'sign' | 'verify') =>
    crypto.subtle.importKey(
      use === 'sign' ? 'pkcs8' : 'spki',
      use === 'sign'
        ? privateKey.export({ type: 'pkcs8', format: 'der' })
        : key.export({ type: 'spki', format: 'der' }),
      algorithm,
      true,
      [use],
    );
  const certificate = new Certificate();
  certificate.version = 2;
  // The first octet keeps it positive and in its shortest form.
  certificate.serialNumber = new asn1js.Integer({ valueHex: Uint8Array.of(1, ...randomBytes(15)).buffer });
  for (const name of [certificate.issuer, certificate.subject])
    name.typesAndValues.push(
      new AttributeTypeAndValue({ type: OID.commonName, value: new asn1js.Utf8String({ value: commonName }) }),
    );
  certificate.notBefore.value = new Date(now.getTime() - DAY_MS);
  certificate.notAfter.value = new Date(now.getTime() + YEARS * 365 * DAY_MS);
  certificate.extensions = [
    extension(OID.basicConstraints, new BasicConstraints({ cA: false }).toSchema()),
    extension(OID.keyUsage, new asn1js.BitString({ valueHex: SIGNS.buffer, unusedBits: 6 })),
  ];
  await certificate.subjectPublicKeyInfo.importKey(await web(publicKey, 'verify'));
  await certificate.sign(await web(privateKey, 'sign'), 'SHA-256');
  const der = Buffer.from(certificate.toSchema(true).toBER());
  return { key: privateKey, certificates: [new X509Certificate(der)] };
}

function extension(extnID: string, value: asn1js.BaseBlock): Extension {
  return new Extension({ extnID, critical: true, extnValue: value.toBER() });
}
